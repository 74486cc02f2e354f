// SPDX-License-Identifier: Apache-2.0
#include "base/wrap.hpp"

#include <algorithm>

#include "base/report.hpp"
#include "base/utf8.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view escape = "\x1b[";

// Length of the terminal's colour sequence at the beginning of the text; 0: there is none.
std::size_t colour_length(std::string_view text) {
  return text.starts_with(escape) ? std::min(text.find('m'), text.size() - 1) + 1 : 0;
}

// One column for each code point; wide characters are not known.
std::size_t count_cells(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t colour = colour_length(text);
    count += colour == 0 ? 1 : 0;
    text.remove_prefix(colour > 0 ? colour : std::max<std::size_t>(utf8_length(text), 1));
  }
  return count;
}

// A line of a file's diff: it begins with + - or @ and stands deeper than a step's mark, which stands two columns in.
bool is_of_diff(std::string_view line, std::size_t indent) {
  constexpr std::size_t indent_of_steps = 2;
  if (indent <= indent_of_steps) return false;
  line.remove_prefix(indent);
  while (const std::size_t colour = colour_length(line)) line.remove_prefix(colour);
  return line.starts_with('+') || line.starts_with('-') || line.starts_with('@');
}

// "   12 | name: ib0", and below it "      |       ^~~": the caret has to stay below its word.
bool is_of_source(std::string_view line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789");
  return bar != std::string_view::npos && bar > 1 && line[bar] == '|' && line[bar - 1] == ' ';
}

// One line, broken before a word that would go beyond `width`. A word that is wider stands alone.
std::string wrapped(std::string_view line, std::size_t width) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (count_cells(line) <= width || is_of_diff(line, indent) || is_of_source(line)) return std::string(line);
  const std::string deeper(indent + 2, ' ');
  std::string text(line.substr(0, indent));
  std::size_t start = indent;  // columns of the blanks that this output line begins with
  std::size_t used = start;    // columns that are filled in this output line
  for (std::size_t at = indent; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', line.find_first_not_of(' ', at)), line.size());
    std::string_view word = line.substr(at, end - at);  // with the blanks before it
    if (used + count_cells(word) > width && used > start) {
      text += "\n" + deeper;
      used = start = deeper.size();
      word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    }
    text += word;
    used += count_cells(word);
    at = end;
  }
  return text;
}

}  // namespace

std::string wrapped_lines(std::string_view text, std::size_t width) {
  const std::string shown = printable_lines(text);
  if (width == 0) return shown;  // no terminal
  std::string all;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find('\n', at), shown.size());
    all += wrapped(std::string_view(shown).substr(at, end - at), width);
    if (end < shown.size()) all += '\n';
    at = end + 1;
  }
  return all;
}

}  // namespace rdmastate
