// SPDX-License-Identifier: Apache-2.0
// Prints runs as text for people and as JSON for programs. The text shows a file as the plan did, with secrets hidden;
// the JSON has only the size of its bytes and the beginning of their SHA-256.
#pragma once

#include <string>
#include <vector>

#include "apply/apply.hpp"
#include "apply/run.hpp"
#include "base/json.hpp"

namespace rdmastate {

/// "unfinished", "finished", "awaits confirmation until ...", "confirmed", "undone", "rolled back", "damaged: ..."
std::string end_text(const RunRecord& run);

/// `history`: one line per run, as a table; and the same as a document.
std::string runs_text(const std::vector<RunRecord>& runs);
Json runs_json(const std::vector<RunRecord>& runs);

/// `history RUN`: the steps with their changes as the plan showed them, those that are alike as one, and their number;
/// also what became of the ledger and of the kept spec, and of a recorded host the steps that were taken as done by
/// their owners.
std::string run_text(const RunRecord& run);
/// The same as a document, without the ledger.
Json run_json(const RunRecord& run);

/// The document of `confirm -o json` and of `rollback -o json`.
Json run_outcome_json(const Outcome& outcome);

}  // namespace rdmastate
