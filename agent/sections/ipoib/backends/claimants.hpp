// SPDX-License-Identifier: Apache-2.0
// Which files on a host configure the interfaces of a spec.
#pragma once

#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {

/// Adds every file that configures one of the spec's interfaces, by name or by what else its program goes by, and what
/// is purged with them. Which of them are rdmastate's own is not asked: the ledger knows.
void find_claimants(const Expansion& to, const BackendRow& row);

}  // namespace rdmastate
