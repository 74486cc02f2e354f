// SPDX-License-Identifier: Apache-2.0
// From values to YAML text that load() reads back the same.
#pragma once

#include <string>

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

}  // namespace rdmastate::yaml
