// SPDX-License-Identifier: Apache-2.0
// Warns once of each foreign setting that wins over a file of rdmastate at the next boot (Override). Flow: the
// constructor finds these settings; next_boot.cpp calls judge() for each resource and each of its twins, which warns
// where such a setting is about that resource; tell_rest() warns of all others at the item of rdmastate's file.
#pragma once

#include <map>
#include <set>
#include <string>

#include "plan/overridden.hpp"

namespace rdmastate {

/// The worse of two states of the next boot. From best to worst: itself, as_spec, differs, absent, unknown.
inline NextBoot worse(NextBoot a, NextBoot b) { return std::max(a, b); }

/// The item of a file that the plan wants; nullptr: it wants none at that path.
Item* wanted_file(Plan& plan, std::string_view path);

/// Finds the foreign files that win, and warns of each once. One object serves one plan.
class Winners {
 public:
  Winners(const Snapshot& snapshot, const Desired& desired, const Plan& plan);

  /// How foreign files that win over this twin change the next boot of the resource: `differs`, `unknown` where that is
  /// not certain, `itself` where none wins. Of each override that nobody was warned of yet, adds a warning to `item`
  /// and worsens the item's next_boot.
  NextBoot judge(const Wanted& wanted, const Twin& twin, Item& item);
  /// Adds the warnings that judge() has not given, to the items of rdmastate's files, and worsens their next_boot.
  void tell_rest(Plan& plan);

 private:
  /// Whether the override is about this resource, whose twin is in the file that loses.
  bool concerns(const Override& one, const Wanted& wanted, const Twin& twin) const;

  std::map<std::string, std::vector<Override>> overrides_;  ///< by the path of the file of rdmastate that loses
  std::map<std::string, int> users_;                        ///< by a file's path: how many resources it is the twin of
  std::set<std::string> told_;                              ///< the sentences of warnings that were given
};

}  // namespace rdmastate
