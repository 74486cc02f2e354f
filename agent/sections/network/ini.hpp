// SPDX-License-Identifier: Apache-2.0
// The text form that keyfiles and systemd's unit files share: sections in brackets, KEY=VALUE, comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace rdmastate {

struct IniLine {
  std::size_t number;    ///< in the file, from 1
  std::size_t instance;  ///< which of the file's sections: two [Route] are two
  std::string section;
  std::string key;
  std::string value;
};

class Ini {
 public:
  explicit Ini(std::string path, std::string_view text);

  const std::string& path() const { return path_; }
  const std::vector<IniLine>& lines() const { return lines_; }
  /// The last one counts, as both programs have it; nullptr when there is none.
  const IniLine* find(std::string_view section, std::string_view key) const;
  std::string value(std::string_view section, std::string_view key) const;
  std::string place(const IniLine& line) const;

 private:
  std::string path_;
  std::vector<IniLine> lines_;
};

/// Without the empty ones: "a;b;" has two.
std::vector<std::string> split(std::string_view text, std::string_view between);

/// As YAML would read it; nullopt when it cannot be read.
template <class T>
std::optional<T> value_from(const std::string& text) {
  T value{};
  if (text.empty() || Text<T>::read({text, true}, value)) return std::nullopt;
  return value;
}

}  // namespace rdmastate
