// SPDX-License-Identifier: Apache-2.0
// The gap of a bond (kind `bond`).
#pragma once

#include "resources/bond/bond.hpp"

namespace rdmastate {

/// The gap of a bond of this name, and of each file that makes it or names it: blocked where another interface has the
/// name, or a bond that rdmastate cannot change into its own; else empty. Never of a tree. Pure.
Gap gap_of_bond_name(const Snapshot& snapshot, const std::string& name);

/// How a bond differs from what is wanted, and what of that can be moved now: with the ports that are there or come
/// with this plan. Pure.
Gap bond_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);

}  // namespace rdmastate
