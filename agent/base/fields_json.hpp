// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/fields.hpp"

namespace rdmastate {

/// Every field that has a value, in the table's order; from_json(to_json(x)) is x.
nlohmann::ordered_json to_json(const Record& record, const void* value);

/// The same as one line, without a tree in between: to_json(record, value).dump() is what is appended.
void append_json(std::string& text, const Record& record, const void* value);
/// A text as a JSON string, quotes included.
void append_json_string(std::string& json, std::string_view text);

/// Strict: an unknown key, a missing required one, a wrong type or a wrong value throws Error naming the
/// path, which starts with `where`. Fields that the JSON does not name stay as they are in `out`.
void from_json(const nlohmann::ordered_json& json, const Record& record, void* out, std::string_view where = {});

/// Who calls it includes <nlohmann/json.hpp>; we do not, for the sake of those who only pass these on.
template <detail::HasFields S>
auto to_json_of(const S& value) {
  return to_json(record_of<S>(), &value);
}

template <detail::HasFields S>
S from_json_as(const nlohmann::ordered_json& json, std::string_view where = {}) {
  S value{};
  from_json(json, record_of<S>(), &value, where);
  return value;
}

}  // namespace rdmastate
