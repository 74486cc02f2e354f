// SPDX-License-Identifier: Apache-2.0
// A record straight into JSON text, for what a plan prints thousands of: digests and the boot file.
#pragma once

#include "base/fields.hpp"
#include "base/json_text.hpp"

namespace rdmastate {

/// Writes what to_json(record, value) is, with no tree in between.
void append_json(JsonText& text, const Record& record, const void* value);

}  // namespace rdmastate
