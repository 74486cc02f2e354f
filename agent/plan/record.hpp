// SPDX-License-Identifier: Apache-2.0
// Makes a record of a host (`show --record`), and names the files that it has to hold.
#pragma once

#include "host/facts.hpp"
#include "host/recorded/model.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// The files that a plan of any spec may read on this host: for facts, kinds and sections, and those that programs read
/// together with them.
FilePlaces all_places(const Snapshot& snapshot, const Facts& facts);

/// Makes a record on which every spec is planned as on the host. It holds the files that all_places() names, each as
/// its place keeps it and without the secrets of other programs; all other files are unseen in it. It has no runs.
/// `more`: files that a plan does not read, but another command does. Slow: see Modules::table().
HostModel record_host(const Snapshot& snapshot, const Facts& facts, FilePlaces more = {});

}  // namespace rdmastate
