// SPDX-License-Identifier: Apache-2.0
// Refuses options that have no effect beside the others on the command line: a user who gives such an option expects
// something that will not happen.
#pragma once

#include "cli/options.hpp"

namespace rdmastate {

/// Throws Error (a usage error) for an option that has no effect without another one, or that does not go with one that
/// was given; the message names both, and why.
void refuse_without_effect(const Options& options);

}  // namespace rdmastate
