// SPDX-License-Identifier: Apache-2.0
// Rehearsal: on a recorded host no daemon runs, so `apply` takes as done what the owners of interfaces would do.
#pragma once

#include "apply/execute.hpp"
#include "plan/planner.hpp"

namespace rdmastate {

/// One round of what the owners of interfaces would do by themselves: an apply on a recorded host takes it as done.
struct OwnersRound {
  std::vector<RoundStep> steps;   ///< what they would do, in order; empty: nothing that they can do now
  std::set<std::string> by = {};  ///< who: "NetworkManager"
};

/// What the plan `last` says that owners can do now and have not done (Item::due): planned as if rdmastate did it.
OwnersRound owners_round(Host& host, const Wish& wish, const Plan& last, const Ledger& ledger);

}  // namespace rdmastate
