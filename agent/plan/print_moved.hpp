// SPDX-License-Identifier: Apache-2.0
// Makes the lines of a step, which say what it writes or takes away, as a plan and a run's history show them.
#pragma once

#include <string>
#include <vector>

#include "resources/kind.hpp"

namespace rdmastate {

/// The lines of a step from one state to another; nullptr: absent. Of a changed file the diff, without secrets; of a
/// created or removed one its lines; of boot.json and the ledger how many resources they hold. Without control
/// characters. Empty: the kind has no lines, or there are none.
std::vector<std::string> moved_lines(const Kind& kind, const std::string& key, const State* from, const State* to);

}  // namespace rdmastate
