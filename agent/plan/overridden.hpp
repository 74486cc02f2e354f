// SPDX-License-Identifier: Apache-2.0
// Files of others that are read with ours and say otherwise: at the next boot theirs counts.
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

/// By the path of each file of rdmastate that a plan wants: who wins over it. Files that the plan has itself, or
/// refuses, are nobody's to name here.
std::map<std::string, std::vector<Override>> find_overrides(const Snapshot& snapshot, const Desired& desired,
                                                            const Plan& plan);

}  // namespace rdmastate
