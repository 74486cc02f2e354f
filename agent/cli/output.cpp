// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/wrap.hpp"
#include "plan/print.hpp"
#include "sys/streams.hpp"

namespace rdmastate {
namespace {

std::string name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

std::string source_of(const Report& report, const Diagnostic& diagnostic) {
  return diagnostic.place.source < report.sources().size() ? report.sources()[diagnostic.place.source].name : "";
}

Json diagnostic_json(const Report& report, const Diagnostic& one) {
  return {{"severity", name_of(one.complaint.severity)},
          {"file", printable(source_of(report, one))},
          {"line", one.place.line},
          {"column", one.place.column},
          {"path", printable(one.path)},
          {"message", printable(one.complaint.message)},
          {"expected", printable(one.complaint.expected)},
          {"hint", printable(one.complaint.hint)}};
}

// The document of `check -o json`.
Json json_of(std::span<const Checked> files) {
  std::size_t errors = 0;
  bool has_more = false;
  Json list = Json::array();
  for (const auto& [path, report] : files) {
    errors += report.errors();
    has_more = has_more || report.has_more();
    for (const auto& one : report.diagnostics()) list.push_back(diagnostic_json(report, one));
  }
  return {{"format_version", 1}, {"errors", errors}, {"has_more", has_more}, {"diagnostics", std::move(list)}};
}

// The width of the text; 0: no wrapping. COLUMNS counts for a terminal alone, not for a file or a pipe.
std::size_t width_of(int fd) {
  if (::isatty(fd) != 1) return 0;
  constexpr std::size_t least = 40;
  const char* columns = std::getenv("COLUMNS");
  const std::size_t asked = columns == nullptr ? 0 : std::strtoul(columns, nullptr, 10);
  const std::size_t width = asked != 0 ? asked : terminal_width(fd);
  return width == 0 ? 0 : std::max(width, least);
}

// What the plan of this command (plan, verify) is judged for.
Judging judging_of(const Options& options) {
  if (options.command == "plan") return Judging::plan;
  return options.allow_pending ? Judging::verify_pending : Judging::verify;
}

}  // namespace

bool wants_colour(const Options& options, int fd) {
  if (options.colour != ColourChoice::automatic) return options.colour == ColourChoice::always;
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && ::isatty(fd) == 1;
}

void print_result(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw NobodyReads();
  throw SystemError("writing the result", errno);
}

void print_json(const Json& json) { print_result(told_json(json) + "\n"); }

void print_text(std::string_view text) { print_result(wrapped_lines(text, width_of(STDOUT_FILENO))); }

// A message that cannot be written (no reader, a full disk) is no reason to end an apply half way.
void talk(std::string_view line) {
  const std::string text = wrapped_lines(line, width_of(STDERR_FILENO)) + "\n";
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

Json diagnostics_json(std::initializer_list<const Report*> reports) {
  Json list = Json::array();
  for (const Report* report : reports)
    for (const auto& one : report->diagnostics()) list.push_back(diagnostic_json(*report, one));
  return list;
}

void print_reports(std::span<const Checked> files, const Options& options) {
  const auto cases = [&] { return cases_of(files, options.strict); };
  switch (options.form) {
    case OutputForm::text:
      for (const auto& file : files)
        if (!file.report.diagnostics().empty()) talk(render(file.report, wants_colour(options, STDERR_FILENO)));
      return;
    case OutputForm::json:
      return print_json(json_of(files));
    case OutputForm::github:
      return print_result(github_text(cases()));
    case OutputForm::sarif:
      return print_result(sarif_text(cases()));
    case OutputForm::junit:
      return print_result(junit_text(cases(), "rdmastate " + options.command));
    case OutputForm::prometheus:  // which only doctor takes
      return;
  }
}

void print_report(const Report& report, const Options& options) {
  const std::string name = report.sources().empty() ? std::string() : report.sources().front().name;
  const Checked file{name, report};
  print_reports({&file, 1}, options);
}

void print_plan(const Plan& plan, const SpecFile* spec, const Options& options) {
  const auto cases = [&] { return cases_of(plan, spec, judging_of(options)); };
  switch (options.form) {
    case OutputForm::json: {
      Json json = plan_json(plan);
      json["diagnostics"] = spec != nullptr ? diagnostics_json({&spec->report, &plan.remarks}) : Json::array();
      return print_json(json);
    }
    case OutputForm::github:
      return print_result(github_text(cases()));
    case OutputForm::junit:
      return print_result(junit_text(cases(), fmt::format("rdmastate {} of {}", options.command, plan.facts.host)));
    case OutputForm::text:
    case OutputForm::sarif:  // plan and verify refuse this form, and prometheus
    case OutputForm::prometheus:
      break;
  }
  const Paint paint(wants_colour(options, STDOUT_FILENO));
  const PlanForm form = options.brief ? PlanForm::brief : PlanForm::whole;
  print_text(options.command == "verify" ? verify_text(plan, options.allow_pending, paint)
                                         : plan_text(plan, paint, form));
}

}  // namespace rdmastate
