// SPDX-License-Identifier: Apache-2.0
// Prints a record as JSON text without a Json value in between: a plan does so thousands of times, for digests and
// boot.json.
#pragma once

#include "base/fields.hpp"
#include "base/json_text.hpp"

namespace rdmastate {

/// Appends the same text as to_json(record, value), without a Json value in between.
void append_json(JsonText& text, const Record& record, const void* value);

}  // namespace rdmastate
