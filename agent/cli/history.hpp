// SPDX-License-Identifier: Apache-2.0
// Runs for people and for programs. No byte of a file is shown: what a run keeps of them is root's alone.
#pragma once

#include <string>
#include <vector>

#include "apply/apply.hpp"
#include "apply/run.hpp"
#include "base/json.hpp"

namespace rdmastate {

/// "unfinished", "finished", "awaits confirmation until ...", "confirmed", "undone", "rolled back"
std::string end_text(const RunRecord& run);

/// One line per run, as a table.
std::string runs_text(const std::vector<RunRecord>& runs);
Json runs_json(const std::vector<RunRecord>& runs);

/// One run with its steps, and of each what it moved.
std::string run_text(const RunRecord& run);
Json run_json(const RunRecord& run);

/// What confirm and rollback did.
Json run_outcome_json(const Outcome& outcome);

}  // namespace rdmastate
