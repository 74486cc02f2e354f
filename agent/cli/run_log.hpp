// SPDX-License-Identifier: Apache-2.0
// Tells systemd's journal about runs.
#pragma once

#include "apply/apply.hpp"
#include "cli/options.hpp"

namespace rdmastate {

/// Tells the journal of this host about runs; of a tree, a recorded host and `--boot` nothing.
class RunLog {
 public:
  explicit RunLog(const Options& options) : speaks_(options.root.empty() && options.host.empty() && !options.boot) {}

  // --- Each writes one entry to the journal, or none.

  /// A run of this id began.
  void begun(const std::string& run) const;
  /// How an apply ended; nothing where none began: the outcome names no run, or an earlier one that is still open.
  void applied(const Outcome& outcome) const;
  /// How a rollback ended; nothing where it succeeded and took back no step that people are told of.
  void taken_back(const Outcome& outcome) const;
  /// confirm() has confirmed the run; nothing where it failed, or where there was nothing to confirm any more.
  void confirmed(const Outcome& outcome) const;

 private:
  bool speaks_;
};

}  // namespace rdmastate
