// SPDX-License-Identifier: Apache-2.0
// The checks of section `bonds` that need no host.
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// `miimon` of a bond whose record names no monitor, in ms.
inline constexpr std::uint32_t usual_miimon = 100;

/// Names, modes, ports, primaries and monitors. What is said about addresses is check_ipoib_addresses()'s.
void check_bonds(const Spec& spec, Report& report);

/// The MTU of a bond: that of its ports, else what every partition takes in their mode.
std::uint32_t bond_mtu(const Spec& spec, const BondRecord& bond);

}  // namespace rdmastate
