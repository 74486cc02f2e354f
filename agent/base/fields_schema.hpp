// SPDX-License-Identifier: Apache-2.0
// Makes the JSON Schema of a struct that has a field table.
#pragma once

#include "base/fields.hpp"
#include "base/json.hpp"

namespace rdmastate {

/// A JSON Schema (draft-07) of what the reader takes, as far as a schema can say it. It is for editors and other
/// programs: rdmastate itself never validates by it.
Json json_schema(const Record& record);

}  // namespace rdmastate
