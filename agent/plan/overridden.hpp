// SPDX-License-Identifier: Apache-2.0
// Finds foreign files that a program reads together with a file of rdmastate and that win over it at the next boot.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "platform/setting.hpp"

namespace rdmastate {

/// A setting in a foreign file that wins over a setting in one of rdmastate's files.
struct Override {
  Setting ours;
  bool certain = true;   ///< false: theirs may be about something else, or could not be read
  std::string sentence;  ///< names both files
};

/// The overrides, by the path of the wanted file that loses. A file that is an item of the plan or a claimant is never
/// named as the winner: the plan moves or refuses it already.
std::map<std::string, std::vector<Override>> find_overrides(const Snapshot& snapshot, const Desired& desired,
                                                            const Plan& plan);

}  // namespace rdmastate
