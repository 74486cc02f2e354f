// SPDX-License-Identifier: Apache-2.0
// Reads the files that a spec includes, and lays their trees of nodes over each other as one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate {

/// Returns the bytes of the file `name`, relative to `directory` ("" is the working directory, otherwise it ends with
/// '/'). Throws Error with a sentence. An empty function: the spec has no directory (standard input).
using IncludeReader = std::function<std::string(const std::string& directory, const std::string& name)>;

inline constexpr std::size_t most_files = 64;                  ///< that a spec may consist of, the named one included
inline constexpr std::size_t most_included_bytes = 4U << 20U;  ///< of all included files together
inline constexpr std::size_t most_include_depth = 8;  ///< of files that include each other, below the named one

/// `documents[0]` is the spec that was named on the command line. Reads the files that it includes, and those that they
/// include, into `documents`. Returns all of them as one tree: an including file is laid over what it includes, a later
/// include over an earlier one. nullopt: a file could not be read or parsed, stands in a circle or twice, or is one
/// more than the limits above allow. Such a mistake is reported where the file is named, one within a file at its own
/// place. Each included file must have its own `version: 1`.
std::optional<yaml::Node> with_includes(std::vector<yaml::Document>& documents, const IncludeReader& reader,
                                        Report& report);

}  // namespace rdmastate
