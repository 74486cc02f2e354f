// SPDX-License-Identifier: Apache-2.0
// Two sources of cases: the reports of `check` (a case per file, finding_of()), and a plan (a case per item, unseen
// file and refusal, made by Judge).
#include "cli/pipeline_cases.hpp"

#include <fmt/format.h>

#include "base/path.hpp"
#include "plan/print.hpp"
#include "platform/layout.hpp"
#include "yaml/node.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view whole_spec = "spec";

struct KnownPath {
  std::string path;                  // as far as fields are known
  const FieldInfo* field = nullptr;  // the last of them
};

enum class Keys { given, left_out };  // of a path: with the indices of lists and keys of maps, or without

// Removes the index or key from the front of the path, where one stands there.
void skip_key(std::string_view& path, Shape shape) {
  std::string_view rest = path;
  const auto step = next_step(rest);
  if (step && (shape == Shape::map || step->index)) path = rest;
}

// The fields of a path, without indices of lists and keys of maps: a rule is about a field, not about one object that
// has it.
KnownPath known_part_of(std::string_view path, Keys keys) {
  KnownPath known;
  const Record* record = &record_of<Spec>();
  while (record != nullptr) {
    const auto step = next_step(path);
    if (!step || step->index) return known;
    const FieldInfo* field = record->find(step->key);
    if (field == nullptr) return known;
    append_key(known.path, field->name);
    known.field = field;
    const ValueType* type = field->type;
    for (; type->element != nullptr; type = type->element)
      if (keys == Keys::given) skip_key(path, type->shape);
    record = type->shape == Shape::record ? &type->record() : nullptr;
  }
  return known;
}

Finding finding_of(const Report& report, const Diagnostic& one) {
  Finding finding;
  finding.level = one.complaint.severity == Severity::error ? Level::error : Level::warning;
  finding.rule = rule_of(one.path);
  if (one.place.source < report.sources().size()) finding.file = report.sources()[one.place.source].name;
  finding.place = one.place;
  finding.about = one.path;
  finding.message = one.complaint.message;
  if (!one.complaint.expected.empty()) finding.details = "expected: " + one.complaint.expected;
  if (!one.complaint.hint.empty())
    finding.details += (finding.details.empty() ? "" : "\n") + ("hint: " + one.complaint.hint);
  return finding;
}

Finding more_follow(const std::string& path) {
  return {Level::note, std::string(whole_spec), path, {}, {}, "there is more: only the first were told", {}};
}

// Makes cases of the items, the unseen files and the refusals of a plan.
class Judge {
 public:
  Judge(const SpecFile* spec, Judging judging) : spec_(spec), judging_(judging) {}

  Case item(const Item& item) const {
    Case one{std::string(item.kind->name), item.key, CaseResult::passed, {}};  // the same name in every report
    const auto add_finding = [&](Level level, const std::string& text, const std::string& details = {}) {
      if (text.empty()) return;
      one.findings.push_back(finding_with_place(item, level));
      one.findings.back().message = text;
      one.findings.back().details = details;
    };
    add_finding(Level::error, item.gap.blocked);
    add_finding(Level::error, item.gap.unseen);
    if (item.has_step()) {
      add_finding(level_of_difference(), step_line(item), columns(item));
      one.findings.back().about.clear();  // step_line() names it
    }
    if (!item.gap.after.empty()) add_finding(level_of_difference(), "can only be planned after " + item.gap.after);
    add_finding(level_of_pending(), item.gap.pending.sentence, item.has_step() ? "" : columns(item));
    if (item.gap.blocked.empty()) add_finding(judging_ == Judging::plan ? Level::warning : Level::error, item.warning);
    one.result = result_of(one, item);
    return one;
  }

  Case unseen_file(const std::string& path) const {
    return {"file",
            path,
            CaseResult::failed,
            {sentence(Level::error, "file", path, "this user may not read it: run as root")}};
  }

  // A refusal keeps `apply` from working; whether the host is as the spec says does not depend on it.
  Case refusal(const std::string& text) const {
    const bool fails = judging_ == Judging::plan;
    return {"policy",
            text,
            fails ? CaseResult::failed : CaseResult::passed,
            {sentence(fails ? Level::error : Level::warning, "policy", "refused", text)}};
  }

 private:
  Level level_of_difference() const { return judging_ == Judging::plan ? Level::note : Level::error; }
  Level level_of_pending() const { return judging_ == Judging::verify ? Level::error : Level::note; }

  CaseResult result_of(const Case& one, const Item& item) const {
    const bool failed = std::any_of(one.findings.begin(), one.findings.end(),
                                    [](const Finding& finding) { return finding.level == Level::error; });
    if (failed) return CaseResult::failed;
    return item.waived || (!item.gap.pending.empty() && !item.has_step()) ? CaseResult::skipped : CaseResult::passed;
  }

  std::string file(std::uint32_t source) const {
    return spec_ == nullptr ? std::string(common_layout().boot_file) : spec_->report.sources()[source].name;
  }

  Finding sentence(Level level, std::string rule, std::string about, std::string message) const {
    return {level, std::move(rule), file(0), {}, std::move(about), std::move(message), {}};
  }

  Finding finding_with_place(const Item& item, Level level) const {
    const std::string& about = item.title().empty() ? item.key : item.title();
    Finding finding = sentence(level, std::string(item.kind->name), about, "");
    if (spec_ == nullptr || item.asked.path.empty()) return finding;
    finding.place = yaml::place_of(spec_->loaded->root, item.asked.path);
    finding.file = file(finding.place.source);
    return finding;
  }

  static std::string columns(const Item& item) {
    std::string text;
    for (const auto& column : item.columns)
      text += fmt::format("{}{}: spec {}{}, live {}, next boot {}", text.empty() ? "" : "\n", column.field, column.spec,
                          column.is_default ? " (default)" : "", column.live, to_text(column.next_boot));
    return text;
  }

  const SpecFile* spec_;
  Judging judging_;
};

}  // namespace

std::string rule_of(std::string_view path) {
  std::string rule = known_part_of(path, Keys::given).path;
  return rule.empty() ? std::string(whole_spec) : rule;
}

std::string rule_text(const std::string& rule) {
  const KnownPath known = known_part_of(rule, Keys::left_out);
  return known.field == nullptr ? "The spec as a whole: its bytes, its YAML, the keys of its top."
                                : std::string(known.field->doc);
}

std::vector<Case> cases_of(std::span<const Checked> files, bool strict) {
  std::vector<Case> cases;
  for (const auto& file : files) {
    Case one{std::string(whole_spec), file.path, CaseResult::passed, {}};
    for (const auto& diagnostic : file.report.diagnostics())
      one.findings.push_back(finding_of(file.report, diagnostic));
    if (file.report.failed() || (strict && !one.findings.empty())) one.result = CaseResult::failed;
    if (file.report.has_more()) one.findings.push_back(more_follow(file.path));
    cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<Case> cases_of(const Plan& plan, const SpecFile* spec, Judging judging) {
  const Judge judge(spec, judging);
  std::vector<Case> cases;
  for (const auto& item : plan.items) cases.push_back(judge.item(item));
  for (const auto& path : plan.facts.unseen) cases.push_back(judge.unseen_file(path));
  for (const auto& refusal : plan.refusals) cases.push_back(judge.refusal(refusal.sentence));
  return cases;
}

}  // namespace rdmastate
