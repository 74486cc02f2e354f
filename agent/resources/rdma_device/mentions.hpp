// SPDX-License-Identifier: Apache-2.0
// Finds the configuration files that name an RDMA device, for the step that gives the device another name.
#pragma once

#include <string>
#include <vector>

#include "host/place.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// Configuration files that say an RDMA device's name: what a rename leaves behind. Looked for where programs that use
/// RDMA keep theirs; files that may not be read and large ones are passed over.
std::vector<std::string> files_that_mention(const Snapshot& snapshot, const std::string& device);

/// The places where files_that_mention() looks, and what a record keeps of their files.
FilePlaces places_of_mentions();

}  // namespace rdmastate
