// SPDX-License-Identifier: Apache-2.0
// Finds what a restart of a service left running, with the limit of memory that the service had before (/proc).
#pragma once

#include <optional>
#include <span>

#include "host/units.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// UnitLook::older. `pids`: all processes of the service, `main_pid` among them or not. One that has ended is left out.
/// nullopt: there is none, or the main process cannot be read.
std::optional<OlderProcesses> older_processes(const Root& root, std::uint32_t main_pid,
                                              std::span<const std::uint32_t> pids);

}  // namespace rdmastate
