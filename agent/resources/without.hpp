// SPDX-License-Identifier: Apache-2.0
// A state less some of its fields: what a twin still brings where this host can never have those fields.
#pragma once

#include <functional>

#include "resources/kind.hpp"

namespace rdmastate {

/// The state without the fields for which `goes` is true: they get the value that a new struct has. Throws Error where
/// a required field is among them.
State without(const State& state, const std::function<bool(const FieldInfo&)>& goes);

}  // namespace rdmastate
