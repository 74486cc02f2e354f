// SPDX-License-Identifier: Apache-2.0
// Reads a tree of nodes into a struct, by the struct's field table.
#pragma once

#include <string>

#include "base/fields.hpp"
#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Fills `out`, a struct of `record`, from a map; fields that the map does not name stay as they are. Reports every
/// mistake with its place and path: unknown and missing keys, wrong shapes, wrong values, empty values. A field
/// whose value cannot be read holds what it had, or a default value. `path` is the path of `node` itself, empty at the
/// top. Never throws.
void read(const Node& node, const Record& record, void* out, const std::string& path, Report& report);

/// The same for a struct with a field table.
template <detail::HasFields S>
void read(const Node& node, S& out, const std::string& path, Report& report) {
  read(node, record_of<S>(), &out, path, report);
}

/// The same for one value: `out` points to a value of `type`.
void read_value(const Node& node, const ValueType& type, void* out, const std::string& path, Report& report);

}  // namespace rdmastate::yaml
