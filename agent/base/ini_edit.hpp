// SPDX-License-Identifier: Apache-2.0
// Single lines of a foreign file are changed; every other byte of it stays as it is.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/ini.hpp"

namespace rdmastate::ini {

/// Edits an INI text in place. Owns its copy of the text; every byte that an edit does not concern stays.
class Editor {
 public:
  Editor(const Dialect& dialect, std::string text) : dialect_(dialect), text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  /// As its owner reads it now.
  File file() const { return {dialect_, text_}; }

  /// The key's value, in the line where it counts; a key that the section does not have comes behind its last line.
  void set(std::string_view section, std::string_view key, std::string_view value);
  /// One line more behind the section's last one; a section that is not there comes at the end of the file.
  void add(std::string_view section, std::string_view key, std::string_view value);
  /// A section of its own at the end, whether or not there is one of that name.
  void add_section(std::string_view section);
  /// The first entry that this is true of goes; false when there is none.
  bool remove(const std::function<bool(const File&, const Entry&)>& is_it);

 private:
  void end_line();

  const Dialect& dialect_;
  std::string text_;
};

}  // namespace rdmastate::ini
