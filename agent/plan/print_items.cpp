// SPDX-License-Identifier: Apache-2.0
#include "plan/print_items.hpp"

#include <fmt/format.h>

#include "plan/print_marks.hpp"
#include "plan/print_moved.hpp"
#include "resources/step.hpp"

namespace rdmastate {
namespace {

std::string_view verb(const Item& item) {
  return item.kind->verbs.of(pointer(item.gap.move->from), pointer(item.gap.move->to));
}

std::string_view cause_text(Cause cause) {
  switch (cause) {
    case Cause::wanted:
      return {};
    case Cause::forgotten:
      return "rdmastate made it and the spec no longer names it";
    case Cause::released:
      return "released: the spec no longer names it; it keeps its value and is no longer kept at boot";
    case Cause::goes_with:
      return "it goes with what is removed, and comes back if that is undone";
    case Cause::adopted:
      return "a foreign file for what this spec names: taken over (--adopt), kept in the run";
    case Cause::taken_up:
      return "it carries rdmastate's mark and no ledger is there to have it: taken up again";
    case Cause::purged:
      return "rdmastate did not make it and the spec does not name it: purged";
  }
  return {};
}

// How the host differs: `verify` prints this behind the title.
std::string_view difference_of(const Item& item) {
  if (item.is_removal()) return " exists, but must not";
  if (item.has_step()) return item.gap.move->from ? " differs" : " is not there";
  if (!item.gap.blocked.empty()) return " cannot match";
  if (!item.gap.unseen.empty()) return " was not seen";
  if (!item.gap.after.empty()) return " cannot be judged yet";
  return item.gap.pending.empty() ? " matches" : " does not match yet";
}

std::string title_without_kind(const Item& item) { return printable(without_kind(item.title(), *item.kind)); }

void add_note(ItemText& text, std::string label, std::string_view sentence, bool is_bad = false) {
  if (!sentence.empty()) text.notes.push_back({std::move(label), printable(sentence), is_bad});
}

void add_touched(const Item& item, ItemText& text) {
  if (item.touches.empty()) return;
  ItemNote& note = text.notes.emplace_back(ItemNote{"also disturbed: ", {}});
  for (const auto& one : item.touches) note.names.push_back(printable(one));
}

void add_reasons(const Item& item, ItemText& text) {
  add_note(text, "pending: ", item.gap.pending.sentence);
  add_note(text, "blocked: ", item.gap.blocked, /*is_bad=*/true);
  add_note(text, item.gap.comes_along ? "comes with " : "after ", item.gap.after);
  add_note(text, "unseen: ", item.gap.unseen);
  add_note(text, "warning: ", item.warning);
}

// What the plan and `verify` both say.
ItemText text_without_reasons(const Plan& plan, std::size_t i) {
  const Item& item = plan.items[i];
  ItemText text;
  text.mark = mark_of(plan, i);
  text.what = std::string(item.kind->name);
  text.title = title_without_kind(item);
  text.cause = std::string(cause_text(item.cause));
  text.columns = item.columns;
  for (auto& column : text.columns) column.live = printable(column.live);
  return text;
}

void add_step(const Item& item, ItemText& text) {
  const auto& [from, to] = *item.gap.move;
  text.what = fmt::format("{} {}", verb(item), item.kind->name);
  text.disruption = item.disruption;
  text.body = moved_lines(*item.kind, item.key, pointer(from), pointer(to));
  text.is_whole = !from || !to;
}

}  // namespace

std::string without_kind(const std::string& title, const Kind& kind) {
  const std::string before = fmt::format("{} ", kind.name);
  return title.starts_with(before) ? title.substr(before.size()) : title;
}

bool share_line(const Item& a, const Item& b) { return a.kind == b.kind && verb(a) == verb(b); }

std::string steps_line(const std::vector<const Item*>& steps) {
  std::vector<ItemText> texts;
  for (const auto* step : steps) {
    ItemText& text = texts.emplace_back();
    text.what = fmt::format("{} {}", verb(*step), step->kind->name);
    text.title = title_without_kind(*step);
  }
  std::vector<const ItemText*> items;
  for (const auto& text : texts) items.push_back(&text);
  return head_line(items);
}

std::string step_line(const Item& item) { return fmt::format("{} {}", verb(item), item.title()); }

ItemText item_text(const Plan& plan, std::size_t i) {
  const Item& item = plan.items[i];
  ItemText text = text_without_reasons(plan, i);
  if (item.has_step()) add_step(item, text);
  add_touched(item, text);
  add_reasons(item, text);
  for (const auto& one : plan.refusals)
    if (one.item == i) add_note(text, "refused: ", one.sentence, /*is_bad=*/true);
  return text;
}

ItemText difference_text(const Plan& plan, std::size_t i) {
  ItemText text = text_without_reasons(plan, i);
  text.difference = std::string(difference_of(plan.items[i]));
  add_reasons(plan.items[i], text);
  return text;
}

}  // namespace rdmastate
