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

  /// One entry in the journal each: the run began, ended, was confirmed or taken back.
  void begun(const std::string& run) const;
  /// How an apply ended; nothing where none began: the outcome names no run, or an earlier one that is still open.
  void applied(const Outcome& outcome) const;
  void taken_back(const Outcome& outcome) const;
  void confirmed(const Outcome& outcome) const;

 private:
  bool speaks_;
};

}  // namespace rdmastate
