// SPDX-License-Identifier: Apache-2.0
// Parses a file into a tree of nodes: JSON, or YAML 1.2 without the features that rdmastate refuses.
#pragma once

#include <optional>
#include <string>

#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Adds the source `name` to the report and parses it, as JSON where it looks like that (json.hpp) and is. nullopt,
/// with the reason in the report: its bytes are refused (prepass.hpp), it has a syntax error (the first one ends the
/// parsing), a directive (%), or collections more than max_depth deep, or it holds nothing. Anchors, aliases, tags,
/// merge keys, duplicate keys, keys that are no scalars and a second document are all reported, and the tree is
/// returned without them: the caller asks report.failed().
std::optional<Document> load(std::string name, std::string bytes, Report& report);

}  // namespace rdmastate::yaml
