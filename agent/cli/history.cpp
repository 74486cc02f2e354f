// SPDX-License-Identifier: Apache-2.0
#include "cli/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "apply/confirm.hpp"
#include "base/lines.hpp"
#include "base/report.hpp"
#include "base/sha256.hpp"
#include "plan/print_items.hpp"
#include "plan/print_marks.hpp"
#include "plan/print_moved.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/kind.hpp"

namespace rdmastate {
namespace {

std::string_view end_word(const RunRecord& run) {
  if (!run.trouble.empty()) return "damaged";
  switch (run.end) {
    case RunEnd::unfinished:
    case RunEnd::half_back:
      return "unfinished";
    case RunEnd::finished:
      return "finished";
    case RunEnd::awaiting:
      return "awaits confirmation";
    case RunEnd::confirmed:
      return "confirmed";
    case RunEnd::undone:
      return "undone";
    case RunEnd::rolled_back:
      return "rolled back";
  }
  return "";
}

std::string begun_text(const RunRecord& run) { return run.begun == 0 ? "-" : utc_text(run.begun); }
std::string spec_text(const RunRecord& run) { return run.spec.empty() ? "-" : printable(run.spec); }

// Fields that hold a file's bytes, or a line of one: a keyfile's secret or a group's password may be among them.
bool holds_bytes(const Kind& kind, std::string_view path) {
  const std::string_view name = path.substr(0, path.find('.'));
  return kind.durable && (name == "content" || name == "line" || name == "xattrs" || name == "value");
}

// The file's bytes: Text<Bytes> prints those that are no text as "hex:" and two digits per byte.
std::string bytes_of(const std::string& value) {
  Bytes bytes;
  const bool is_read = !Text<Bytes>::read(Scalar{value, true}, bytes);
  return is_read ? bytes.value : value;
}

// A field's value as history tells it: of bytes only how many, and the beginning of their digest.
std::string value_text(const Kind& kind, const std::string& path, const std::string& value) {
  constexpr std::size_t digits = 12;
  if (!holds_bytes(kind, path)) return printable(value);
  const std::string bytes = bytes_of(value);
  return fmt::format("{} bytes (SHA-256 {})", bytes.size(), sha256_hex(bytes).substr(0, digits));
}

std::string_view verb(const RunStep& step) { return step.kind->verbs.of(pointer(step.from), pointer(step.to)); }

// A field that a step changed, with its values as value_text() tells them; nullopt: it had, or has, none.
struct Change {
  std::string field;
  std::optional<std::string> from;
  std::optional<std::string> to;
};

// Every field that the step changed; of a resource that it made or removed, all fields. diff() knows no removal: a
// removed resource is compared as if it were made, and its values then stand in `from` instead of `to`.
std::vector<Change> changes_of(const RunStep& step) {
  const bool removes = !step.to;
  std::vector<Change> changes;
  if (removes && !step.from) return changes;
  const void* from = removes || !step.from ? nullptr : step.from->raw();
  for (const auto& one : diff(step.kind->record(), from, removes ? step.from->raw() : step.to->raw())) {
    Change change{one.path, std::nullopt, std::nullopt};
    if (one.from) change.from = value_text(*step.kind, one.path, *one.from);
    if (one.to) (removes ? change.from : change.to) = value_text(*step.kind, one.path, *one.to);
    changes.push_back(std::move(change));
  }
  return changes;
}

// A change as a plan's column. Of a resource that was made or removed it has the one value that there was.
Column column_of(const RunStep& step, const Change& change) {
  if (!step.from) return {change.field, change.to.value_or("unset"), "absent"};
  if (!step.to) return {change.field, change.from.value_or("unset"), "absent"};
  return {change.field, change.to.value_or("unset"), change.from.value_or("unset")};
}

// Whether the title says it already: a field of what was made or removed that stands in its key. A bare number may be
// of another field.
bool is_in_key(const RunStep& step, const Change& change) {
  const auto& value = change.to ? change.to : change.from;
  const bool is_number = value && value->find_first_not_of("0123456789") == std::string::npos;
  return (!step.from || !step.to) && value && !is_number && has_word(step.key, *value);
}

// The step as the plan showed it, secrets hidden; field by field where the kind has no `lines`.
ItemText text_of(const RunStep& step) {
  ItemText text;
  text.is_past = true;
  text.mark = mark_of_step(pointer(step.from), pointer(step.to));
  text.what = fmt::format("{} {}", verb(step), step.kind->name);
  text.title = without_kind(title(step), *step.kind);
  if (step.kind->lines == nullptr)
    for (const auto& change : changes_of(step))
      if (!is_in_key(step, change)) text.columns.push_back(column_of(step, change));
  text.body = moved_lines(*step.kind, step.key, pointer(step.from), pointer(step.to));
  text.is_whole = !step.from || !step.to;
  return text;
}

// Those of the steps that `is_meant`, one below the other, and those that are alike as one. Empty: there are none.
template <class IsMeant>
std::string steps_text(std::span<const RunStep> steps, std::string_view heading, IsMeant is_meant) {
  std::vector<ItemText> texts;
  for (const auto& step : steps)
    if (is_meant(step)) texts.push_back(text_of(step));
  return texts.empty() ? "" : std::string(heading) + items_text(texts, Paint(false), PlanForm::whole);
}

bool is_of_ledger(const RunStep& step) {
  return step.key == common_layout().ledger || step.key == common_layout().applied;
}

Json text_or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json step_json(const RunStep& step) {
  Json json{{"verb", verb(step)},
            {"kind", step.kind->name},
            {"key", printable(step.key)},
            {"title", title(step)},
            {"changes", Json::array()}};
  for (const auto& change : changes_of(step))
    json["changes"].push_back(
        {{"field", change.field}, {"from", text_or_null(change.from)}, {"to", text_or_null(change.to)}});
  return json;
}

Json head_json(const RunRecord& run) {
  Json json{{"run", run.id},
            {"begun", begun_text(run)},
            {"spec", spec_text(run)},
            {"steps", run.count_told()},
            {"end", end_word(run)}};
  if (run.deadline) json["confirm_until"] = utc_text(run.deadline->until);
  if (!run.trouble.empty()) json["trouble"] = printable(run.trouble);
  return json;
}

}  // namespace

std::string end_text(const RunRecord& run) {
  std::string text(end_word(run));
  if (!run.trouble.empty()) text += ": " + printable(run.trouble);
  if (run.end == RunEnd::awaiting && run.deadline) text += " until " + utc_text(run.deadline->until);
  return text;
}

std::string runs_text(const std::vector<RunRecord>& runs) {
  if (runs.empty()) return "There was no run yet.\n";
  std::size_t widest = 4;
  for (const auto& run : runs) widest = std::max(widest, spec_text(run).size());
  std::string text = fmt::format("{:<6}  {:<23}  {:<{}}  {:>5}  end\n", "run", "begun", "spec", widest, "steps");
  for (const auto& run : runs)
    text += fmt::format("{:<6}  {:<23}  {:<{}}  {:>5}  {}\n", run.id, begun_text(run), spec_text(run), widest,
                        run.count_told(), end_text(run));
  return text;
}

Json runs_json(const std::vector<RunRecord>& runs) {
  Json json{{"format_version", 1}, {"runs", Json::array()}};
  for (const auto& run : runs) json["runs"].push_back(head_json(run));
  return json;
}

std::string run_text(const RunRecord& run) {
  std::string text =
      fmt::format("Run {} of spec {}, begun {}: {}\n", run.id, spec_text(run), begun_text(run), end_text(run));
  const std::span all(run.steps);
  const auto ours = all.first(all.size() - run.rehearsed);
  text += steps_text(ours, "", is_told);
  text += steps_text(ours, "Kept by rdmastate for itself, no steps of the plan:\n", is_of_ledger);
  text += steps_text(all.last(run.rehearsed), "Taken as done by their owners, which were not asked:\n", is_told);
  return text + count_of_steps(run.count_told()) + ".\n";
}

Json run_json(const RunRecord& run) {
  Json json{{"format_version", 1}};
  json.update(head_json(run));
  if (run.rehearsed > 0) json["rehearsed"] = run.rehearsed;
  json["steps"] = Json::array();
  for (const auto& step : run.steps)
    if (is_told(step)) json["steps"].push_back(step_json(step));
  return json;
}

Json run_outcome_json(const Outcome& outcome) {
  const bool is_dirty = outcome.code == ExitCode::failed_dirty;  // `moved` does not count the steps of a failed apply
  Json json{{"format_version", 1},
            {"exit_code", static_cast<int>(outcome.code)},
            {"changed", outcome.moved > 0 || outcome.confirmed || is_dirty},
            {"moved", outcome.moved},
            {"run", outcome.run},
            {"message", printable(outcome.message)}};
  if (outcome.busy) json["busy"] = to_text(*outcome.busy);
  return json;
}

}  // namespace rdmastate
