// SPDX-License-Identifier: Apache-2.0
// `apply --wait`: adapters come late at boot, seconds after everything else, and no target of systemd waits for them.
#pragma once

#include <chrono>

#include "plan/planner.hpp"

namespace rdmastate {

/// Whether something of the plan waits for hardware that the host may only not have yet (Gap::comes_late).
bool lacks_hardware(const Plan& plan);

/// Plans until nothing that the wish asks for waits for hardware that may come late, in its gap (lacks_hardware) or in
/// a complaint of the spec's checks (Complaint::comes_late), but no longer than `until` of the host's clock. Tells
/// once, as soon as it waits, what is missing first. It waits for nothing where the plan is refused, or a mistake of
/// another kind is left in the spec; what is missing at the end the apply tells. The caller holds no lock, since
/// adapters that come start runs of their own (rdmastate-event@.service).
void await_hardware(Host& host, const Wish& wish, std::chrono::milliseconds until);

}  // namespace rdmastate
