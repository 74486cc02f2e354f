// SPDX-License-Identifier: Apache-2.0
// The mark, one character in front of each item of a printed plan, and the legend, the line that says what marks mean.
#pragma once

#include <string>
#include <vector>

#include "plan/print.hpp"

namespace rdmastate {

/// The mark of plan.items[item]: '#' where it is refused, whatever else it is; of a step + ~ or -; else why it has
/// none.
char mark_of(const Plan& plan, std::size_t item);
/// The mark of a step from one state to another, + ~ or -; nullptr: absent.
char mark_of_step(const State* from, const State* to);
/// The mark in its colour.
std::string painted_mark(char mark, const Paint& paint);
/// "Marks:  + create   * pending: ...": the marks that these items (indices into plan.items) have, and those of
/// sentences about the plan as a whole, which are refusals and files that this user may not read. Empty: there are
/// none.
std::string legend_of(const Plan& plan, const std::vector<std::size_t>& items);

}  // namespace rdmastate
