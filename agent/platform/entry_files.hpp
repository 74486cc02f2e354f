// SPDX-License-Identifier: Apache-2.0
// The foreign files in which rdmastate keeps single entries, and how an entry looks in each. Pure data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rdmastate {

/// How a file writes an entry.
enum class EntryForm : std::uint8_t {
  shell,  ///< NAME="value", as a shell would read it; the last one counts
  ini,    ///< key = value beneath [section]; the entry's name is "section.key". The first one counts, as in nfs-utils
          ///< before 2.5.3 (conf_set); later releases read nfs.conf.d and need no entry
  words,  ///< a line whose first word is the name
};

/// A foreign file in which rdmastate may keep an entry.
struct EntryFile {
  std::string_view path;
  EntryForm form;
};

/// All such files: a constant table.
std::span<const EntryFile> entry_files();
/// The row of the file at `path`; nullptr: rdmastate keeps no entries in that file.
const EntryFile* entry_file(std::string_view path);

}  // namespace rdmastate
