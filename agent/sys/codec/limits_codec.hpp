// SPDX-License-Identifier: Apache-2.0
// Reads /proc/PID/limits (proc(5)): how much memory a process may lock.
#pragma once

#include <optional>
#include <string_view>

#include "host/units.hpp"

namespace rdmastate::codec {

/// The line "Max locked memory  SOFT  HARD  bytes", each a number or "unlimited"; nullopt: there is none. What is no
/// whole KiB is rounded down.
std::optional<MemlockLimit> memlock_from(std::string_view limits);

}  // namespace rdmastate::codec
