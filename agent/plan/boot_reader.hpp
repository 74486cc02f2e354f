// SPDX-License-Identifier: Apache-2.0
// Who reads boot.json at the next boot: rdmastate.service, where it is there, starts and has its program.
#pragma once

#include <string>

#include "host/place.hpp"
#include "host/snapshot.hpp"
#include "resources/gap.hpp"

namespace rdmastate {

/// Whether the next boot reads boot.json.
struct BootReader {
  /// Why nothing makes at the next boot what boot.json says, and what helps: sentences with "; " between. Empty: it is
  /// made, where something starts the unit.
  Pending missing = {};
  bool starts = false;  ///< something starts the unit, as it is now
  bool reads() const { return missing.empty() && starts; }
};

/// By unit files, links and rules, as systemd and udev find them; neither is asked.
BootReader find_boot_reader(const Snapshot& snapshot);

/// What it is found by.
FilePlaces boot_reader_places(const Snapshot& snapshot);

}  // namespace rdmastate
