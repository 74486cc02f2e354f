// SPDX-License-Identifier: Apache-2.0
// Who reads boot.json at the next boot: rdmastate.service, where it is there, starts and has its program.
#pragma once

#include <set>
#include <string>

#include "host/snapshot.hpp"

namespace rdmastate {

struct BootReader {
  /// Why nothing makes at the next boot what boot.json says, and what helps: sentences with "; " between. Empty: it is
  /// made, where something starts the unit.
  std::string missing;
  bool starts = false;  ///< something starts the unit, as it is now
  bool reads() const { return missing.empty() && starts; }
};

/// By unit files, links and rules, as systemd and udev find them; neither is asked.
BootReader find_boot_reader(const Snapshot& snapshot);

/// What it is found by, that a record has to keep; what is there of it.
struct BootReaderFiles {
  std::set<std::string> texts;     ///< units, their drop-ins and links, and the rule
  std::set<std::string> programs;  ///< of which only the path is looked at
};
BootReaderFiles boot_reader_files(const Snapshot& snapshot);

}  // namespace rdmastate
