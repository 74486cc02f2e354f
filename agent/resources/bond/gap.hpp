// SPDX-License-Identifier: Apache-2.0
// The gap of a bond (kind `bond`).
#pragma once

#include "resources/bond/bond.hpp"

namespace rdmastate {

/// How a bond differs from what is wanted, and what of that can be moved now: with the ports that are there or come
/// with this plan. Pure.
Gap bond_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);

}  // namespace rdmastate
