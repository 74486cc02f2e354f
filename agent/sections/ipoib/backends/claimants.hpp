// SPDX-License-Identifier: Apache-2.0
// Finds the files on a host that configure the interfaces of a spec.
#pragma once

#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {

/// Appends to `to.desired.claimants` every file that configures one of the spec's interfaces or bonds by its name,
/// address, path, type, driver or a pattern, and where the spec says `purge: [ipoib]` the files of their other
/// children. `row`: the back end that the spec's interfaces get. Our own files are among them: the planner, which has
/// the ledger, leaves them out.
void find_claimants(const Expansion& to, const BackendRow& row);

}  // namespace rdmastate
