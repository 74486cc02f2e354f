// SPDX-License-Identifier: Apache-2.0
// A diagnosis for programs: JSON, the cases of a test report, metrics.
#include "cli/doctor_forms.hpp"

#include <fmt/format.h>

#include <map>

#include "base/fields_json.hpp"

namespace rdmastate {
namespace {

Level level_of(doctor::Severity severity) {
  if (severity == doctor::Severity::error) return Level::error;
  return severity == doctor::Severity::warning ? Level::warning : Level::note;
}

Case case_of(const doctor::Check& check, const doctor::Diagnosis& diagnosis) {
  Case one{"doctor", std::string(check.id), CaseResult::passed, {}};
  const auto say = [&](Level level, const std::string& about, const std::string& message, const std::string& details) {
    one.findings.push_back({level, std::string(check.id), {}, {}, about, message, details});
  };
  for (const auto& finding : diagnosis.findings) {
    if (finding.id != check.id) continue;
    say(level_of(finding.severity), finding.subject.name, finding.symptom,
        "cause: " + finding.cause + "\nfix: " + finding.fix);
    if (finding.severity == doctor::Severity::error) one.result = CaseResult::failed;
  }
  const bool found = !one.findings.empty();
  for (const auto& unlooked : diagnosis.unlooked)
    if (unlooked.id == check.id) say(Level::note, unlooked.where, "unseen: " + unlooked.reason, "");
  if (!found && !one.findings.empty()) one.result = CaseResult::skipped;
  return one;
}

// The case of a check that did not look: skipped, with the reason.
Case idle_case(const doctor::Check& check) {
  const std::string why(doctor::why_it_did_not_look(check.looks));
  return {"doctor",
          std::string(check.id),
          CaseResult::skipped,
          {{Level::note, std::string(check.id), {}, {}, {}, why, {}}}};
}

// Escapes a label's value as Prometheus's text format asks.
std::string label(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '"') safe += '\\';
    safe += c;
  }
  return safe;
}

// The lines that stand before the values of a metric.
std::string metric(std::string_view name, std::string_view help) {
  return fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, help, name);
}

}  // namespace

Json diagnosis_json(const doctor::Diagnosis& diagnosis, const Facts& facts) {
  Json json{{"format_version", 1}, {"host", facts.host}, {"findings", Json::array()}, {"unseen", Json::array()}};
  for (const auto& finding : diagnosis.findings) json["findings"].push_back(to_json_of(finding));
  for (const auto& one : diagnosis.unlooked) json["unseen"].push_back(to_json_of(one));
  for (const auto& [severity, name] : Names<doctor::Severity>::table)
    json["counts"][std::string(name)] = diagnosis.count(severity);
  json["checks"] = diagnosis.looked.size();
  json["counters"] = Json::object_of(diagnosis.counters);
  return json;
}

Json environment_json(const doctor::Environment& environment) {
  Json json{{"format_version", 1}, {"variables", Json::array()}, {"remarks", Json::array_of(environment.remarks)}};
  for (const auto& one : environment.variables) json["variables"].push_back(to_json_of(one));
  return json;
}

std::vector<Case> cases_of(const doctor::Diagnosis& diagnosis) {
  std::vector<Case> cases;
  for (const doctor::Check* check : doctor::all_checks())
    cases.push_back(diagnosis.looked.contains(check->id) ? case_of(*check, diagnosis) : idle_case(*check));
  return cases;
}

std::string diagnosis_metrics(const doctor::Diagnosis& diagnosis) {
  std::string text = metric("rdmastate_doctor_findings", "Findings of rdmastate doctor by severity.");
  for (const auto& [severity, name] : Names<doctor::Severity>::table)
    text += fmt::format("rdmastate_doctor_findings{{severity=\"{}\"}} {}\n", name, diagnosis.count(severity));
  text += metric("rdmastate_doctor_unseen", "Inputs of rdmastate doctor that could not be seen.");
  text += fmt::format("rdmastate_doctor_unseen {}\n", diagnosis.unlooked.size());
  std::map<std::string, std::size_t> counts;  // labels must be unique; a check may say two things of one subject
  for (const auto& one : diagnosis.findings)
    ++counts[fmt::format("id=\"{}\",severity=\"{}\",about=\"{}\",subject=\"{}\"", one.id, to_text(one.severity),
                         to_text(one.subject.about), label(one.subject.name))];
  if (!counts.empty()) text += metric("rdmastate_doctor_finding", "One finding of rdmastate doctor.");
  for (const auto& [labels, count] : counts) text += fmt::format("rdmastate_doctor_finding{{{}}} {}\n", labels, count);
  return text;
}

}  // namespace rdmastate
