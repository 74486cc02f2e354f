// SPDX-License-Identifier: Apache-2.0
// Waiting, after steps, for what udev and network managers do on their own.
#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"
#include "plan/planner.hpp"

namespace rdmastate {

/// Waits until what a plan expects after its steps has appeared and udev has no event left to handle, at most some
/// seconds: what does not come is then blocked in the next plan, with its reason.
void settle(Host& host, const Plan& plan);

/// Plans again until what others make has come, at most some seconds: what has not is pending in that plan.
Plan settled_plan(Host& host, const Wish& wish, const Ledger& ledger);

}  // namespace rdmastate
