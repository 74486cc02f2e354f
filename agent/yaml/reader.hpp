// SPDX-License-Identifier: Apache-2.0
// Reads a tree of nodes into a struct, by the struct's field table.
#pragma once

#include <string>

#include "base/fields.hpp"
#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Fills `out`, a struct of `record`, from a map. Reports every mistake with its place: unknown and missing keys, wrong
/// shapes, wrong values, empty values. A field whose value is wrong stays as it was. `path` is the path of `node`
/// itself, empty at the top.
void read(const Node& node, const Record& record, void* out, const std::string& path, Report& report);

/// Reads a map into a struct by its field table. Reports every mistake with its path; never throws. Fields that the map
/// does not name stay as they are in `out`.
template <detail::HasFields S>
void read(const Node& node, S& out, const std::string& path, Report& report) {
  read(node, record_of<S>(), &out, path, report);
}

/// One value of any type, as above.
void read_value(const Node& node, const ValueType& type, void* out, const std::string& path, Report& report);

}  // namespace rdmastate::yaml
