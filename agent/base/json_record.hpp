// SPDX-License-Identifier: Apache-2.0
// Prints a record as JSON text without a Json value in between: a plan does so thousands of times, for digests and
// boot.json. It is defined in fields_json.cpp.
#pragma once

#include "base/fields.hpp"
#include "base/json_text.hpp"

namespace rdmastate {

/// Appends the text of to_json(record, value) (base/fields_json.hpp); `value` is a struct with that record's table.
/// Throws Error for a string that is not UTF-8, unless `text` takes it (JsonText::tell()).
void append_json(JsonText& text, const Record& record, const void* value);

}  // namespace rdmastate
