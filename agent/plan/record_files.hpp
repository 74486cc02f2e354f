// SPDX-License-Identifier: Apache-2.0
// The files of a record.
#pragma once

#include "host/facts.hpp"
#include "host/recorded/model.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// Puts into the record what the places name on this host, with the directories on the way: `model` gets its files,
/// what it holds, and what this user may not see.
void keep_files(const Snapshot& snapshot, const Facts& facts, const FilePlaces& places, HostModel& model);

}  // namespace rdmastate
