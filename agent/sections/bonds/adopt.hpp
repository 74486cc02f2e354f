// SPDX-License-Identifier: Apache-2.0
// The adopt() of section `bonds`.
#pragma once

#include "sections/adopt.hpp"

namespace rdmastate {

/// Adds records for the bonds of boot.json, unless the applied spec holds this section, and for the others of IPoIB
/// that are there. Runs after adopt_ipoib(), whose records their ports are.
void adopt_bonds(const Adoption& from, Adopted& to);

}  // namespace rdmastate
