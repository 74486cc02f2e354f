// SPDX-License-Identifier: Apache-2.0
#include "base/path.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"

namespace rdmastate {
namespace {

bool is_plain(char c) { return ascii::is_one_of(c, "_-/:"); }

// Takes the rest of a step ["key"]: `path` starts behind [" and loses everything up to and with the closing "].
std::optional<PathStep> quoted_step(std::string_view& path) {
  PathStep step;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '"') {
      if (!path.substr(i + 1).starts_with(']')) return std::nullopt;
      path.remove_prefix(i + 2);
      return step;
    }
    if (path[i] == '\\' && i + 1 < path.size()) ++i;
    step.key += path[i];
  }
  return std::nullopt;
}

// Takes the rest of a step [2]: `path` starts behind the [ and loses everything up to and with the ].
std::optional<PathStep> index_step(std::string_view& path) {
  std::size_t index = 0;
  const auto [end, failure] = std::from_chars(path.data(), path.data() + path.size(), index);
  const auto digits = static_cast<std::size_t>(end - path.data());
  if (failure != std::errc{} || !path.substr(digits).starts_with(']')) return std::nullopt;
  path.remove_prefix(digits + 1);
  return PathStep{{}, index};
}

}  // namespace

void append_key(std::string& path, std::string_view key) {
  if (!key.empty() && std::all_of(key.begin(), key.end(), is_plain)) {
    if (!path.empty()) path += '.';
    path += key;
    return;
  }
  path += "[\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') path += '\\';
    path += c;
  }
  path += "\"]";
}

void append_index(std::string& path, std::size_t index) { path += '[' + std::to_string(index) + ']'; }

std::optional<PathStep> next_step(std::string_view& path) {
  if (path.starts_with("[\"")) {
    path.remove_prefix(2);
    return quoted_step(path);
  }
  if (path.starts_with('[')) {
    path.remove_prefix(1);
    return index_step(path);
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::size_t length = std::min(path.find_first_of(".["), path.size());
  if (length == 0) return std::nullopt;
  PathStep step{std::string(path.substr(0, length)), {}};
  path.remove_prefix(length);
  return step;
}

}  // namespace rdmastate
