// SPDX-License-Identifier: Apache-2.0
// Functions that take a text apart: into lines, parts and words; and that trim it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"

namespace rdmastate {

/// The text without the blanks at both ends.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

/// Calls `each` with every line, without its newline; the last line need not have one.
template <class Each>
void for_lines(std::string_view text, Each&& each) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at));
    at = end + 1;
  }
}

/// The lines that do not begin with '#', joined by newlines; none follows the last line. Empty lines before the first
/// that is not empty are dropped.
inline std::string without_comment_lines(std::string_view text) {
  std::string rest;
  for_lines(text, [&](std::string_view line) {
    if (!line.starts_with('#')) rest.append(rest.empty() ? "" : "\n").append(line);
  });
  return rest;
}

/// The parts of a text between any of these characters, without empty parts: "a;b;" has two.
inline std::vector<std::string> split(std::string_view text, std::string_view between) {
  std::vector<std::string> found;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    found.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(between, end);
  }
  return found;
}

/// The parts of a text between spaces and tabs.
inline std::vector<std::string> words(std::string_view text) { return split(text, " \t"); }

/// Where the word stands in the text from `from` on, with neither letter, digit nor underscore beside it: mlx4_1 is not
/// in "mlx4_10". npos: nowhere.
inline std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
  const auto is_part = [](char c) { return ascii::is_letter_or_digit(c) || c == '_'; };
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return at;
  }
  return std::string_view::npos;
}

/// Whether find_word() finds it.
inline bool has_word(std::string_view text, std::string_view word) {
  return find_word(text, word) != std::string_view::npos;
}

}  // namespace rdmastate
