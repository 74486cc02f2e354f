// SPDX-License-Identifier: Apache-2.0
// The steps of one round: chosen, recorded, staged, moved.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apply/run.hpp"
#include "plan/plan.hpp"
#include "resources/link_table.hpp"

namespace rdmastate {

/// A step with the line that is shown when it is done; the ledger's own step shows none.
struct RoundStep {
  RunStep step;
  std::string line;
  std::optional<std::size_t> item = {};  ///< among the plan's; nullopt of the ledger's own
  std::string section = {};              ///< of the spec, that asked for it
  bool keeps_theirs = false;             ///< a file that was taken over: changed, not made
  std::vector<Ref> takes_along = {};     ///< as Item::takes_along
};

/// The plan's steps for now. What the next boot reads waits for the last round: it is written when all else stands.
std::vector<RoundStep> steps_of_round(const Plan& plan);
std::vector<RunStep> recorded(const std::vector<RoundStep>& round);
/// What the steps of a round take along for a moment and do not move themselves, as steps that lead nowhere.
std::vector<RunStep> taken_along(Host& host, const std::vector<RoundStep>& round);

/// The ledger once these steps are done: what is made or changed comes in, what is removed or released goes.
Ledger ledger_after(const Plan& plan, const std::vector<RoundStep>& round, const Ledger& before);
/// The ledger's file is a step of the run like any other, its last, so that undo brings it back too; so is, before it,
/// the spec that was applied (Wish::applied), 0600, which is there as long as the ledger is. A record keeps no spec.
void add_ledger_steps(Host& host, const Ledger& ledger, const std::string& applied, std::vector<RoundStep>& round);

/// Moves steps, knowing interfaces from one dump.
class Executor {
 public:
  Executor(Host& host, std::function<void(const std::string&)> note)
      : tools_{host, links_}, links_(host), note_(std::move(note)) {}

  /// Writes all files beside their targets and makes them durable, before the first of them is renamed.
  void stage(const std::vector<RunStep>& steps);
  /// Throws what the mover throws, saying which step it was.
  void move(const RunStep& step);
  /// Of steps that lead nowhere: what is not there any more, unless whoever else has it was quicker.
  void put_back(const std::vector<RunStep>& taken_along);

 private:
  Tools tools_;
  LinkTable links_;
  std::function<void(const std::string&)> note_;
};

}  // namespace rdmastate
