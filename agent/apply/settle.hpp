// SPDX-License-Identifier: Apache-2.0
// Waits, after a round and before the next plan, until udev and network managers have done what they do by themselves.
#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"
#include "plan/planner.hpp"

namespace rdmastate {

/// After a round's steps: waits until what the next round needs of them is there (the plan's items that are `after` a
/// step, by Kind::has_come) and udev has no event left to handle, at most 15 s. What has not come by then is blocked in
/// the next plan, with its reason.
void settle(Host& host, const Plan& plan);

/// Before a round: makes a plan. Where it has no step, but a network manager has not done yet what its files say, waits
/// and makes it again, for at most 10 s. What has not come by then is pending in the plan that this returns.
Plan settled_plan(Host& host, const Wish& wish, const Ledger& ledger);

}  // namespace rdmastate
