// SPDX-License-Identifier: Apache-2.0
// A plan as text for people.
#include <fmt/format.h>

#include "plan/print.hpp"
#include "plan/verdict.hpp"

namespace rdmastate {
namespace {

std::string_view verb(const Item& item) {
  const Verbs& verbs = item.kind->verbs;
  if (!item.gap.move->to) return verbs.remove;
  return item.gap.move->from ? verbs.change : verbs.create;
}

std::string sign(const Item& item, const Paint& paint) {
  if (!item.has_step()) return paint.yellow("!");
  if (!item.gap.move->to) return paint.red("-");
  return item.gap.move->from ? paint.yellow("~") : paint.green("+");
}

std::string columns_text(const Item& item, const Paint& paint) {
  if (item.columns.empty()) return {};
  std::size_t field = 5;
  std::size_t spec = 4;
  std::size_t live = 4;
  for (const auto& column : item.columns) {
    field = std::max(field, column.field.size());
    spec = std::max(spec, column.spec.size() + (column.is_default ? 10 : 0));
    live = std::max(live, printable(column.live).size());
  }
  std::string text =
      paint.dim(fmt::format("      {:<{}}  {:<{}}  {:<{}}  next boot", "", field, "spec", spec, "live", live)) + "\n";
  for (const auto& column : item.columns) {
    const std::string wanted = column.spec + (column.is_default ? " (default)" : "");
    text +=
        fmt::format("      {:<{}}  {}  {}  {}\n", column.field, field, paint.green(fmt::format("{:<{}}", wanted, spec)),
                    paint.red(fmt::format("{:<{}}", printable(column.live), live)), to_text(column.next_boot));
  }
  return text;
}

std::string painted_lines(std::string_view diff, const Paint& paint) {
  std::string text;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string line = printable(diff.substr(at, end - at));
    at = end + 1;
    const char first = line.empty() ? ' ' : line[0];
    text += "      " +
            (first == '+'   ? paint.green(line)
             : first == '-' ? paint.red(line)
             : first == '@' ? paint.cyan(line)
                            : line) +
            "\n";
  }
  return text;
}

std::string moved_text(const Item& item, const Paint& paint) {
  if (item.kind->lines == nullptr) return {};
  const auto& move = *item.gap.move;
  return painted_lines(item.kind->lines(move.from ? &*move.from : nullptr, move.to ? &*move.to : nullptr), paint);
}

std::string cause_text(const Item& item) {
  switch (item.cause) {
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

std::string note(std::string_view label, std::string_view text, const Paint& paint) {
  return text.empty() ? std::string() : "      " + paint.yellow(label) + printable(text) + "\n";
}

std::string reasons_text(const Item& item, const Paint& paint) {
  return note("pending: ", item.gap.pending.sentence, paint) + note("blocked: ", item.gap.blocked, paint) +
         note("after ", item.gap.after, paint) + note("unseen: ", item.gap.unseen, paint) +
         note("warning: ", item.warning, paint);
}

std::string item_text(const Item& item, const Paint& paint) {
  std::string head = item.has_step() ? step_line(item) : item.title();
  std::string text = fmt::format("  {} {}", sign(item, paint), paint.bold(printable(head)));
  if (item.has_step() && item.disruption != Disruption::none)
    text += paint.red(fmt::format("  [disrupts: {}]", to_text(item.disruption)));
  text += "\n" + note("", cause_text(item), paint);
  text += columns_text(item, paint);
  if (item.has_step()) text += moved_text(item, paint);
  if (!item.touches.empty()) text += note("also disturbed: ", fmt::format("{}", fmt::join(item.touches, ", ")), paint);
  return text + reasons_text(item, paint);
}

// Where it stands.
std::string refused_text(const Plan& plan, std::size_t item, const Paint& paint) {
  std::string text;
  for (const auto& one : plan.refusals)
    if (one.item == item) text += "      " + paint.red("refused: ") + printable(one.sentence) + "\n";
  return text;
}

std::string difference_of(const Item& item) {
  if (item.has_step() && !item.gap.move->to) return "is there, and shall not be";
  if (item.has_step()) return item.gap.move->from ? "differs" : "is not there";
  if (!item.gap.blocked.empty()) return "cannot be so";
  if (!item.gap.unseen.empty()) return "was not seen";
  if (!item.gap.after.empty()) return "cannot be judged yet";
  return item.gap.pending.empty() ? "is so" : "is not so yet";
}

// Where a file's bytes differ: the plan has them line by line.
std::string difference_text(const Item& item, const Paint& paint) {
  std::string text = fmt::format("  {} {}\n", paint.bold(printable(item.title())), difference_of(item));
  return text + note("", cause_text(item), paint) + columns_text(item, paint) + reasons_text(item, paint);
}

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

std::string plural(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  return on_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string step_line(const Item& item) { return fmt::format("{} {}", verb(item), item.title()); }

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

std::string count_line(const Plan& plan) {
  const auto waiting = static_cast<std::size_t>(
      std::count_if(plan.items.begin(), plan.items.end(), [](const Item& i) { return !i.gap.after.empty(); }));
  std::string text = plural(plan.steps.size(), "step");
  if (waiting != 0) text += fmt::format(", {} after them", waiting);
  if (plan.count_taken_as_they_are() != 0) text += fmt::format(", {} taken over", plan.count_taken_as_they_are());
  if (plan.count_pending() != 0) text += fmt::format(", {} pending", plan.count_pending());
  if (plan.count_blocked() != 0) text += fmt::format(", {} blocked", plan.count_blocked());
  if (plan.count_unseen() != 0) text += fmt::format(", {} unseen", plan.count_unseen());
  if (!plan.refusals.empty()) text += fmt::format(", {} refused", plan.refusals.size());
  return text;
}

std::string verify_text(const Plan& plan, bool allow_pending, const Paint& paint) {
  std::string text;
  for (const auto& item : plan.items)
    if (item.has_step() || item.is_told()) text += difference_text(item, paint);
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

std::string plan_text(const Plan& plan, const Paint& paint) {
  const std::string much = much_goes_line(plan);
  std::string text =
      (much.empty() ? "" : paint.yellow(much) + "\n") +
      fmt::format("Plan for {}{}, back end {}{}\n", printable(plan.facts.host),
                  plan.facts.pretty_name.empty() ? "" : " (" + printable(plan.facts.pretty_name) + ")", plan.backend,
                  plan.backend_reason.empty() ? "" : ": " + printable(plan.backend_reason));
  for (const std::size_t step : plan.steps)
    text += item_text(plan.items[step], paint) + refused_text(plan, step, paint);
  for (std::size_t i = 0; i < plan.items.size(); ++i)
    if (const Item& item = plan.items[i]; !item.has_step() && (item.is_told() || plan.is_refused(i)))
      text += item_text(item, paint) + refused_text(plan, i, paint);
  text += unseen_text(plan, paint);
  for (const auto& one : plan.refusals)
    if (!one.item) text += paint.red("  refused: ") + printable(one.sentence) + "\n";
  const bool warned =
      std::any_of(plan.items.begin(), plan.items.end(), [](const Item& item) { return !item.warning.empty(); });
  const bool nothing = plan.is_empty() && plan.refusals.empty() && !warned &&
                       plan.count_pending() + plan.count_blocked() + plan.count_unseen() == 0 &&
                       plan.count_taken_as_they_are() == 0 && !plan.has_more_rounds();
  return text + (nothing ? paint.green("Nothing to do: the host is as the spec says.") : count_line(plan) + ".") + "\n";
}

}  // namespace rdmastate
