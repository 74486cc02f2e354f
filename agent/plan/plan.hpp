// SPDX-License-Identifier: Apache-2.0
// The difference between a host and what is wanted of it, and the ordered steps that remove it. Plain data.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plan/ledger.hpp"
#include "resources/step.hpp"
#include "resources/wanted.hpp"

namespace rdmastate {

/// What the next boot makes of a resource, by its twins; the worse, the later it stands here. `itself`: the resource
/// has no twin. `as_spec`, `differs`: the twin says what the spec says, or something else. `absent`: nothing brings the
/// resource back. `unknown`: the twin cannot be read, or a foreign file may win over it.
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
  forgotten,  ///< rdmastate made it and the spec no longer names it: it is removed
  released,   ///< rdmastate changed or loaded it and the spec no longer names it, or `release` lets go of it: it stays
  goes_with,  ///< it vanishes with something that is removed
  adopted,    ///< a foreign file that --adopt takes over
  taken_up,   ///< it carries rdmastate's mark and there is no ledger: the new ledger lists it
  purged,     ///< rdmastate did not make it and the spec does not name it, and the spec purges its kind
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
  std::string spec;  ///< the wanted value, or that of a new resource (is_default)
  /// The value on the host; "-" in a tree; "absent": there is no such resource; "unset": it has no value there;
  /// "unseen": this user may not read it.
  std::string live;
  NextBoot next_boot = NextBoot::itself;
  bool is_default = false;  ///< the spec gives no value: a resource that is created gets this one
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
  std::string called;  ///< "address 192.0.2.1/24 on mlx4_ib0": for people; empty where nothing is to be told of it
  Cause cause = Cause::wanted;
  Wanted asked = {};  ///< as the spec asks for it; a Wanted without a state where the spec does not name it
  Observation observed = Absent{};
  Gap gap = {};
  Loss loss = {};                            ///< what its step takes away
  Disruption disruption = Disruption::none;  ///< how much that disturbs, here or on other hosts
  std::vector<Ref> takes_along = {};         ///< what its step removes for a moment and apply puts back
  bool observable = true;                    ///< false for volatile kinds in a tree: the live column is "-"
  bool waived = false;                       ///< it is optional and this host cannot have it: no difference
  bool keeps_theirs = false;                 ///< a file taken over: its own text, with the spec's settings laid over it
  std::string stands_for = {};               ///< a file taken over: the key of the wanted file that it is; else empty
  bool due = false;                          ///< its owner has all that it needs, and has not made it yet
  NextBoot next_boot = NextBoot::itself;     ///< the worst of its twins
  std::vector<TwinState> twins = {};
  std::vector<Column> columns = {};       ///< the fields that differ, live or at the next boot; none of a durable kind
  std::vector<std::string> touches = {};  ///< what a disruptive step disturbs
  std::string warning = {};               ///< a sentence, which `verify` counts as blocked; empty: none

  bool has_step() const { return gap.move.has_value(); }
  bool is_removal() const { return has_step() && !gap.move->to; }
  /// The wanted state. nullptr: the resource is to be absent, or the spec does not name it.
  const State* wanted() const { return asked.state ? &*asked.state : nullptr; }
  /// The wanted state, else the observed one; nullptr: there is neither.
  const State* state() const { return asked.state ? &*asked.state : state_of(observed); }
  bool is_awaited() const { return !asked.awaited_from.empty(); }
  const std::string& title() const { return called; }
  /// Whether a printed plan has the item; one that is refused it has in any case.
  bool is_told() const {
    return !gap.in_sync() || !warning.empty() || cause == Cause::released || cause == Cause::taken_up ||
           is_taken_as_it_is();
  }
  /// Whether it is a foreign file that --adopt takes over and that says already what the spec says: the file stays as
  /// it is, and only the ledger changes.
  bool is_taken_as_it_is() const { return cause == Cause::adopted && keeps_theirs && !has_step(); }
};

/// The step of an item that has one, as a run records it.
Step step_of(const Item& item);

/// A reason why apply changes nothing.
struct PlanRefusal {
  std::string sentence;
  std::string allowed_by = {};           ///< the option that lets it be done all the same: "--adopt"; empty: none does
  std::optional<std::size_t> item = {};  ///< index in Plan::items of what is refused; nullopt: the plan as a whole
};

/// What is to be done on one host, in one round. Plain data: it can be printed, saved and compared.
struct Plan {
  Facts facts;
  std::string id;                     ///< of the spec
  std::string backend;                ///< the ipoib section's back end: "networkmanager"
  std::string backend_reason;         ///< why rdmastate chose it; empty where the spec names it
  std::vector<Item> items;            ///< everything wanted, and what else moves
  std::vector<std::size_t> steps;     ///< indices of the items to move, in order
  std::vector<PlanRefusal> refusals;  ///< policy: nothing is applied while there is one (exit 6)
  Ledger ledger;                      ///< as it is now
  Report remarks;                     ///< warnings about the spec that the host's facts reveal

  // Compiled once, in the .cpp of this name: at -O0 each source that ends or copies one takes a second or more for it.
  Plan();
  Plan(const Plan& other);
  Plan(Plan&& other) noexcept;
  Plan& operator=(const Plan& other);
  Plan& operator=(Plan&& other) noexcept;
  ~Plan();

  bool is_empty() const { return steps.empty(); }
  /// Adds a refusal of an item, which has to be an element of `items`.
  void refuse(const Item& item, std::string allowed_by, std::string sentence);
  /// Whether there is a refusal of the item at this index.
  bool is_refused(std::size_t item) const;
  /// The refusals' sentences.
  std::vector<std::string> refused() const;
  std::size_t count_taken_as_they_are() const;
  std::size_t count_waiting() const;  ///< items that a later round makes steps of, when a step of this plan is done
  std::size_t count_coming_along() const;  ///< items that a step of this plan brings: no steps of their own
  std::size_t count_pending() const;
  std::size_t count_blocked() const;
  std::size_t count_unseen() const;  ///< resources and files that this user may not look at
  /// Whether an item waits for a step of this plan: apply plans again after it.
  bool has_more_rounds() const;
  /// Whether the item is boot.json and more rounds follow: its step waits for the last one, since the next boot may
  /// read the file only when all else stands.
  bool is_of_last_round(const Item& item) const;
  /// The highest disruption of its steps, where `fabric` is the highest; `none` without a step.
  Disruption disruption() const;
  /// Whether an item waits for a reboot.
  bool needs_reboot() const;
};

/// What the user allows, and how a plan is made.
struct PlanOptions {
  std::string id = "host";             ///< of the spec; the ledger has it, so that another spec does not undo this one
  bool adopt = false;                  ///< take over foreign files
  bool replace = false;                ///< replace what a spec with another id made
  std::set<std::string> in_use = {};   ///< RDMA devices, or interfaces without one, whose users may be interrupted
  bool allow_fabric = false;           ///< steps that other hosts feel are allowed
  std::set<std::string> restart = {};  ///< units that this run may stop or restart
  /// The most that a step may disturb on this host; what other hosts feel has allow_fabric. boot_wish() sets `module`,
  /// since nobody uses the network yet at boot.
  Disruption max_disruption = Disruption::link;
  unsigned confirm_within = 0;  ///< seconds; not 0: the run is undone unless confirmed, so it may cut the default route
  bool as_owners = false;       ///< what owners of interfaces would do is planned as steps: for a recorded host
  bool bake = false;            ///< a tree becomes an image: no record of the run stays in it
  bool keep_ledger = false;     ///< at boot: what the ledger has and boot.json lacks is not removed
  /// `release`: what the ledger lists of this section ("": of all) stays as it is and leaves the ledger; the spec is
  /// not looked at. nullopt: no release.
  std::optional<std::string> release = {};
};

/// Makes the plan, reading nothing but the snapshot. Throws Misfit (bad_spec) when two records of the spec mean one
/// resource, and Error when steps need each other in a circle.
Plan make_plan(const Snapshot& snapshot, const Facts& facts, Desired desired, const Ledger& ledger,
               const PlanOptions& options);

/// Adds the items with their gaps, losses and refusals of foreign files. Moves the wanted resources out of `desired`.
void add_items(const Snapshot& snapshot, Desired& desired, const PlanOptions& options, Plan& plan);
/// Fills each item's next_boot from the present state of its twins, and from foreign files that win over them.
void fill_next_boot(const Snapshot& snapshot, const Desired& desired, Plan& plan);
/// Fills each item's columns; needs next_boot.
void fill_columns(Plan& plan);
/// Fills plan.steps: removals first, what needs another after it, boot.json last. Throws Error when steps need each
/// other in a circle.
void order_steps(Plan& plan);
/// Whether max_disruption or restart allows this loss, whoever uses what is lost.
bool may_take(const PlanOptions& options, const Loss& loss);
/// The option that allows the loss, as it is typed: "--restart nfs-server.service" where one unit is lost, else
/// "--max-disruption link".
std::string option_that_takes(const Loss& loss);
/// Fills each step's `touches`, and refuses what the options do not allow: another spec's work, too much disruption,
/// the loss of the default route, and what the guards below refuse.
void apply_policy(const Snapshot& snapshot, const PlanOptions& options, Plan& plan);
/// Refuses a step that takes an RDMA device from its users, unless in_use names the device; one that would wait for
/// them to end is refused always. Adds the users to `touches`.
void guard_users(const Snapshot& snapshot, const PlanOptions& options, Item& item, Plan& plan);
/// The same for the mounts, storage and rules of policy routing that a step interrupts. For the session of the user
/// in_use does not count, but confirm_within does.
void guard_connections(const Snapshot& snapshot, const PlanOptions& options, Plan& plan);
/// Gives each step that other hosts feel (a subnet manager that stops, a partition or a member that goes) the
/// disruption `fabric`, and adds what they lose to its `touches`. Refuses it unless allow_fabric is set. Does nothing
/// for a tree, which no other host feels.
void guard_fabric(const PlanOptions& options, Plan& plan);
/// Gives each step that puts foreign configuration out of force, which other hosts feel, the disruption `fabric`, and
/// adds that configuration to its `touches`. Refuses it unless adopt or allow_fabric is set. Of a tree too: other hosts
/// feel it at its next boot.
void guard_displaced(const PlanOptions& options, Plan& plan);

}  // namespace rdmastate
