// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/fields.hpp"

namespace rdmastate {

/// A JSON Schema (draft-07) of what the reader takes, as far as a schema can say it. For editors and for
/// other people's pipelines: rdmastate itself never validates by it.
nlohmann::ordered_json json_schema(const Record& record);

}  // namespace rdmastate
