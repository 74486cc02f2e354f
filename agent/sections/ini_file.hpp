// SPDX-License-Identifier: Apache-2.0
// Reads a keyfile of NetworkManager or a file of systemd for adopt: its values, and the place of each.
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

/// A sentence that names the keys of a foreign file that no field of a spec can say; empty where there are none.
/// `known` are the keys that a field says, as "section.key", with # for a number at its end. Values are not shown: some
/// are secrets.
std::string sentence_on_other_keys(const Ini& file, std::span<const std::string> known);

/// The text as a T, read as from YAML; nullopt where it is empty or no T.
template <class T>
std::optional<T> value_from(std::string_view text) {
  T value{};
  if (text.empty() || Text<T>::read({text}, value)) return std::nullopt;
  return value;
}

}  // namespace rdmastate
