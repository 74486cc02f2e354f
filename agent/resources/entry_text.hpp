// SPDX-License-Identifier: Apache-2.0
// One entry of a text: read, set, taken out; every other byte stays. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/entry_files.hpp"

namespace rdmastate {

struct EntryText {
  std::string value;  ///< as the file's reader takes it: without quotes
  std::string line;   ///< as it stands there, without the newline
};

/// What the file's reader takes of several: platform/entry_files says which. nullopt when there is none; a comment is
/// none.
std::optional<EntryText> entry_in(EntryForm form, std::string_view text, std::string_view name);
/// With that line instead of the one that counts, in its place; where there is none, behind what is there.
std::string with_entry(EntryForm form, std::string_view text, std::string_view name, std::string_view line);
/// All entries of that name taken out, and a section that with_entry() made for it.
std::string without_entry(EntryForm form, std::string_view text, std::string_view name);
/// The entry as rdmastate writes it.
std::string entry_line(EntryForm form, std::string_view name, std::string_view value);
/// Whether the form can hold the value: one line, and for a shell nothing that it would expand.
bool can_hold(EntryForm form, std::string_view value);

}  // namespace rdmastate
