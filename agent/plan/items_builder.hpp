// SPDX-License-Identifier: Apache-2.0
// ItemsBuilder makes the items of a plan, in three files: items.cpp adds all items, items_judged.cpp lets the kind of
// each observe and compare it, items_needs.cpp takes back the steps that need a resource that is not there.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "plan/intent.hpp"
#include "plan/ownership.hpp"
#include "plan/planner.hpp"

namespace rdmastate {

/// Builds the items of one plan.
class ItemsBuilder {
 public:
  /// All four must outlive this object; `plan` has facts and ledger already, and gets items and refusals.
  ItemsBuilder(const Snapshot& snapshot, Desired& desired, const PlanOptions& options, Plan& plan)
      : snapshot_(snapshot),
        desired_(desired),
        options_(options),
        plan_(plan),
        intent_(plan, snapshot, options),
        scene_{plan.facts, snapshot, intent_},
        owners_(snapshot, plan.ledger) {}

  /// Makes all items, in the order of passes that items.cpp has. Throws Misfit where two records of a spec mean one
  /// resource.
  void build();

 private:
  // items.cpp
  void add_wanted();
  std::string key_for(const Wanted& one) const;
  void add_unwanted();
  void add_claimants();
  void add_purged();
  void add_going_with();
  std::vector<Ref> going_with(const Item& item) const;
  void give_titles();
  Item* find(std::string_view kind, const std::string& key);
  Item& add(Item item);

  // items_judged.cpp
  void judge(Item& item);
  void compare(Item& item);
  void take_over(Item& item);
  void begin_as_theirs(Item& item) const;
  static void leave_to_owner(Item& item, bool at_boot);
  void tell_owners();
  void warn(Item& item);
  void explain_awaited(Item& item);

  // items_needs.cpp
  void defer(Item& item, const Item& needed);
  void defer_by_needs();
  void spare_ledger_directory();
  void take_up_only_with_steps();

  bool may_go(const LedgerEntry& entry) const;
  bool is_kept(const LedgerEntry& entry) const;
  bool is_left(std::string_view kind) const;
  bool is_observable(const Kind& kind) const { return kind.durable || !snapshot_.is_tree(); }

  const Snapshot& snapshot_;
  Desired& desired_;
  const PlanOptions& options_;
  Plan& plan_;
  PlanIntent intent_;
  Scene scene_;
  Ownership owners_;
  std::unordered_map<std::string, std::size_t> by_name_;  ///< the index into plan_.items, by resource_name()
  std::unordered_map<std::string, std::vector<const Claimant*>>
      claimants_in_place_of_;  ///< by Claimant::could_be, a wanted file's path
};

}  // namespace rdmastate
