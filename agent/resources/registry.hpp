// SPDX-License-Identifier: Apache-2.0
// The list of all kinds.
#pragma once

#include <span>
#include <string_view>

#include "resources/kind.hpp"

namespace rdmastate {

/// All kinds. A new kind is its own .cpp and one line of the list in registry.cpp.
std::span<const Kind* const> all_kinds();
/// nullptr: there is no such kind in this version.
const Kind* kind_named(std::string_view name);
/// The kind of resource as which a plan removes the foreign file that makes this claim: NetworkManager is told of a
/// profile that goes, ifupdown takes the file's interface down before, and any other file is only removed.
const Kind& kind_of_claim(const Claim& claim);

}  // namespace rdmastate
