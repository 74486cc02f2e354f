// SPDX-License-Identifier: Apache-2.0
#include "cli/roff.hpp"

#include <fmt/format.h>

#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "cli/version.hpp"

namespace rdmastate {
namespace {

// The escape of a character of ASCII that roff would interpret or print as another glyph (groff_char(7),
// mandoc_char(7)); empty for the others.
std::string_view glyph(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    case '"':
      return "\\(dq";  // within a macro's line a quote would open an argument
    default:
      return {};
  }
}

std::string character(std::string_view bytes) {
  if (bytes.size() > 1) return fmt::format("\\[u{:04X}]", utf8_code_point(bytes));
  const std::string_view special = glyph(bytes.front());
  return std::string(special.empty() ? bytes : special);
}

// roff reads a line that begins with '.' as a request; \& prints nothing and prevents that. glyph() escapes '.
std::string guarded(const std::string& line) { return line.starts_with('.') ? "\\&" + line : line; }

}  // namespace

std::string roff(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    safe += character(text.substr(0, length));
    text.remove_prefix(length);
  }
  return guarded(safe);
}

std::string roff_bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string roff_italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

ManPage::ManPage(std::string_view title, unsigned section, std::string_view name, std::string_view about)
    : text_(fmt::format(".\\\" Made by rdmastate man {1}\n.TH {0} {1} \"\" \"rdmastate {2}\"\n", roff(title), section,
                        version)) {
  this->section("NAME");
  line(roff(name) + " \\- " + roff(about));
}

void ManPage::section(std::string_view heading) { text_ += fmt::format(".SH {}\n", roff(heading)); }
void ManPage::subsection(std::string_view heading) { text_ += fmt::format(".SS {}\n", roff(heading)); }

void ManPage::paragraph(std::string_view text) {
  const std::size_t last = text_.rfind('\n', text_.size() - 2) + 1;
  if (!text_.substr(last).starts_with(".S")) text_ += ".PP\n";  // a heading begins a paragraph by itself
  wrapped(text);
}

void ManPage::line(const std::string& marked) { text_ += marked + "\n"; }

void ManPage::item(const std::string& tag, std::string_view text) {
  text_ += ".TP\n" + tag + "\n";
  wrapped(text);
}

void ManPage::more(std::string_view text) {
  text_ += ".IP\n";
  wrapped(text);
}

void ManPage::example(std::string_view lines) {
  text_ += ".PP\n.EX\n";
  for_lines(lines, [&](std::string_view one) { text_ += (one.empty() ? "\\&" : roff(one)) + "\n"; });
  text_ += ".EE\n";
}

// Wraps the lines of the source, so that people can read and diff it. Each word may begin a line, so roff() guards
// each.
void ManPage::wrapped(std::string_view text) {
  constexpr std::size_t width = 80;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word = roff(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.size() + 1 + word.size() > width) text_ += std::exchange(line, {}) + "\n";
    line += (line.empty() ? "" : " ") + word;
  }
  text_ += line + "\n";
}

}  // namespace rdmastate
