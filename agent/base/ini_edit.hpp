// SPDX-License-Identifier: Apache-2.0
// Changes single lines of a foreign INI file; every other byte of it stays as it is.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/ini.hpp"

namespace rdmastate::ini {

/// Edits an INI text in place. Owns its copy of the text; `dialect` must outlive it.
class Editor {
 public:
  Editor(const Dialect& dialect, std::string text) : dialect_(dialect), text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  /// The edited text as the file's owner reads it.
  File file() const { return {dialect_, text_}; }

  /// Sets the key's value in the line where it counts; a key that the section does not have is added by add().
  void set(std::string_view section, std::string_view key, std::string_view value);
  /// Adds a line behind the last one of the section; a section that does not exist is added at the end of the file.
  void add(std::string_view section, std::string_view key, std::string_view value);
  /// Adds an empty section at the end, also when there is one of that name already.
  void add_section(std::string_view section);
  /// Removes the first entry that counts and of which `is_it` is true; false when there is none.
  bool remove(const std::function<bool(const File&, const Entry&)>& is_it);

 private:
  void end_line();

  const Dialect& dialect_;
  std::string text_;
};

}  // namespace rdmastate::ini
