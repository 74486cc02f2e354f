// SPDX-License-Identifier: Apache-2.0
// What reading configuration files line by line takes, whatever their format.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// Without the blanks at both ends.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

/// Each line without its newline; a last one need not have any.
template <class Each>
void for_lines(std::string_view text, Each&& each) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at));
    at = end + 1;
  }
}

/// What stands between any of these characters, without the empty ones: "a;b;" has two.
inline std::vector<std::string> split(std::string_view text, std::string_view between) {
  std::vector<std::string> found;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    found.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(between, end);
  }
  return found;
}

/// What stands between blanks.
inline std::vector<std::string> words(std::string_view text) { return split(text, " \t"); }

}  // namespace rdmastate
