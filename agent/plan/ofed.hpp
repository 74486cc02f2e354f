// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/snapshot.hpp"
#include "plan/plan.hpp"

namespace rdmastate {

/// On a host with MLNX_OFED or DOCA-OFED: what its service openibd undoes whenever it is started anew, as a warning of
/// the item that it undoes.
void add_ofed_warnings(const Snapshot& snapshot, Plan& plan);

}  // namespace rdmastate
