// SPDX-License-Identifier: Apache-2.0
// Findings as workflow commands of GitHub Actions.
#include <fmt/format.h>

#include "cli/output.hpp"

namespace rdmastate {
namespace {

std::string_view command_of(Level level) {
  switch (level) {
    case Level::note:
      return "notice";
    case Level::warning:
      return "warning";
    case Level::error:
      break;
  }
  return "error";
}

// A workflow command's data: '%', CR and LF are percent-encoded; in a property ':' and ',' too.
std::string escape(std::string_view text, bool property) {
  std::string safe;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    safe += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return safe;
}

// As printable(), but newlines stay: tabs and colours do not, unlike in printable_lines().
std::string printable_line_by_line(std::string_view text) {
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += (at > 0 ? "\n" : "") + printable(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string properties(const Finding& finding) {
  if (finding.file.empty()) return {};
  std::string text = " file=" + escape(finding.file, /*property=*/true);
  if (finding.place.line > 0) text += fmt::format(",line={},col={}", finding.place.line, finding.place.column);
  return text;
}

std::string line(const Finding& finding) {
  std::string message = (finding.about.empty() ? "" : finding.about + ": ") + finding.message;
  if (!finding.details.empty()) message += "\n" + finding.details;
  return fmt::format("::{}{}::{}\n", command_of(finding.level), properties(finding),
                     escape(printable_line_by_line(message), /*property=*/false));
}

}  // namespace

std::string github_text(std::span<const Case> cases) {
  std::string text;
  for (const auto& one : cases)
    for (const auto& finding : one.findings) text += line(finding);
  return text;
}

}  // namespace rdmastate
