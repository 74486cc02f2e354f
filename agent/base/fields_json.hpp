// SPDX-License-Identifier: Apache-2.0
// Converts any struct that has a field table to JSON, and back.
#pragma once

#include <string>
#include <string_view>

#include "base/fields.hpp"
#include "base/json.hpp"

namespace rdmastate {

/// Every field that has a value, in the table's order; from_json(to_json(x)) is x.
Json to_json(const Record& record, const void* value);

/// Strict: an unknown key, a missing required one, a wrong type or a wrong value throws Error naming the
/// path, which starts with `where`. Fields that the JSON does not name stay as they are in `out`.
void from_json(const Json& json, const Record& record, void* out, std::string_view where = {});

/// to_json() for a struct with a field table.
template <detail::HasFields S>
Json to_json_of(const S& value) {
  return to_json(record_of<S>(), &value);
}

/// from_json() into a new S{}: the inverse of to_json_of(). Throws Error as from_json() does.
template <detail::HasFields S>
S from_json_as(const Json& json, std::string_view where = {}) {
  S value{};
  from_json(json, record_of<S>(), &value, where);
  return value;
}

}  // namespace rdmastate
