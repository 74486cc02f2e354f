// SPDX-License-Identifier: Apache-2.0
// The one character in front of each item of a plan, and the line that says what these mean.
#pragma once

#include <string>
#include <vector>

#include "plan/print.hpp"

namespace rdmastate {

/// The mark of an item: of one that is refused '#', whatever else it is; of a step + ~ or -; else why there is no step.
char mark_of(const Plan& plan, std::size_t item);
/// The mark in its colour.
std::string painted_mark(char mark, const Paint& paint);
/// "Marks:  + create   * pending: ..." with those marks alone that these items have, and what the plan says as a whole:
/// refusals and files that this user may not read.
std::string legend_of(const Plan& plan, const std::vector<std::size_t>& items);

}  // namespace rdmastate
