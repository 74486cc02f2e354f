// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "plan/plan.hpp"

namespace rdmastate {

/// What is wanted of a host, as often as it has to be asked: apply plans again after every round.
struct Wish {
  std::function<Desired(const Facts&)> desire;  ///< pure; may throw Error(bad_spec)
  PlanOptions options;
  /// What its maker has against the first plan, a sentence each: nothing is applied then. May be empty.
  std::function<std::vector<std::string>(const Plan&)> objections = {};
};

/// One look at the host and one plan; `ledger` overrides the host's own (what this run has done so far).
Plan plan_host(Host& host, const Wish& wish, const Ledger* ledger = nullptr);

}  // namespace rdmastate
