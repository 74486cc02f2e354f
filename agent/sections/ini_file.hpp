// SPDX-License-Identifier: Apache-2.0
// A keyfile or a file of systemd's as what it says in a spec: its values, and where each stands.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/ini.hpp"
#include "base/text.hpp"

namespace rdmastate {

/// An INI file with the path that it was read from. Owns both.
class Ini : public ini::File {
 public:
  Ini(std::string path, const ini::Dialect& dialect, std::string_view text)
      : ini::File(dialect, text), path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  /// "PATH:LINE" of an entry.
  std::string place(const ini::Entry& entry) const;

 private:
  std::string path_;
};

/// A sentence that names what a file of others says beyond what a spec can: `known` are "section.key", with # for
/// numbers. Empty where there is nothing. Values are not shown: some are secrets.
std::string unsaid(const Ini& file, std::span<const std::string> known);

/// A boolean as systemd reads it (parse_boolean): false for every other word.
bool is_yes(const std::string& text);

/// As YAML would read it; nullopt when it cannot be read.
template <class T>
std::optional<T> value_from(const std::string& text) {
  T value{};
  if (text.empty() || Text<T>::read({text, true}, value)) return std::nullopt;
  return value;
}

}  // namespace rdmastate
