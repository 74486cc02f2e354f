// SPDX-License-Identifier: Apache-2.0
// What differs between a host and what is wanted of it, and the ordered steps that mend it: data, without effect.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plan/ledger.hpp"
#include "resources/wanted.hpp"

namespace rdmastate {

/// The state of a volatile resource's twin.
enum class NextBoot : std::uint8_t { itself, as_spec, differs, absent, unknown };
template <>
struct Names<NextBoot> {
  static constexpr std::string_view wanted = "itself, as-spec, differs, absent or unknown";
  static constexpr std::array table{
      Name<NextBoot>{NextBoot::itself, "itself"}, Name<NextBoot>{NextBoot::as_spec, "as-spec"},
      Name<NextBoot>{NextBoot::differs, "differs"}, Name<NextBoot>{NextBoot::absent, "absent"},
      Name<NextBoot>{NextBoot::unknown, "unknown"}};
};

/// Why a resource is in the plan.
enum class Cause : std::uint8_t {
  wanted,     ///< the spec names it
  forgotten,  ///< the spec no longer names what we made: it is removed
  released,   ///< the spec no longer names what we changed or loaded: it keeps its value
  goes_with,  ///< it vanishes with something that is removed
  adopted,    ///< a foreign file that --adopt takes over
  taken_up,   ///< it carries our mark, and there is no ledger that would have it
  purged,     ///< neither ours nor wanted: the spec says that nothing of its kind stays
};
template <>
struct Names<Cause> {
  static constexpr std::string_view wanted = "wanted, forgotten, released, goes-with, adopted, taken-up or purged";
  static constexpr std::array table{
      Name<Cause>{Cause::wanted, "wanted"},     Name<Cause>{Cause::forgotten, "forgotten"},
      Name<Cause>{Cause::released, "released"}, Name<Cause>{Cause::goes_with, "goes-with"},
      Name<Cause>{Cause::adopted, "adopted"},   Name<Cause>{Cause::taken_up, "taken-up"},
      Name<Cause>{Cause::purged, "purged"}};
};

/// One field in the plan's three columns.
struct Column {
  std::string field;
  std::string spec;  ///< empty: left alone
  std::string live;  ///< "-" in a tree, "absent" when the resource is not there
  NextBoot next_boot = NextBoot::itself;
  bool is_default = false;  ///< the value is on_create's, not the spec's
};

/// One twin's state and the fields it covers (none named: all that no other twin names).
struct TwinState {
  NextBoot state = NextBoot::itself;
  std::vector<std::string> fields;
};

/// One resource in a plan: what is wanted and what was seen, the difference, and what that means for others.
struct Item {
  const Kind* kind = nullptr;
  std::string key;
  std::string called;  ///< "address 192.0.2.1/24 on mlx4_ib0": for people
  Cause cause = Cause::wanted;
  Wanted asked = {};  ///< what asked for it; of what nobody asked for, a Wanted without a state
  Observation observed = Absent{};
  Gap gap = {};
  Loss loss = {};                            ///< what its step takes away
  Disruption disruption = Disruption::none;  ///< how much that disturbs, here or on other hosts
  std::vector<Ref> takes_along = {};         ///< what its step takes with it for a moment
  bool observable = true;                    ///< false for volatile kinds in a tree: the live column is "-"
  bool waived = false;                       ///< it is optional, and not there to be had
  bool keeps_theirs = false;                 ///< a file that was taken over: its own bytes with ours laid over them
  std::string stands_for = {};               ///< the key of what is wanted, where a file that was taken over is that
  bool due = false;                          ///< its owner has all it needs: it comes soon, or something is wrong
  NextBoot next_boot = NextBoot::itself;     ///< the worst of its twins
  std::vector<TwinState> twins = {};
  std::vector<Column> columns = {};       ///< the fields that differ, or of a step all that it moves
  std::vector<std::string> touches = {};  ///< what a disruptive step disturbs
  std::string warning = {};               ///< a sentence; `blocked` for verify

  bool has_step() const { return gap.move.has_value(); }
  bool is_removal() const { return has_step() && !gap.move->to; }
  /// nullptr: it shall not be there, or nobody asked for it.
  const State* wanted() const { return asked.state ? &*asked.state : nullptr; }
  /// What tells most of it: what is wanted, or else what was seen; nullptr for neither.
  const State* state() const { return asked.state ? &*asked.state : state_of(observed); }
  bool is_awaited() const { return !asked.awaited_from.empty(); }
  const std::string& title() const { return called; }
  /// Whether a plan has something to say of it.
  bool is_told() const {
    return !gap.in_sync() || !warning.empty() || cause == Cause::released || cause == Cause::taken_up ||
           is_taken_as_it_is();
  }
  /// A foreign file that --adopt takes over, and that says all that the spec does: only the ledger has to know.
  bool is_taken_as_it_is() const { return cause == Cause::adopted && keeps_theirs && !has_step(); }
};

/// Why nothing is applied while it stands.
struct PlanRefusal {
  std::string sentence;
  std::string allowed_by = {};           ///< the option that lets it be done all the same: "--adopt"; empty: none does
  std::optional<std::size_t> item = {};  ///< the one that is refused, among the plan's; nullopt: the plan as a whole
};

/// What is to be done on one host, in one round. Plain data: it can be printed, saved and compared.
struct Plan {
  Facts facts;
  std::string id;
  std::string backend;
  std::string backend_reason;         ///< why it is that one; empty where the spec says so
  std::vector<Item> items;            ///< everything wanted, and what else moves
  std::vector<std::size_t> steps;     ///< the items to move, in order
  std::vector<PlanRefusal> refusals;  ///< policy: nothing is applied while there is one (exit 6)
  Ledger ledger;                      ///< as it is now
  Report remarks;                     ///< warnings about the spec that the host's facts reveal

  bool is_empty() const { return steps.empty(); }
  /// Of one of the plan's own items.
  void refuse(const Item& item, std::string allowed_by, std::string sentence);
  /// Whether one of the items is.
  bool is_refused(std::size_t item) const;
  /// The refusals' sentences.
  std::vector<std::string> refused() const;
  std::size_t count_taken_as_they_are() const;
  std::size_t count_pending() const;
  std::size_t count_blocked() const;
  std::size_t count_unseen() const;  ///< resources and files that this user may not look at
  /// Something waits for a step of this plan: apply plans again after it.
  bool has_more_rounds() const;
  /// What the next boot reads is written when all else stands: this step is one of the last round.
  bool is_of_last_round(const Item& item) const;
  /// The most that one of its steps disturbs, what other hosts feel before all; none without a step.
  Disruption disruption() const;
  /// Something waits for a reboot.
  bool needs_reboot() const;
};

/// What the user allows, and how a plan is made.
struct PlanOptions {
  std::string id = "host";
  bool adopt = false;                  ///< take over foreign files
  bool replace = false;                ///< replace what a spec with another id made
  std::set<std::string> in_use = {};   ///< devices (interfaces that are no device's) whose users are given up
  bool allow_fabric = false;           ///< what other hosts feel is wanted
  std::set<std::string> restart = {};  ///< units that may be stopped, or stopped and started anew, now
  /// The most that a step may disturb on this host (`fabric` is off that ladder). What a spec asks for at boot is asked
  /// for when nobody uses it yet.
  Disruption max_disruption = Disruption::link;
  unsigned confirm_within = 0;  ///< seconds; not 0: the run is taken back unless confirmed, so the way here may bounce
  bool as_owners = false;       ///< what owners of interfaces do is planned as ours: how a rehearsal goes on
  bool bake = false;            ///< a tree becomes an image: no record of the run stays in it
  bool keep_ledger = false;     ///< at boot: what the ledger has and boot.json lacks is not removed
  /// Nothing is wanted: what the ledger has of this section ("": of all) is let go, and the rest is left alone.
  std::optional<std::string> release = {};
};

/// Pure but for asking the snapshot. Throws Error(bad_spec) when two records turn out to be the same interface.
Plan make_plan(const Snapshot& snapshot, const Facts& facts, Desired desired, const Ledger& ledger,
               const PlanOptions& options);

/// The items, judged one by one and by what they need; `desired` gives what is wanted away.
void add_items(const Snapshot& snapshot, Desired& desired, const PlanOptions& options, Plan& plan);
/// Fills each item's next_boot from its twin's present state, and from files of others that win over it.
void fill_next_boot(const Snapshot& snapshot, const Desired& desired, Plan& plan);
/// Fills each item's columns; needs next_boot.
void fill_columns(Plan& plan);
/// Orders the steps: removals first, what needs another after it, boot.json last.
void order_steps(Plan& plan);
/// Whether a run with these options may take that away at all, whoever uses it.
bool may_take(const PlanOptions& options, const Loss& loss);
/// The option that lets it, as it is typed: "--max-disruption module".
std::string option_that_takes(const Loss& loss);
/// Refuses what may not be moved: bounces of the default route's interface, other specs' work.
void apply_policy(const Snapshot& snapshot, const PlanOptions& options, Plan& plan);
/// Refuses a disruptive step on a device that others use, unless it is given up; says who they are.
void guard_users(const Snapshot& snapshot, const PlanOptions& options, Item& item, Plan& plan);
/// The same for mounts, storage and the session whose traffic a step interrupts.
void guard_connections(const Snapshot& snapshot, const PlanOptions& options, Plan& plan);
/// Refuses what other hosts feel unless it is allowed: a subnet manager that stops, a partition or a member that goes.
/// In a tree nobody feels anything.
void guard_fabric(const PlanOptions& options, Plan& plan);
/// Refuses what puts others' configuration out of force that other hosts feel, unless that is allowed, or taken over as
/// far as it can be. In a tree too: they feel it at the next boot.
void guard_displaced(const PlanOptions& options, Plan& plan);
/// Each process and kernel module that has something open, less what RDMA itself opens: "process 812 (rping, 1 queue
/// pair)".
std::vector<std::string> owners_of(const std::vector<RdmaUser>& users);

}  // namespace rdmastate
