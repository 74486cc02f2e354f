// SPDX-License-Identifier: Apache-2.0
// Taking steps back: the same movers, from and to swapped, newest first.
#pragma once

#include <string>
#include <vector>

#include "apply/run.hpp"

namespace rdmastate {

/// What came of it. Empty `left`: the host is as it was before the steps.
struct Undone {
  std::vector<std::string> left;  ///< sentences: what could not be brought back, or was left because others changed it
  std::size_t moved = 0;          ///< moves that people are told of; a step that moves twice counts twice
  std::size_t others = 0;         ///< how many of `left` others changed: these are left as they are
  /// Sentences: what nothing brings back (Kind::no_way_back), and directories of the steps that others keep files in.
  std::vector<std::string> kept = {};

  /// Whether nothing else is left than what others changed.
  bool is_over() const { return left.size() == others; }
};

/// Right after a failure, in the same process: `steps` are all that were recorded, the failed one perhaps half done.
/// Observes every key first, so that a half-done step is moved from the state that it left. Throws Error, and moves
/// nothing, where the host cannot be observed.
Undone undo(Host& host, const std::vector<RunStep>& steps);

/// How a run is taken back by another process than the one that made it.
struct RollBack {
  bool force = false;    ///< what other programs changed since is taken back too
  bool at_boot = false;  ///< initrds are left and named, for a person's rollback: /boot may not be mounted yet
};

/// Takes a run back later, by another process, perhaps after a reboot. In a finished run, keys that other programs
/// changed since are named and left, unless forced; in an unfinished one every key goes back to where the run found it.
/// Marks the run before anything moves, unless it is marked already, and when it is over. `boot_id`: of the present
/// boot. Throws Error, and moves nothing, where the host cannot be observed or the first mark not be written.
Undone roll_back(Host& host, const RunRecord& run, const std::string& boot_id, const RollBack& how);

}  // namespace rdmastate
