// SPDX-License-Identifier: Apache-2.0
// A state less some of its fields.
#pragma once

#include <functional>

#include "resources/kind.hpp"

namespace rdmastate {

/// The state without those of its fields that `goes` is true for: absent, or as a new struct has them.
State without(const State& state, const std::function<bool(const FieldInfo&)>& goes);

}  // namespace rdmastate
