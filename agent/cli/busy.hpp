// SPDX-License-Identifier: Apache-2.0
// Takes the lock of runs for a command. Where another run holds it, people get an error message, and programs JSON.
#pragma once

#include <functional>
#include <optional>

#include "apply/apply.hpp"
#include "cli/options.hpp"

namespace rdmastate {

/// Calls `lock()`, which throws Error(busy) where another run holds the lock. With `-o json` that error is returned as
/// an outcome to print, otherwise it is thrown on. nullopt: the lock is held now.
std::optional<Outcome> busy_outcome(const Options& options, const std::function<void()>& lock);

}  // namespace rdmastate
