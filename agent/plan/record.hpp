// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/facts.hpp"
#include "host/recorded_model.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// The host as a record that plans as the host does: what kinds look at, and nothing else. Of other programs' files
/// only the lines that name an interface are kept, so that no secret gets in.
HostModel record_host(const Snapshot& snapshot, const Facts& facts);

}  // namespace rdmastate
