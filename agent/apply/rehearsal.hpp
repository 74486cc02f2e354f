// SPDX-License-Identifier: Apache-2.0
// On a recorded host: what the daemons that own interfaces would do with what they were told.
#pragma once

#include "apply/execute.hpp"
#include "plan/planner.hpp"

namespace rdmastate {

/// One round of what the owners of interfaces would do by themselves: an apply on a recorded host takes it as done.
struct OwnersRound {
  std::vector<RoundStep> steps;   ///< what they would do, in order; empty: nothing is awaited of them
  std::set<std::string> by = {};  ///< who: "NetworkManager"
};

/// What the plan `last` says that owners can do now and have not done (Item::due): planned as if rdmastate did it.
OwnersRound owners_round(Host& host, const Wish& wish, const Plan& last, const Ledger& ledger);

}  // namespace rdmastate
