// SPDX-License-Identifier: Apache-2.0
// The list of all kinds.
#pragma once

#include <span>
#include <string_view>

#include "resources/kind.hpp"

namespace rdmastate {

/// Every kind there is: the one list. A new kind is one .cpp, one line here and one in CMake.
std::span<const Kind* const> all_kinds();
/// nullptr: there is no such kind in this version.
const Kind* kind_named(std::string_view name);
/// The kind that a file of others is of when it is taken over.
const Kind& kind_of_claim(const Claim& claim);

}  // namespace rdmastate
