// SPDX-License-Identifier: Apache-2.0
// A spec that consists of several files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate {

/// The bytes of the file `name`, which lies in `directory` or below ("" is the working directory, otherwise it ends
/// with
/// '/'). Throws Error with a sentence. Empty: there is no directory to read from.
using IncludeReader = std::function<std::string(const std::string& directory, const std::string& name)>;

/// Files that a spec may consist of, and their bytes together: what a mistake in an include can cost at most.
inline constexpr std::size_t most_files = 64;
inline constexpr std::size_t most_included_bytes = 4U << 20U;
inline constexpr std::size_t most_include_depth = 8;

/// `documents[0]` is the spec that was named on the command line. Reads what it includes, and what that includes, into
/// `documents`, and gives the tree that all of them mean: an including file is laid over what it includes, a later
/// include over an earlier one. nullopt where a file could not be read or is no YAML; that and every other mistake is
/// reported where the file is named.
std::optional<yaml::Node> with_includes(std::vector<yaml::Document>& documents, const IncludeReader& reader,
                                        Report& report);

}  // namespace rdmastate
