// SPDX-License-Identifier: Apache-2.0
// What doctor prints for people: a diagnosis, a check explained; and the variables of --env, for a shell.
#include <fmt/format.h>

#include <map>

#include "cli/doctor_forms.hpp"

namespace rdmastate {
namespace {

std::string painted(doctor::Severity severity, const Paint& paint) {
  const std::string word = to_text(severity);
  if (severity == doctor::Severity::error) return paint.red(word);
  return severity == doctor::Severity::warning ? paint.yellow(word) : paint.cyan(word);
}

std::string finding_text(const doctor::Finding& finding, const Paint& paint) {
  const std::string subject = printable(finding.subject.name);
  std::string text = fmt::format("{}: {}{}{} [{}]\n", painted(finding.severity, paint), paint.bold(subject),
                                 subject.empty() ? "" : ": ", printable(finding.symptom), finding.id);
  text += "  cause: " + printable(finding.cause) + "\n  fix:   " + printable(finding.fix) + "\n";
  for (const auto& one : finding.evidence)
    text += paint.dim(fmt::format("  seen:  {}: {}", printable(one.where), printable(one.value))) + "\n";
  return text;
}

// Several checks often read the same file: one line names them all, and the first of the paths that just these checks
// could not see, for the same reason.
std::string unlooked_text(const doctor::Diagnosis& diagnosis) {
  std::map<std::pair<std::string, std::string>, std::string> ids;  // by what was not seen and why
  for (const auto& one : diagnosis.unlooked) {
    std::string& list = ids[{one.where, one.reason}];
    list += (list.empty() ? "" : ", ") + one.id;
  }
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> where;  // by ids and why
  for (const auto& [key, list] : ids) where[{list, key.second}].push_back(key.first);
  std::string text;
  for (const auto& [key, paths] : where)
    text += fmt::format("unseen: {}{} ({}) [{}]\n", printable(paths.front()),
                        paths.size() == 1 ? "" : fmt::format(" and {} more", paths.size() - 1), printable(key.second),
                        key.first);
  return text;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string closing(const doctor::Diagnosis& diagnosis) {
  return fmt::format("{}, {}, {} for information; {} looked{}.\n",
                     counted(diagnosis.count(doctor::Severity::error), "error", "errors"),
                     counted(diagnosis.count(doctor::Severity::warning), "warning", "warnings"),
                     diagnosis.count(doctor::Severity::info), counted(diagnosis.looked.size(), "check", "checks"),
                     diagnosis.unlooked.empty() ? "" : ", and not all could be seen");
}

// Escapes text that stands between single quotes in a shell.
std::string in_single_quotes(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe;
}

}  // namespace

std::string diagnosis_text(const doctor::Diagnosis& diagnosis, const Paint& paint) {
  std::string text;
  for (const auto& finding : diagnosis.findings) text += finding_text(finding, paint);
  return text + unlooked_text(diagnosis) + closing(diagnosis);
}

// A name that a driver or a person gave must not become a command of the shell that reads this: printable() escapes
// line ends, so a comment stays one line.
std::string environment_text(const doctor::Environment& environment) {
  std::string text;
  for (const auto& remark : environment.remarks) text += "# " + printable(remark) + "\n";
  for (const auto& one : environment.variables)
    text += fmt::format("export {}='{}'  # {}\n", one.name, in_single_quotes(one.value), printable(one.reason));
  return text;
}

std::string check_text(const doctor::Check& check) {
  return fmt::format("{}: {} ({}{})\n\n{}\n", check.id, check.title,
                     check.severity == doctor::Severity::info ? "" : "at worst: ", to_text(check.severity), check.text);
}

}  // namespace rdmastate
