// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace rdmastate {
namespace {

using Json = nlohmann::ordered_json;

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

// A workflow command's data: '%', CR and LF are percent-encoded; in a property ':' and ',' too.
std::string github_escape(std::string_view text, bool property) {
  std::string safe;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    safe += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return safe;
}

std::string github_line(const Report& report, const Diagnostic& one) {
  std::string message = one.path.empty() ? one.complaint.message : one.path + ": " + one.complaint.message;
  if (!one.complaint.expected.empty()) message += "\nexpected: " + one.complaint.expected;
  if (!one.complaint.hint.empty()) message += "\nhint: " + one.complaint.hint;
  return fmt::format("::{} file={},line={},col={}::{}\n", name_of(one.complaint.severity),
                     github_escape(source_of(report, one), true), one.place.line, one.place.column,
                     github_escape(message, false));
}

}  // namespace

bool wants_colour(const Options& options, int fd) {
  if (options.colour != ColourChoice::automatic) return options.colour == ColourChoice::always;
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && ::isatty(fd) == 1;
}

void print_result(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) throw SystemError("writing the result", errno);
}

void talk(const std::string& line) { fmt::print(stderr, "{}\n", line); }

void print_report(const Report& report, const Options& options) {
  if (options.form == OutputForm::json) {
    Json json{{"format_version", 1},
              {"errors", report.errors()},
              {"has_more", report.has_more()},
              {"diagnostics", Json::array()}};
    for (const auto& one : report.diagnostics()) json["diagnostics"].push_back(diagnostic_json(report, one));
    print_result(json.dump(2) + "\n");
  } else if (options.form == OutputForm::github) {
    for (const auto& one : report.diagnostics()) print_result(github_line(report, one));
  } else if (!report.diagnostics().empty()) {
    talk(render(report, wants_colour(options, STDERR_FILENO)));
  }
}

}  // namespace rdmastate
