// SPDX-License-Identifier: Apache-2.0
// Prints runs as text for people and as JSON for programs. Of a file the text has what the plan showed, secrets hidden;
// the JSON has its size and the beginning of its digest.
#pragma once

#include <string>
#include <vector>

#include "apply/apply.hpp"
#include "apply/run.hpp"
#include "base/json.hpp"

namespace rdmastate {

/// "unfinished", "finished", "awaits confirmation until ...", "confirmed", "undone", "rolled back", "damaged: ..."
std::string end_text(const RunRecord& run);

/// One line per run, as a table.
std::string runs_text(const std::vector<RunRecord>& runs);
Json runs_json(const std::vector<RunRecord>& runs);

/// One run: its steps, each with its changes as the plan showed them, and the number of steps.
std::string run_text(const RunRecord& run);
Json run_json(const RunRecord& run);

/// What confirm and rollback did.
Json run_outcome_json(const Outcome& outcome);

}  // namespace rdmastate
