// SPDX-License-Identifier: Apache-2.0
// Another run is at work: for people a message, for programs data.
#pragma once

#include <functional>
#include <optional>

#include "apply/apply.hpp"
#include "cli/options.hpp"

namespace rdmastate {

/// Takes the lock by `lock()`, which throws Error(busy) where another run has it. Who asked for data gets that as an
/// outcome to print; nullopt: it is taken.
std::optional<Outcome> busy_outcome(const Options& options, const std::function<void()>& lock);

}  // namespace rdmastate
