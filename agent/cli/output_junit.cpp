// SPDX-License-Identifier: Apache-2.0
// Findings as a JUnit XML report.
#include <fmt/format.h>

#include "base/utf8.hpp"
#include "cli/output.hpp"

namespace rdmastate {
namespace {

// XML 1.0, 2.2 Char: what no escape can bring into a document.
bool is_forbidden(std::uint32_t point) {
  return (point < 0x20 && point != '\t' && point != '\n' && point != '\r') || point == 0xfffe || point == 0xffff;
}

std::string entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\t':
    case '\n':
    case '\r':
      return fmt::format("&#{};", static_cast<int>(c));  // a parser makes a blank of them in an attribute
    default:
      return std::string(1, c);
  }
}

// One escape for attributes and text: what XML forbids, and bytes that are no UTF-8, stand as \xNN.
std::string xml(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(bytes.size());
    if (length == 0 || is_forbidden(utf8_code_point(bytes)))
      for (const char c : bytes) safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      safe += length == 1 ? entity(bytes.front()) : std::string(bytes);
  }
  return safe;
}

std::string where(const Finding& finding) {
  if (finding.file.empty()) return {};
  const auto& place = finding.place;
  return place.line == 0 ? finding.file + ": " : fmt::format("{}:{}:{}: ", finding.file, place.line, place.column);
}

std::string sentence(const Finding& finding) {
  return where(finding) + (finding.about.empty() ? "" : finding.about + ": ") + finding.message +
         (finding.details.empty() ? "" : "\n" + finding.details);
}

std::string sentences(const Case& one) {
  std::string text;
  for (const auto& finding : one.findings) text += (text.empty() ? "" : "\n") + sentence(finding);
  return text;
}

// The rule of the first finding is the failure's type, its sentence the message that reports show in a list.
std::string outcome(const Case& one) {
  const std::string text = xml(sentences(one));
  const std::string message = one.findings.empty() ? "" : one.findings.front().message;
  switch (one.result) {
    case CaseResult::failed:
      return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                         one.findings.empty() ? "" : xml(one.findings.front().rule), xml(message), text);
    case CaseResult::skipped:
      return fmt::format("      <skipped message=\"{}\"/>\n",
                         message.empty() ? "it is not there and is optional" : xml(message));
    case CaseResult::passed:
      break;
  }
  return text.empty() ? "" : "      <system-out>" + text + "</system-out>\n";
}

std::string test_case(const Case& one) {
  const std::string inside = outcome(one);
  const std::string head =
      fmt::format("    <testcase classname=\"rdmastate.{}\" name=\"{}\"", xml(one.group), xml(one.name));
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

std::ptrdiff_t count(std::span<const Case> cases, CaseResult result) {
  return std::count_if(cases.begin(), cases.end(), [&](const Case& one) { return one.result == result; });
}

}  // namespace

std::string junit_text(std::span<const Case> cases, const std::string& name) {
  const std::string counts =
      fmt::format("name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"", xml(name), cases.size(),
                  count(cases, CaseResult::failed), count(cases, CaseResult::skipped));
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts + ">\n  <testsuite " + counts + ">\n";
  for (const auto& one : cases) text += test_case(one);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace rdmastate
