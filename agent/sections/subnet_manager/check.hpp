// SPDX-License-Identifier: Apache-2.0
// What is said of section `subnet_manager`, alone and beside `ipoib`.
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// Rules that need no host.
void check_subnet_manager(const Spec& spec, Report& report);
/// What the host says of the section: whose OpenSM it has, and whether the ports are there and InfiniBand.
void check_subnet_manager_on(const SubnetManagerSection& section, const Facts& facts, Report& report);

}  // namespace rdmastate
