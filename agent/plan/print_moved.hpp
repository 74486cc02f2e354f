// SPDX-License-Identifier: Apache-2.0
// What a step writes or takes away, line by line, as a plan and a run's history show it.
#pragma once

#include <string>
#include <vector>

#include "resources/kind.hpp"

namespace rdmastate {

/// The lines of a step of this kind from one state to another, nullptr being absent: of a file its diff, secrets
/// hidden; of what comes or goes as a whole its lines alone; of boot.json and the ledger how much they hold. Nothing of
/// it drives a terminal. Empty: the kind has no lines, or there are none.
std::vector<std::string> moved_lines(const Kind& kind, const std::string& key, const State* from, const State* to);

}  // namespace rdmastate
