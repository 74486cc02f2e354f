// SPDX-License-Identifier: Apache-2.0
// Finds files in directories that their owner reads as one, such as /etc/udev/rules.d, /run/udev/rules.d and
// /usr/lib/udev/rules.d: of files of one name the first directory's counts.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/snapshot.hpp"

namespace rdmastate {

/// Directories in order of precedence: of files of one name, that of the first directory counts and hides the others.
using Directories = std::span<const std::string_view>;

/// The file of this name that counts, also one that only masks; empty: there is none.
std::string path_that_counts(const Snapshot& snapshot, Directories directories, const std::string& name);

/// Whether a file is there to hide those of its name: it is empty, or a link to /dev/null.
bool is_masking(const Snapshot& snapshot, const std::string& path);
bool is_masking(const FileContent& file);

/// The files that count, each by its name, whose paths end with `suffix`; one that masks is among them, and read()
/// finds nothing in it. Directories that may not be read are named in `unseen`.
std::map<std::string, std::string> files_that_count(const Snapshot& snapshot, Directories directories,
                                                    std::string_view suffix, std::vector<std::string>& unseen);

}  // namespace rdmastate
