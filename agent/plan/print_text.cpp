// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/textdiff.hpp"
#include "plan/print.hpp"
#include "resources/entry.hpp"
#include "resources/file.hpp"
#include "resources/group.hpp"
#include "resources/initrd.hpp"
#include "resources/secrets.hpp"

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
    live = std::max(live, column.live.size());
  }
  std::string text =
      paint.dim(fmt::format("      {:<{}}  {:<{}}  {:<{}}  next boot", "", field, "spec", spec, "live", live)) + "\n";
  for (const auto& column : item.columns) {
    const std::string wanted = column.spec + (column.is_default ? " (default)" : "");
    text +=
        fmt::format("      {:<{}}  {}  {}  {}\n", column.field, field, paint.green(fmt::format("{:<{}}", wanted, spec)),
                    paint.red(fmt::format("{:<{}}", column.live, live)), to_text(column.next_boot));
  }
  return text;
}

std::string painted_diff(std::string_view diff, const Paint& paint) {
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

std::string bytes_of(const std::optional<State>& state) {
  if (!state || !file_of(*state).content) return {};
  return file_of(*state).content->value;
}

std::string link_text(const std::optional<State>& state) {
  return state && file_of(*state).type == FileType::symlink ? "-> " + bytes_of(state) + "\n" : bytes_of(state);
}

std::string file_text(const Item& item, const Paint& paint) {
  const auto& move = *item.gap.move;
  if (move.to && file_of(*move.to).type == FileType::directory) return {};
  std::string text;
  if (move.from && move.to)
    for (const auto& change : diff(item.kind->record(), move.from->raw(), move.to->raw()))
      if (change.path != "content")
        text += fmt::format("      {}: {} -> {}\n", change.path, change.from.value_or("unset"),
                            change.to.value_or("unset"));
  const std::string was = without_secrets(link_text(move.from));
  const std::string becomes = without_secrets(link_text(move.to));
  if (was == becomes && link_text(move.from) != link_text(move.to))
    return text + "      a secret in it changes, which is not shown\n";
  return text + painted_diff(unified_diff(was, becomes), paint);
}

std::string line_of(const std::optional<State>& state) {
  if (!state) return {};
  const auto& line = &state->kind() == &group_kind ? state->as<GroupState>().line : state->as<EntryState>().line;
  return line.value_or("") + "\n";
}

std::string entry_text(const Item& item, const Paint& paint) {
  return painted_diff(unified_diff(line_of(item.gap.move->from), line_of(item.gap.move->to)), paint);
}

// What the images hold of which file: its digests say nothing to a person.
std::string initrd_text(const Item& item, const Paint& paint) {
  const auto& from = item.gap.move->from->as<InitrdState>().holds;
  const auto& to = item.gap.move->to->as<InitrdState>().holds;
  std::string text;
  for (const auto& [what, digest] : from)
    if (!to.contains(what)) text += "      " + paint.red("-" + printable(what)) + "\n";
  for (const auto& [what, digest] : to)
    if (const auto old = from.find(what); old == from.end() || old->second != digest)
      text += "      " + paint.green("+" + printable(what)) + "\n";
  return text;
}

std::string moved_text(const Item& item, const Paint& paint) {
  if (!item.kind->durable) return {};
  if (item.kind == &initrd_kind) return initrd_text(item, paint);
  return item.kind->lives_in != nullptr ? entry_text(item, paint) : file_text(item, paint);
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
  }
  return {};
}

std::string note(std::string_view label, std::string_view text, const Paint& paint) {
  return text.empty() ? std::string() : "      " + paint.yellow(label) + printable(text) + "\n";
}

std::string item_text(const Item& item, const Paint& paint) {
  std::string head = item.has_step() ? step_line(item) : item.title();
  std::string text = fmt::format("  {} {}", sign(item, paint), paint.bold(printable(head)));
  if (item.has_step() && item.gap.move->disruption != Disruption::none)
    text += paint.red(fmt::format("  [disrupts: {}]", to_text(item.gap.move->disruption)));
  text += "\n" + note("", cause_text(item), paint);
  text += columns_text(item, paint);
  if (item.has_step()) text += moved_text(item, paint);
  if (!item.touches.empty()) text += note("also disturbed: ", fmt::format("{}", fmt::join(item.touches, ", ")), paint);
  text += note("pending: ", item.gap.pending, paint);
  text += note("blocked: ", item.gap.blocked, paint);
  text += note("after ", item.gap.after, paint);
  text += note("unseen: ", item.gap.unseen, paint);
  text += note("warning: ", item.warning, paint);
  return text;
}

bool is_shown(const Item& item) {
  return !item.gap.in_sync() || !item.warning.empty() || item.cause == Cause::released;
}

std::string unseen_line(std::string_view path) {
  return fmt::format("unseen: {} may configure an interface of this spec, and this user may not read it: run as root",
                     path);
}

std::string plural(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  return on_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string step_line(const Item& item) { return fmt::format("{} {}", verb(item), item.title()); }

std::string count_line(const Plan& plan) {
  const auto waiting = static_cast<std::size_t>(
      std::count_if(plan.items.begin(), plan.items.end(), [](const Item& i) { return !i.gap.after.empty(); }));
  std::string text = plural(plan.steps.size(), "step");
  if (waiting != 0) text += fmt::format(", {} after them", waiting);
  if (plan.count_pending() != 0) text += fmt::format(", {} pending", plan.count_pending());
  if (plan.count_blocked() != 0) text += fmt::format(", {} blocked", plan.count_blocked());
  if (plan.count_unseen() != 0) text += fmt::format(", {} unseen", plan.count_unseen());
  return text;
}

std::string plan_text(const Plan& plan, const Paint& paint) {
  std::string text =
      fmt::format("Plan for {}{}, back end {}{}\n", plan.facts.host,
                  plan.facts.pretty_name.empty() ? "" : " (" + printable(plan.facts.pretty_name) + ")", plan.backend,
                  plan.backend_reason.empty() ? "" : ": " + printable(plan.backend_reason));
  for (const std::size_t step : plan.steps) text += item_text(plan.items[step], paint);
  for (const auto& item : plan.items)
    if (!item.has_step() && is_shown(item)) text += item_text(item, paint);
  for (const auto& path : plan.facts.unseen)
    text += fmt::format("  {} {}\n", paint.yellow("?"), printable(unseen_line(path)));
  for (const auto& refusal : plan.refusals) text += paint.red("  refused: ") + printable(refusal) + "\n";
  const bool nothing = plan.is_empty() && plan.refusals.empty() &&
                       plan.count_pending() + plan.count_blocked() + plan.count_unseen() == 0 &&
                       !plan.has_more_rounds();
  return text + (nothing ? paint.green("Nothing to do: the host is as the spec says.") : count_line(plan) + ".") + "\n";
}

}  // namespace rdmastate
