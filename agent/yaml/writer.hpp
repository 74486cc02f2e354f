// SPDX-License-Identifier: Apache-2.0
// From values to YAML text that load() reads back the same.
#pragma once

#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/json.hpp"

namespace rdmastate::yaml {

/// A value as YAML: blocks indented by two spaces, short lists of scalars in brackets, quotes where a string would be
/// read as something else.
std::string to_yaml(const Json& json);

/// The struct at `value` by its field table, in the same form. Here the field's type decides about quotes: the text of
/// a P_Key is written as 0x8002, since its type reads that back as the same P_Key.
std::string to_yaml(const Record& record, const void* value);

/// The same for a struct with a field table.
template <detail::HasFields S>
std::string to_yaml_of(const S& value) {
  return to_yaml(record_of<S>(), &value);
}

/// The parts of the struct that stand at these paths ("ipoib[0].mode", "modules.load[1]"), as texts of one line:
/// "modules: {load: [ib_umad]}", one text for each field of the struct. An item of a list is whole, and what a struct
/// must have stands beside the part of it.
std::vector<std::string> to_lines(const Record& record, const void* value, const std::vector<std::string>& paths);

}  // namespace rdmastate::yaml
