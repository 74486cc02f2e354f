// SPDX-License-Identifier: Apache-2.0
// Finds the configuration files that name an RDMA device, for the step that gives the device another name.
#pragma once

#include <string>
#include <vector>

#include "host/place.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// The paths of configuration files that have this RDMA device's name as a word, without those that have "rdmastate" in
/// their own name: a rename leaves them as they are. Looks only where programs that use RDMA have such files; passes
/// over one that is too large or may not be read.
std::vector<std::string> files_that_mention(const Snapshot& snapshot, const std::string& device);

/// The places where files_that_mention() looks, and what a record keeps of their files.
FilePlaces places_of_mentions();

}  // namespace rdmastate
