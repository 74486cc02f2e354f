// SPDX-License-Identifier: Apache-2.0
// Reads /proc/PID/limits (proc(5)): how much memory a process may lock.
#pragma once

#include <optional>
#include <string_view>

#include "host/units.hpp"

namespace rdmastate {

/// From the line "Max locked memory  SOFT  HARD  bytes", where each limit is a number or "unlimited". A limit is
/// rounded down to whole KiB. nullopt: there is no line of this form.
std::optional<MemlockLimit> memlock_from(std::string_view limits);

}  // namespace rdmastate
