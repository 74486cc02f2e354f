// SPDX-License-Identifier: Apache-2.0
// Parses a file into a tree of nodes: JSON, or YAML 1.2 without the features that rdmastate refuses.
#pragma once

#include <optional>
#include <string>

#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Adds the source `name` to the report and parses it, as JSON where it looks like that (json.hpp) and is. Bytes that
/// cannot be either and the first syntax error give nullopt. Anchors, aliases, tags, merge keys, duplicate keys, keys
/// that are no scalars and second documents are all reported, and the tree is returned without them, so that the reader
/// can report more mistakes: the caller asks report.failed().
std::optional<Document> load(std::string name, std::string bytes, Report& report);

}  // namespace rdmastate::yaml
