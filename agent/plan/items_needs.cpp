// SPDX-License-Identifier: Apache-2.0
// Takes steps of a plan back: those that need a resource which is not there and gets no step, and those that serve
// other steps where there are none.
#include <fmt/format.h>

#include "plan/interrupts.hpp"
#include "plan/items_builder.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

// A file with our mark that no ledger lists is taken up: entered into the new ledger. A ledger is written with steps
// alone, so without one such an item is merely wanted.
void ItemsBuilder::take_up_only_with_steps() {
  if (std::any_of(plan_.items.begin(), plan_.items.end(), [](const Item& item) { return item.has_step(); })) return;
  for (auto& item : plan_.items)
    if (item.cause == Cause::taken_up && item.wanted() != nullptr) item.cause = Cause::wanted;
}

// Removes the step of an item whose need is missing: the item is then after, blocked, unseen or pending like that need.
// A need that exists is enough, even where it is not as wanted, unless it is in the way (Gap::is_in_the_way).
void ItemsBuilder::defer(Item& item, const Item& needed) {
  const bool is_there = needed.gap.in_sync() && !needed.waived;
  if (!item.has_step() || !item.gap.move->to || needed.has_step() || is_there) return;
  if (state_of(needed.observed) != nullptr && !needed.gap.is_in_the_way) return;
  item.gap.move.reset();
  weigh(scene_, item);
  item.waived = needed.waived;
  item.gap.comes_late = needed.gap.comes_late;
  if (!needed.gap.after.empty()) {
    item.gap.after = needed.gap.after;
  } else if (!needed.gap.blocked.empty()) {
    item.gap.blocked = fmt::format("it needs {}: {}", needed.title(), needed.gap.blocked);
    if (needed.gap.never) item.gap.never.emplace();
  } else if (!needed.gap.unseen.empty()) {
    item.gap.unseen = fmt::format("it needs {}: {}", needed.title(), needed.gap.unseen);
  } else {
    item.gap.pending = needed.gap.pending;
  }
}

// A need may stand before or behind the item that has it: repeat until nothing changes. Chains of needs are short.
void ItemsBuilder::defer_by_needs() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& item : plan_.items) {
      if (!item.has_step()) continue;
      for (const auto& ref : item.kind->needs(item.key, item.wanted()))
        if (const Item* needed = find(ref.kind, ref.key)) defer(item, *needed);
      changed |= !item.has_step();
    }
  }
}

// The ledger's directory is made for the ledger alone. Where it would be the only step, no ledger is written, so the
// step is removed.
void ItemsBuilder::spare_ledger_directory() {
  const Ref directory = needs_directory(std::string(common_layout().ledger), nullptr).front();
  Item* item = find(directory.kind, directory.key);
  if (item == nullptr || !item->has_step() || !item->gap.move->to) return;
  const auto steps = std::count_if(plan_.items.begin(), plan_.items.end(), [](const Item& i) { return i.has_step(); });
  if (steps == 1) item->gap.move.reset();
}

}  // namespace rdmastate
