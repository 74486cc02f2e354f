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
};
template <>
struct Names<Cause> {
  static constexpr std::string_view wanted = "wanted, forgotten, released, goes-with or adopted";
  static constexpr std::array table{Name<Cause>{Cause::wanted, "wanted"}, Name<Cause>{Cause::forgotten, "forgotten"},
                                    Name<Cause>{Cause::released, "released"},
                                    Name<Cause>{Cause::goes_with, "goes-with"}, Name<Cause>{Cause::adopted, "adopted"}};
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

struct Item {
  const Kind* kind = nullptr;
  std::string key;
  std::string called;  ///< "address 192.0.2.1/24 on mlx4_ib0": for people
  Cause cause = Cause::wanted;
  std::string path;  ///< in the spec; may be empty
  std::optional<State> wanted;
  Observation observed = Absent{};
  Gap gap;
  bool observable = true;                 ///< false for volatile kinds in a tree: the live column is "-"
  std::string awaited_from;               ///< who moves it, when we do not
  bool optional = false;                  ///< what is not there to be had is no difference
  bool waived = false;                    ///< and it is not there
  bool due = false;                       ///< its owner has all it needs: it comes soon, or something is wrong
  NextBoot next_boot = NextBoot::itself;  ///< the worst of its twins
  std::vector<TwinState> twins;
  std::vector<Column> columns;       ///< the fields that differ, or of a step all that it moves
  std::vector<std::string> touches;  ///< what a disruptive step disturbs
  std::string warning;               ///< a sentence; `blocked` for verify

  bool has_step() const { return gap.move.has_value(); }
  const std::string& title() const { return called; }
};

struct Plan {
  Facts facts;
  std::string id;
  std::string backend;
  std::string backend_reason;         ///< why it is that one; empty where the spec says so
  std::vector<Item> items;            ///< everything wanted, and what else moves
  std::vector<std::size_t> steps;     ///< the items to move, in order
  std::vector<std::string> refusals;  ///< policy: nothing is applied while there is one (exit 6)
  Ledger ledger;                      ///< as it is now

  bool is_empty() const { return steps.empty(); }
  std::size_t count_pending() const;
  std::size_t count_blocked() const;
  std::size_t count_unseen() const;  ///< resources and files that this user may not look at
  /// Something waits for a step of this plan: apply plans again after it.
  bool has_more_rounds() const;
};

struct PlanOptions {
  std::string id = "host";
  bool adopt = false;                 ///< take over foreign files
  bool replace = false;               ///< replace what a spec with another id made
  std::set<std::string> in_use = {};  ///< devices (interfaces that are no device's) whose users are given up
  bool allow_fabric = false;          ///< what other hosts feel is wanted
  /// The most that a step may disturb on this host (`fabric` is off that ladder). What a spec asks for at boot is asked
  /// for when nobody uses it yet.
  Disruption max_disruption = Disruption::link;
  unsigned confirm_within = 0;  ///< seconds; not 0: the run is taken back unless confirmed, so the way here may bounce
  bool keep_ledger = false;     ///< at boot: what the ledger has and boot.json lacks is not removed
  /// Nothing is wanted: what the ledger has of this section ("": of all) is let go, and the rest is left alone.
  std::optional<std::string> release = {};
};

/// Pure but for asking the snapshot. Throws Error(bad_spec) when two records turn out to be the same interface.
Plan make_plan(const Snapshot& snapshot, const Facts& facts, const Desired& desired, const Ledger& ledger,
               const PlanOptions& options);

/// Fills each item's next_boot from its twin's present state.
void fill_next_boot(const Snapshot& snapshot, const Desired& desired, Plan& plan);
/// Fills each item's columns; needs next_boot.
void fill_columns(const Desired& desired, Plan& plan);
/// Orders the steps: removals first, what needs another after it, boot.json last.
void order_steps(Plan& plan);
/// Whether a foreign file is about more than what the spec names: it is refused, and never taken over.
bool holds_more(const Claim& claim);
/// Refuses what may not be moved: bounces of the default route's interface, foreign files, other specs' work.
void apply_policy(const Snapshot& snapshot, const Desired& desired, const PlanOptions& options, Plan& plan);
/// Refuses a disruptive step on a device that others use, unless it is given up; says who they are.
void guard_users(const Snapshot& snapshot, const PlanOptions& options, Item& item, Plan& plan);
/// The same for mounts, storage and the session whose traffic a step interrupts.
void guard_connections(const Snapshot& snapshot, const PlanOptions& options, Plan& plan);
/// Refuses what other hosts feel unless it is allowed: a subnet manager that stops, a partition or a member that goes.
/// In a tree nobody feels anything.
void guard_fabric(const PlanOptions& options, Plan& plan);
/// Each process and kernel module that has something open, less what RDMA itself opens: "process 812 (rping, 1 queue
/// pair)".
std::vector<std::string> owners_of(const std::vector<RdmaUser>& users);
/// Sentences about what is legal and still will not work: a P_Key that the port's table lacks.
void add_warnings(Plan& plan);

}  // namespace rdmastate
