// SPDX-License-Identifier: Apache-2.0
// Fills a record with the files of a host.
#pragma once

#include "host/facts.hpp"
#include "host/recorded/model.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// Puts into the record the files that the places name on this host, with the directories on the way. Fills its
/// `files`, the patterns that it `holds`, and what this user may not see (`unseen`).
void keep_files(const Snapshot& snapshot, const Facts& facts, const FilePlaces& places, HostModel& model);

}  // namespace rdmastate
