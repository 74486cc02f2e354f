// SPDX-License-Identifier: Apache-2.0
// A copy of a state without some of its fields: those that this host can never have (for its twins), or those that a
// reboot has lost (for undo).
#pragma once

#include <functional>

#include "resources/kind.hpp"

namespace rdmastate {

/// The state without the fields for which `is_dropped` is true: they get the value that a new struct has. Throws Error
/// where a required field is among them.
State without(const State& state, const std::function<bool(const FieldInfo&)>& is_dropped);

}  // namespace rdmastate
