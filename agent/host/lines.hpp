// SPDX-License-Identifier: Apache-2.0
// What reading configuration files line by line takes, whatever their format.
#pragma once

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace rdmastate {

inline std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

template <class Each>
void for_lines(std::string_view text, Each&& each) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at));
    at = end + 1;
  }
}

inline std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find_first_not_of(" \t"); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    found.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(" \t", end);
  }
  return found;
}

/// Does `work` with the path, or notes that this user may not.
template <class Work>
void look_at(const std::string& path, std::vector<std::string>& unseen, Work&& work) {
  try {
    work();
  } catch (const SystemError& error) {
    if (error.number() != EACCES && error.number() != EPERM) throw;
    if (std::find(unseen.begin(), unseen.end(), path) == unseen.end()) unseen.push_back(path);
  }
}

}  // namespace rdmastate
