// SPDX-License-Identifier: Apache-2.0
// One entry of a text: read, set, taken out; every other byte stays. Pure.
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

/// What the file's reader takes of several: platform/entry_files says which. nullopt when there is none; a comment is
/// none.
std::optional<EntryText> entry_in(EntryForm form, std::string_view text, std::string_view name);
/// With that line instead of the one that counts, in its place. Where there is none: beside the lines it once stood
/// between, as far as they are still there, else behind what is there.
std::string with_entry(EntryForm form, std::string_view text, std::string_view name, std::string_view line,
                       const std::optional<Neighbours>& place = {});
/// All entries of that name taken out, and a section that with_entry() made for it.
std::string without_entry(EntryForm form, std::string_view text, std::string_view name);
/// What a file holds that is made for its first entry: a comment, so that it goes with the last one, and a file that
/// somebody else made, though it be empty, does not.
std::string_view made_for_entries();
/// The entry as rdmastate writes it.
std::string entry_line(EntryForm form, std::string_view name, std::string_view value);
/// Whether the form can hold the value: one line, and for a shell nothing that it would expand.
bool can_hold(EntryForm form, std::string_view value);

}  // namespace rdmastate
