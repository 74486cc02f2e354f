// SPDX-License-Identifier: Apache-2.0
#include "host/place.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace rdmastate {
namespace {

// The first `count` names of a path, with the slashes before them.
std::string_view names_of(std::string_view path, std::ptrdiff_t count) {
  std::size_t at = 0;
  for (; count > 0 && at != std::string_view::npos; --count) at = path.find('/', at + 1);
  return path.substr(0, at);
}

}  // namespace

FilePlaces whole_files(std::initializer_list<std::string_view> patterns) {
  FilePlaces places;
  for (const auto pattern : patterns) places.push_back({std::string(pattern)});
  return places;
}

FilePlace presence(std::string_view path) {
  return {std::string(path), [](const FileToKeep&) { return Kept{Kept::How::part}; }};
}

Kept kept_part(std::string text) { return {text.empty() ? Kept::How::nothing : Kept::How::part, std::move(text)}; }

void append(FilePlaces& to, FilePlaces more) { std::move(more.begin(), more.end(), std::back_inserter(to)); }

bool is_named_by(std::string_view pattern, std::string_view path) {
  return ::fnmatch(std::string(pattern).c_str(), std::string(path).c_str(), FNM_PATHNAME | FNM_NOESCAPE) == 0;
}

bool is_on_the_way(std::string_view pattern, std::string_view path) {
  const auto depth = std::count(path.begin(), path.end(), '/');
  if (std::count(pattern.begin(), pattern.end(), '/') <= depth) return false;
  return path == "/" || is_named_by(names_of(pattern, depth), path);
}

bool is_held(const std::vector<std::string>& patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return is_named_by(pattern, path) || is_on_the_way(pattern, path);
  });
}

}  // namespace rdmastate
