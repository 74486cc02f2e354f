// SPDX-License-Identifier: Apache-2.0
// Tells whether the next boot reads boot.json: where rdmastate.service is there, starts, and has its program.
#pragma once

#include <string>

#include "host/place.hpp"
#include "host/snapshot.hpp"
#include "resources/gap.hpp"

namespace rdmastate {

/// Whether the next boot reads boot.json.
struct BootReader {
  /// Why the next boot does not make what boot.json says, and what helps; two sentences are joined by "; ". Empty:
  /// nothing is missing, and the next boot makes it where something starts the unit (`starts`).
  Pending missing = {};
  bool starts = false;  ///< a link on the disk starts rdmastate.service at boot
  bool reads() const { return missing.empty() && starts; }
};

/// Judges by unit files, links and rules on the disk, as systemd and udev find them; asks neither program.
BootReader find_boot_reader(const Snapshot& snapshot);

/// The files that find_boot_reader() reads, for a record.
FilePlaces boot_reader_places(const Snapshot& snapshot);

}  // namespace rdmastate
