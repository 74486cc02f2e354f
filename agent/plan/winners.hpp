// SPDX-License-Identifier: Apache-2.0
// What others say instead of us at the next boot, told once: at what it keeps from being so, else at the file of
// rdmastate.
#pragma once

#include <map>
#include <set>
#include <string>

#include "plan/overridden.hpp"

namespace rdmastate {

/// The worst of several twins is what the next boot will be like.
inline NextBoot worse(NextBoot a, NextBoot b) { return std::max(a, b); }

/// The item of a file that the plan wants; nullptr: it wants none at that path.
Item* wanted_file(Plan& plan, std::string_view path);

/// Finds the foreign files that win, and tells each once. Made per plan; the plan must outlive it.
class Winners {
 public:
  Winners(const Snapshot& snapshot, const Desired& desired, const Plan& plan);

  /// What becomes of a resource for which this twin says something else in the end; `itself` where none does. Warns of
  /// who it is.
  NextBoot judge(const Wanted& wanted, const Twin& twin, Item& item);
  /// Warns of the others, at the items of our files.
  void tell_rest(Plan& plan);

 private:
  bool concerns(const Override& one, const Wanted& wanted, const Twin& twin) const;

  std::map<std::string, std::vector<Override>> overrides_;
  std::map<std::string, int> users_;  ///< how many resources a file is the twin of
  std::set<std::string> told_;
};

}  // namespace rdmastate
