// SPDX-License-Identifier: Apache-2.0
// Paths, which name a value within a spec or a JSON file: ipoib[1].ipv4.addresses[0]. A key with other characters than
// [A-Za-z0-9_/:-] stands in brackets and quotes, with a backslash before each " and \ of it: members["a.b"].
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rdmastate {

/// Append one step to a path: append_key() ".key", or ["key"] where the key has other characters; append_index() "[2]".
void append_key(std::string& path, std::string_view key);
void append_index(std::string& path, std::size_t index);

/// One step of a path.
struct PathStep {
  std::string key;                   ///< of a map; empty when the step is an index
  std::optional<std::size_t> index;  ///< in a list, from 0; nullopt: the step is a key
};

/// Takes the first step off the front of `path`. nullopt: `path` is empty, or malformed and then of no further use.
std::optional<PathStep> next_step(std::string_view& path);

}  // namespace rdmastate
