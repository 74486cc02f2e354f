// SPDX-License-Identifier: Apache-2.0
// The checks of section `subnet_manager`, alone and together with `ipoib`.
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// Rules that need no host.
void check_subnet_manager(const Spec& spec, Report& report);
/// Rules that need the host: its OpenSM is the distribution's, and the ports are there and not Ethernet.
void check_subnet_manager_on(const SubnetManagerSection& section, const Facts& facts, Report& report);

}  // namespace rdmastate
