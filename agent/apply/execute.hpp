// SPDX-License-Identifier: Apache-2.0
// Takes the steps of one round from a plan, adds those of the ledger, and stages and moves them.
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
  std::optional<std::size_t> item = {};  ///< index in Plan::items; nullopt: a step of the ledger's
  std::string section = {};              ///< the section of the spec that asked for it; empty: none, as for directories
  bool keeps_theirs = false;  ///< a foreign file that was taken over: the ledger lists it as changed, not as made
  std::vector<Ref> takes_along = {};  ///< what the step removes for a moment and put_back() makes again
};

/// The plan's steps that are moved in this round; boot.json waits for the last one (Plan::is_of_last_round).
std::vector<RoundStep> steps_of_round(const Plan& plan);
/// The steps alone, as a run records them.
std::vector<RunStep> recorded(const std::vector<RoundStep>& round);
/// The resources that steps of the round remove for a moment (Kind::put_back), and that have no step there: each as a
/// step whose `from` and `to` are both its present state (leads_nowhere()).
std::vector<RunStep> taken_along(Host& host, const std::vector<RoundStep>& round);

/// The ledger once these steps are done. What is made, changed or taken over comes in, also where no step is needed for
/// it (Cause::taken_up, Item::is_taken_as_it_is()); what is removed or released goes.
Ledger ledger_after(const Plan& plan, const std::vector<RoundStep>& round, const Ledger& before);
/// Adds the last steps of a run, so that undo brings their files back too: the spec that was applied (`applied`, mode
/// 0600), which stays as long as the ledger does, and then the ledger. A file that is right already gets no step. A
/// recorded host keeps no spec.
void add_ledger_steps(Host& host, const Ledger& ledger, const std::string& applied, std::vector<RoundStep>& round);

/// Stages and moves steps, with one LinkTable for all of them.
class Executor {
 public:
  /// `note` gets a line for the run's progress file when a step begins, and one when it is done.
  Executor(Host& host, std::function<void(const std::string&)> note)
      : tools_{host, links_}, links_(host), note_(std::move(note)) {}

  /// Writes all files beside their targets and makes them durable, before the first of them is renamed. Throws as
  /// move().
  void stage(const std::vector<RunStep>& steps);
  /// Moves one step. Throws what its kind throws, with the step's title in front.
  void move(const RunStep& step);
  /// Makes again what taken_along() returned and is not there any more. Throws what the kind throws, unless the
  /// resource is there by then: another program was quicker.
  void put_back(const std::vector<RunStep>& taken_along);

 private:
  Tools tools_;
  LinkTable links_;
  std::function<void(const std::string&)> note_;
};

}  // namespace rdmastate
