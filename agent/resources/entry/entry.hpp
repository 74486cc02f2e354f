// SPDX-License-Identifier: Apache-2.0
// Kind `entry`: one key or line in a file that others write too; every other byte of the file stays. Key: "PATH NAME";
// platform/entry_files says which form each file has. Durable: trees have it.
#pragma once

#include "resources/file/file.hpp"

namespace rdmastate {

struct EntryState {
  std::string value;  ///< without quotes, as the file's reader takes it
  /// The entry as it stands in the file, so that undo puts back every byte. nullopt in a wanted state, of
  /// which the gap compares `value` alone.
  std::optional<std::string> line;
  /// The lines around the entry, by which undo finds its place again; nullopt: there is none, or the state is wanted.
  std::optional<std::string> before;
  std::optional<std::string> after;
  /// Owner, mode and attributes of a file that rdmastate made for its entries, and removes with the last one: undo
  /// makes it with them again. nullopt: the file is foreign.
  std::optional<FileState> file = {};
  bool operator==(const EntryState&) const = default;
};

template <>
struct Fields<EntryState> {
  static constexpr std::string_view name = "entry";
  static constexpr std::string_view doc = "One key or line in a foreign file.";
  static constexpr auto table = Table{
      Field{"value", &EntryState::value, "The entry's value.", {.required = true}},
      Field{"line", &EntryState::line, "The line as it stands in the file."},
      Field{"before", &EntryState::before, "The line before it."},
      Field{"after", &EntryState::after, "The line after it."},
      Field{"file", &EntryState::file,
            "Owner, mode and attributes of the file, where rdmastate made it for its entries."},
  };
};

extern const Kind entry_kind;

/// "/etc/default/opensm PORTS"
std::string entry_key(std::string_view path, std::string_view name);
/// A wanted entry of that value. Throws Error when the file's form cannot hold the value (bad_spec), or when rdmastate
/// keeps no entries in that file.
State entry_of(std::string_view path, std::string_view name, std::string value);

}  // namespace rdmastate
