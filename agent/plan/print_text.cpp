// SPDX-License-Identifier: Apache-2.0
// Prints a plan as text for people: plan_text() for `plan` and `apply`, verify_text() for `verify`, left_text() for
// what an apply leaves. The items' own texts come from print_items.cpp and print_groups.cpp.
#include <fmt/format.h>

#include "plan/print.hpp"
#include "plan/print_items.hpp"
#include "plan/print_marks.hpp"
#include "plan/verdict.hpp"

namespace rdmastate {
namespace {

using Indices = std::vector<std::size_t>;

std::string counts_text(const Verdict& verdict) {
  std::string text;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(verdict.steps, verdict.steps == 1 ? "differs" : "differ");
  add(verdict.waiting, "cannot be judged yet");
  add(verdict.pending, "pending");
  add(verdict.blocked, "blocked");
  add(verdict.unseen, "unseen");
  return text;
}

std::string unseen_text(const Plan& plan, const Paint& paint) {
  std::string text;
  for (const auto& line : unseen_lines(plan)) text += fmt::format("  {} {}\n", paint.yellow("?"), printable(line));
  return text;
}

std::string head_text(const Plan& plan, const Paint& paint) {
  const std::string much = much_goes_line(plan);
  return (much.empty() ? "" : paint.yellow(much) + "\n") +
         fmt::format("Plan for {}{}, back end {}{}\n", printable(plan.facts.host),
                     plan.facts.pretty_name.empty() ? "" : " (" + printable(plan.facts.pretty_name) + ")", plan.backend,
                     plan.backend_reason.empty() ? "" : ": " + printable(plan.backend_reason));
}

// What changes the running host: all but files, and of files those whose step takes something away.
bool is_felt(const Item& item) {
  return !item.kind->durable || item.kind->lines == nullptr || item.disruption != Disruption::none;
}

// The items without a step that a plan tells, those of one kind together, in the order in which kinds come first.
Indices without_steps(const Plan& plan) {
  Indices all;
  std::vector<const Kind*> kinds;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const Item& item = plan.items[i];
    if (item.has_step() || !(item.is_told() || plan.is_refused(i))) continue;
    all.push_back(i);
    kinds.push_back(item.kind);
  }
  const auto first_of = [&](std::size_t i) { return std::find(kinds.begin(), kinds.end(), plan.items[i].kind); };
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return first_of(a) < first_of(b); });
  return all;
}

// In the order of the text: what changes the network now, then files; in each part the steps in their order first.
std::pair<Indices, Indices> shown_items(const Plan& plan) {
  Indices shown = plan.steps;
  for (const std::size_t i : without_steps(plan)) shown.push_back(i);
  const auto files =
      std::stable_partition(shown.begin(), shown.end(), [&](std::size_t i) { return is_felt(plan.items[i]); });
  return {{shown.begin(), files}, {files, shown.end()}};
}

template <class TextOf>
std::vector<ItemText> texts_of(const Plan& plan, const Indices& items, TextOf text_of) {
  std::vector<ItemText> texts;
  for (const std::size_t i : items) texts.push_back(text_of(plan, i));
  return texts;
}

// Whether the plan has neither a step nor anything to say.
bool is_nothing(const Plan& plan) {
  const bool has_warning =
      std::any_of(plan.items.begin(), plan.items.end(), [](const Item& item) { return !item.warning.empty(); });
  return plan.is_empty() && plan.refusals.empty() && !has_warning &&
         plan.count_pending() + plan.count_blocked() + plan.count_unseen() == 0 &&
         plan.count_taken_as_they_are() == 0 && !plan.has_more_rounds();
}

}  // namespace

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  return on_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string much_goes_line(const Plan& plan) {
  const auto asks = [](const Item& item) { return !item.asked.path.empty() || item.cause == Cause::purged; };
  const auto goes = [](const Item& item) { return item.cause == Cause::forgotten && item.has_step(); };
  const auto is_made = [](const LedgerEntry& entry) { return entry.origin == Origin::made; };
  const auto made = std::count_if(plan.ledger.entries.begin(), plan.ledger.entries.end(), is_made);
  const auto gone = std::count_if(plan.items.begin(), plan.items.end(), goes);
  const bool is_empty = std::none_of(plan.items.begin(), plan.items.end(), asks);
  if (!is_empty && gone * 2 <= made) return {};
  std::string line = is_empty ? "The spec asks for nothing" : "The spec no longer names most of what rdmastate made";
  if (gone > 0) line += fmt::format(": {} of {} resources go", gone, made);
  return line + ".";
}

std::vector<std::string> unseen_lines(const Plan& plan) {
  std::vector<std::string> lines;
  for (const auto& path : plan.facts.unseen)
    lines.push_back(fmt::format(
        "unseen: {} may configure an interface of this spec, and this user may not read it: run as root", path));
  return lines;
}

std::string count_of_steps(std::size_t count) { return fmt::format("{} step{}", count, count == 1 ? "" : "s"); }

std::string count_line(const Plan& plan) {
  const std::size_t now = plan.steps.size();
  const std::size_t waiting = plan.count_waiting();
  std::string text = count_of_steps(now + waiting);
  if (waiting != 0) text += fmt::format(" ({} now, {} after them)", now, waiting);
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count != 0) text += fmt::format(", {} {}", count, what);
  };
  const std::size_t along = plan.count_coming_along();
  add(along, along == 1 ? "comes with them" : "come with them");
  add(plan.count_taken_as_they_are(), "taken over");
  add(plan.count_pending(), "pending");
  add(plan.count_blocked(), "blocked");
  add(plan.count_unseen(), "unseen");
  add(plan.refusals.size(), "refused");
  return text;
}

std::string left_text(const Plan& plan, const Paint& paint) {
  Indices left;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const Gap& gap = plan.items[i].gap;
    if (!gap.pending.empty() || !gap.blocked.empty() || !gap.unseen.empty()) left.push_back(i);
  }
  return items_text(texts_of(plan, left, item_text), paint, PlanForm::brief);
}

std::string verify_text(const Plan& plan, bool allow_pending, const Paint& paint) {
  Indices shown;
  for (std::size_t i = 0; i < plan.items.size(); ++i)
    if (plan.items[i].has_step() || plan.items[i].is_told()) shown.push_back(i);
  std::string text = items_text(texts_of(plan, shown, difference_text), paint, PlanForm::whole);
  text += unseen_text(plan, paint);
  for (const auto& one : plan.refusals) text += paint.red("  apply would refuse: ") + printable(one.sentence) + "\n";
  Verdict verdict = judge(plan);
  const std::string counts = counts_text(verdict);
  if (allow_pending) verdict.pending = 0;
  const std::string host = printable(plan.facts.host);
  if (!verdict.in_sync()) return text + paint.red(fmt::format("{} is not as the spec says: {}.", host, counts)) + "\n";
  const std::string but = counts.empty() ? ", now and for the next boot" : " but for " + counts;
  return text + paint.green(fmt::format("{} is as the spec says{}.", host, but)) + "\n";
}

std::string plan_text(const Plan& plan, const Paint& paint, PlanForm form) {
  std::string text = head_text(plan, paint);
  const auto [felt, files] = shown_items(plan);
  const bool both = !felt.empty() && !files.empty();
  if (both) text += paint.dim("Running host:") + "\n";
  text += items_text(texts_of(plan, felt, item_text), paint, form);
  if (both) text += paint.dim("Files:") + "\n";
  text += items_text(texts_of(plan, files, item_text), paint, form);
  text += unseen_text(plan, paint);
  for (const auto& one : plan.refusals)
    if (!one.item) text += paint.red("  # refused: ") + printable(one.sentence) + "\n";
  if (is_nothing(plan)) return text + paint.green("Nothing to do: the host is as the spec says.") + "\n";
  Indices all = felt;
  all.insert(all.end(), files.begin(), files.end());
  if (const std::string legend = legend_of(plan, all); !legend.empty()) text += paint.dim(legend) + "\n";
  return text + count_line(plan) + (plan.refusals.empty() ? "" : ", so apply changes nothing") + ".\n";
}

}  // namespace rdmastate
