// SPDX-License-Identifier: Apache-2.0
// How a bond (kind `bond`) is made, changed and removed.
#pragma once

#include "resources/bond/bond.hpp"

namespace rdmastate {

/// As Kind::move. A port that joins goes down for it; one that leaves is taken up again.
void bond_move(Tools& tools, const std::string& key, const State* from, const State* to);

}  // namespace rdmastate
