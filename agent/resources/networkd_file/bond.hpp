// SPDX-License-Identifier: Apache-2.0
// The ports of a bond that networkd has made anew.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

/// Lets every IPoIB interface join the bond on which networkd runs a .network file that names the bond (Bond=) in /etc
/// or in rdmastate's drop-in, and makes the one with PrimarySlave=yes its primary: networkd does neither where it has
/// read that file before the bond was there. Does nothing where there is no such bond, or nothing is missing.
void complete_bond(Tools& tools, const std::string& bond);

}  // namespace rdmastate
