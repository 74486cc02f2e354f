// SPDX-License-Identifier: Apache-2.0
// Judges the items of a plan: judge() lets an item's kind observe it and find its gap; tell_owners() asks whose each
// existing file is; and an item that an owner makes gets no step and is pending.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/fields_diff.hpp"
#include "plan/interrupts.hpp"
#include "plan/items_builder.hpp"

namespace rdmastate {

// A kind need not handle a read that is denied: its item is unseen then, and gets no step.
void ItemsBuilder::judge(Item& item) {
  if (!item.observable) return;
  try {
    if (snapshot_.is_unseen(item.kind->name)) throw SystemError("looking at " + std::string(item.kind->name), EACCES);
    compare(item);
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    item.gap = {};
    item.gap.unseen = fmt::format("{}: {}", error.what(), snapshot_.who_sees());
    item.observed = Unseen{item.gap.unseen};
  }
}

// Observes the resource, asks its kind for the gap, and reduces the step to what rdmastate may do now.
void ItemsBuilder::compare(Item& item) {
  item.observed = item.kind->observe(snapshot_, item.key);
  if (const auto* unseen = std::get_if<Unseen>(&item.observed)) {
    item.gap.unseen = unseen->reason;
    return;
  }
  if (item.cause == Cause::released) return;
  take_over(item);
  item.gap = item.kind->gap(scene_, item.key, item.wanted(), item.observed);
  if (item.cause == Cause::purged && !item.gap.move) item.gap = {};  // not removable, like a port's own interface
  // A host that cannot have an optional resource is in sync without it.
  if (item.asked.optional && !item.gap.blocked.empty() && state_of(item.observed) == nullptr) {
    item.gap = {};
    item.waived = true;
  }
  if (item.is_awaited() && item.gap.move && !options_.as_owners) leave_to_owner(item, /*at_boot=*/options_.keep_ledger);
  weigh(scene_, item);
  hold_still(scene_, item);
}

// Lays the wanted state over a foreign file, or over one that was taken over before (Wanted::take_over makes the state
// of both). The plan shows that state without --adopt too, and is then refused.
void ItemsBuilder::take_over(Item& item) {
  const State* theirs = state_of(item.observed);
  if (theirs == nullptr) return begin_as_theirs(item);
  if (!item.asked.take_over || owners_.of(item) == Owner::nobody) return;
  const LedgerEntry* entry = intent_.known().find(item.kind->name, item.key);
  if (entry != nullptr ? entry->origin != Origin::changed : owners_.of(item) != Owner::foreign) return;
  TakenOver taken = item.asked.take_over(*theirs);
  item.asked.state = std::move(taken.state);
  item.keeps_theirs = taken.keeps_theirs;
  if (entry != nullptr || !options_.adopt) return;  // taken over before: allowed; without --adopt tell_owners() refuses
  if (item.keeps_theirs) item.cause = Cause::adopted;
  for (const auto& sentence : taken.against)
    plan_.refuse(item, /*allowed_by=*/"", fmt::format("{}: {}", item.key, sentence));
}

// With --adopt a new file that replaces a foreign one (Wanted::begins_as) begins as a copy of it. The foreign file
// stays where it is, out of force.
void ItemsBuilder::begin_as_theirs(Item& item) const {
  if (!options_.adopt || item.asked.begins_as.empty() || !item.asked.take_over) return;
  const Observation other = item.kind->observe(snapshot_, item.asked.begins_as);
  const State* theirs = state_of(other);
  if (theirs == nullptr) return;
  TakenOver taken = item.asked.take_over(*theirs);
  item.asked.state = std::move(taken.state);
  item.keeps_theirs = taken.keeps_theirs;
}

// Leaves a step to the owner: the item is pending instead. What no owner does (Kind::ours) stays a step, but not at
// boot: udev gives names then, and the owner may be at work.
void ItemsBuilder::leave_to_owner(Item& item, bool at_boot) {
  const auto& [from, to] = *item.gap.move;
  std::optional<Gap::Move> ours;
  if (!at_boot && from && to) ours = item.kind->ours(*from, *to, item.asked.unset_by_owner);
  const auto differing = [&](const Gap::Move& move) {
    return diff(item.kind->record(), move.from->raw(), move.to->raw()).size();
  };
  if (!ours || differing(*ours) < differing(*item.gap.move))
    item.gap.pending = {fmt::format("{} has not configured it", item.asked.awaited_from), Until::owner};
  item.gap.move = std::move(ours);
}

// Finds foreign files where the spec wants one of rdmastate or none: --adopt takes them over, without it the plan is
// refused. The ledger decides, and the mark in a file only where there is no ledger.
void ItemsBuilder::tell_owners() {
  if (options_.release) return;
  for (auto& item : plan_.items) {
    if (item.cause != Cause::wanted) continue;
    const Owner owner = owners_.of(item);
    if (owner == Owner::lost) item.cause = Cause::taken_up;
    const bool moves = item.has_step() || !item.gap.after.empty();  // now, or in a later round
    if (owner != Owner::foreign || !moves) continue;
    if (options_.adopt) item.cause = Cause::adopted;
    if (!options_.adopt) plan_.refuse(item, "--adopt", refusal_of(item));
  }
}

// How the host differs from `expect` (Wanted::unmet), and what the kind warns of.
void ItemsBuilder::warn(Item& item) {
  item.warning = fmt::format("{}", fmt::join(item.asked.unmet, "; "));
  if (item.wanted() == nullptr) return;
  const std::string warning = item.kind->warn(scene_, item.key, *item.wanted());
  if (!warning.empty()) item.warning += (item.warning.empty() ? "" : "; ") + warning;
}

// Says who makes an awaited item, and what that owner waits for. The last twin is the file that the owner reads.
void ItemsBuilder::explain_awaited(Item& item) {
  const auto& twins = item.asked.twins;
  const auto& waits = item.asked.waits;
  if (!item.gap.pending.empty() && !waits.empty()) item.gap.pending = {waits, Until::owner};
  if (!item.is_awaited() || item.gap.pending.empty() || twins.empty() || !waits.empty()) return;
  const Item* file = find(twins.back().file.kind, twins.back().file.key);
  if (file == nullptr) return;
  const bool coming = file->has_step() || !file->gap.after.empty();  // the file is written now, or in a later round
  if (coming && file->gap.pending.empty()) {
    item.gap.pending = {fmt::format("{} configures it from {}", item.asked.awaited_from, file->key), Until::owner};
  } else if (!file->gap.pending.empty()) {
    item.gap.pending = file->gap.pending;
  } else if (!file->gap.blocked.empty()) {
    item.gap.pending = {fmt::format("{} configures it from {}, which is blocked", item.asked.awaited_from, file->key),
                        Until::owner};
  } else {
    item.due = true;  // the owner has all that it needs
    item.gap.pending.sentence += fmt::format(", although it runs what {} says: see its log", file->key);
  }
}

}  // namespace rdmastate
