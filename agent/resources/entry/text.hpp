// SPDX-License-Identifier: Apache-2.0
// Reads, sets and removes one entry of a foreign file's text (EntryForm says how it looks); every other byte stays.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/entry_files.hpp"

namespace rdmastate {

/// The lines around an entry, without their newlines; nullopt where it is the first or the last one.
struct Neighbours {
  std::optional<std::string> before;
  std::optional<std::string> after;
};

/// An entry as it stands in a text.
struct EntryText {
  std::string value;  ///< as the file's reader takes it: without quotes
  std::string line;   ///< as it stands there, without the newline
  Neighbours place;
};

/// The entry of this name. Of several the one that the file's reader takes: see EntryForm. nullopt: there is none; a
/// comment is no entry.
std::optional<EntryText> entry_in(EntryForm form, std::string_view text, std::string_view name);
/// The text with `line` in place of the entry that counts. Where there is none: beside the lines of `place`, as far as
/// they are still there, else where the form adds a new entry.
std::string with_entry(EntryForm form, std::string_view text, std::string_view name, std::string_view line,
                       const std::optional<Neighbours>& place = {});
/// The text without all entries of that name, and without the section that with_entry() made where nothing else is in
/// it.
std::string without_entry(EntryForm form, std::string_view text, std::string_view name);
/// What rdmastate writes into a file that it makes for an entry: a comment. A file that holds nothing else any more is
/// removed; an empty file of another program is not.
std::string_view made_for_entries();
/// The entry as rdmastate writes it.
std::string entry_line(EntryForm form, std::string_view name, std::string_view value);
/// Whether the form can hold the value: one line, and for a shell nothing that it would expand.
bool can_hold(EntryForm form, std::string_view value);

}  // namespace rdmastate
