// SPDX-License-Identifier: Apache-2.0
// A host as a record: which files it needs, and the record itself.
#pragma once

#include "host/facts.hpp"
#include "host/recorded/model.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// Where on this host a plan of any spec may look: what facts, kinds, sections and what is read with their files say.
FilePlaces all_places(const Snapshot& snapshot, const Facts& facts);

/// The host as a record that plans every spec as the host does. Of files it holds what all_places() name, each as its
/// place keeps it and less the secrets that others keep in it; what the record does not hold is unseen in it. It begins
/// without runs. `more`: what else is kept, for those who do not plan. Takes its time: see Modules::table().
HostModel record_host(const Snapshot& snapshot, const Facts& facts, FilePlaces more = {});

}  // namespace rdmastate
