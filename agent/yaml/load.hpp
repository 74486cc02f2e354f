// SPDX-License-Identifier: Apache-2.0
// From bytes to a tree. YAML 1.2's core, without what makes a specification mean something else than it says; or JSON.
#pragma once

#include <optional>
#include <string>

#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Adds the source `name` to the report and parses it, as JSON where it looks like that (json.hpp) and is. Bytes that
/// cannot be either and the first syntax error give nullopt. Anchors, aliases, tags, merge keys, duplicate keys, keys
/// that are no scalars and second documents are all reported, and the tree is returned without them, so that the reader
/// can report its own mistakes beside them: whether all is well is what the report knows.
std::optional<Document> load(std::string name, std::string bytes, Report& report);

}  // namespace rdmastate::yaml
