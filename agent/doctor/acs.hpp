// SPDX-License-Identifier: Apache-2.0
// Finds out whether PCI bridges send what an adapter and a GPU exchange through the root complex (Access Control
// Services, ACS).
#pragma once

#include "doctor/examination.hpp"

namespace rdmastate::doctor {

/// Finds each adapter that is below one bridge with GPUs, where the ports of that bridge redirect peer requests. It is
/// the check acs-redirect of system.cpp.
void look_for_redirect(Examination& look);

/// What look_for_redirect() reads of sysfs; of a bridge's configuration space its ACS capability is kept.
FilePlaces acs_places();

}  // namespace rdmastate::doctor
