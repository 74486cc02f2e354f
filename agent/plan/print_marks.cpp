// SPDX-License-Identifier: Apache-2.0
#include "plan/print_marks.hpp"

#include <fmt/format.h>

namespace rdmastate {
namespace {

struct Mark {
  char sign;
  std::string_view means;
};

constexpr char creates = '+';
constexpr char changes = '~';
constexpr char removes = '-';
constexpr char waits = '>';
constexpr char comes_along = '&';
constexpr char is_pending = '*';
constexpr char is_blocked = 'x';
constexpr char is_refused = '#';
constexpr char is_unseen = '?';
constexpr char warns = '!';
constexpr char stays = '=';

// In the order of the legend.
constexpr Mark marks[] = {{creates, "create"},
                          {changes, "change"},
                          {removes, "remove"},
                          {waits, "after a step of this plan"},
                          {comes_along, "comes with a step of this plan"},
                          {is_pending, "pending: no step of this plan does it"},
                          {is_blocked, "blocked: this host cannot have it"},
                          {is_refused, "refused: apply changes nothing"},
                          {is_unseen, "unseen: this user may not read it"},
                          {warns, "warning"},
                          {stays, "stays as it is"}};

}  // namespace

char mark_of_step(const State* from, const State* to) {
  if (to == nullptr) return removes;
  return from != nullptr ? changes : creates;
}

char mark_of(const Plan& plan, std::size_t i) {
  const Item& item = plan.items[i];
  if (plan.is_refused(i)) return is_refused;
  if (item.has_step()) return mark_of_step(pointer(item.gap.move->from), pointer(item.gap.move->to));
  if (!item.gap.blocked.empty()) return is_blocked;
  if (!item.gap.unseen.empty()) return is_unseen;
  if (!item.gap.after.empty()) return item.gap.comes_along ? comes_along : waits;
  if (!item.gap.pending.empty()) return is_pending;
  return item.warning.empty() ? stays : warns;
}

std::string painted_mark(char mark, const Paint& paint) {
  const std::string text(1, mark);
  if (mark == creates) return paint.green(text);
  return mark == removes || mark == is_refused || mark == is_blocked ? paint.red(text) : paint.yellow(text);
}

std::string legend_of(const Plan& plan, const std::vector<std::size_t>& items) {
  std::string shown_marks;
  for (const std::size_t i : items) shown_marks += mark_of(plan, i);
  for (const auto& one : plan.refusals)
    if (!one.item) shown_marks += is_refused;
  if (!plan.facts.unseen.empty()) shown_marks += is_unseen;
  std::string text;
  for (const auto& [sign, means] : marks)
    if (shown_marks.find(sign) != std::string::npos) text += fmt::format("   {} {}", sign, means);
  return text.empty() ? text : "Marks:" + text;
}

}  // namespace rdmastate
