// SPDX-License-Identifier: Apache-2.0
// Makes the items of a plan: what is wanted, what goes, and what that takes along. Builder::build() has the order:
// first all items are added, then each is judged by its kind (observed and compared), and at last a step that needs
// what is not there is taken back.
#include <fmt/format.h>

#include <unordered_map>

#include "base/error.hpp"
#include "base/fields_diff.hpp"
#include "plan/intent.hpp"
#include "plan/interrupts.hpp"
#include "plan/ownership.hpp"
#include "plan/planner.hpp"
#include "plan/resource_name.hpp"
#include "plan/titles.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

// Builds the items of one plan.
class Builder {
 public:
  Builder(const Snapshot& snapshot, Desired& desired, const PlanOptions& options, Plan& plan)
      : snapshot_(snapshot),
        desired_(desired),
        options_(options),
        plan_(plan),
        intent_(plan, snapshot, options),
        scene_{plan.facts, snapshot, intent_},
        owners_(snapshot, plan.ledger) {}

  void build() {
    add_wanted();
    add_unwanted();
    add_claimants();
    add_purged();
    for (auto& item : plan_.items) judge(item);
    tell_owners();
    for (auto& item : plan_.items) warn(item);
    add_going_with();
    for (auto& item : plan_.items) explain_awaited(item);
    give_titles();
    defer_by_needs();
    spare_ledger_directory();
    take_up_only_with_steps();
  }

 private:
  void add_wanted();
  std::string key_for(const Wanted& one) const;
  void add_unwanted();
  void add_claimants();
  void add_purged();
  void take_over(Item& item);
  void begin_as_theirs(Item& item) const;
  void tell_owners();
  void take_up_only_with_steps();
  void judge(Item& item);
  void compare(Item& item);
  static void leave_to_owner(Item& item, bool at_boot);
  void warn(Item& item);
  void add_going_with();
  std::vector<Ref> going_with(const Item& item) const;
  void explain_awaited(Item& item);
  void give_titles();
  void defer_by_needs();
  void spare_ledger_directory();
  void defer(Item& item, const Item& needed);
  Item* find(std::string_view kind, const std::string& key);
  Item& add(Item item);
  bool may_go(const LedgerEntry& entry) const {
    const auto& section = options_.release;
    return !section || section->empty() || entry.section == *section;
  }
  bool is_kept(const LedgerEntry& entry) const {
    return std::find(desired_.kept.begin(), desired_.kept.end(), Ref{entry.kind, entry.key}) != desired_.kept.end();
  }
  bool is_left(std::string_view kind) const {
    return std::find(desired_.left.begin(), desired_.left.end(), kind) != desired_.left.end();
  }
  bool is_observable(const Kind& kind) const { return kind.durable || !snapshot_.is_tree(); }

  const Snapshot& snapshot_;
  Desired& desired_;
  const PlanOptions& options_;
  Plan& plan_;
  PlanIntent intent_;
  Scene scene_;
  Ownership owners_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, std::vector<const Claimant*>>
      claimants_in_place_of_;  ///< by Claimant::could_be, a wanted file's path
};

Item& Builder::add(Item item) {
  item.observable = is_observable(*item.kind);
  by_name_.emplace(resource_name(item.kind->name, item.key), plan_.items.size());
  return plan_.items.emplace_back(std::move(item));
}

Item* Builder::find(std::string_view kind, const std::string& key) {
  const auto found = by_name_.find(resource_name(kind, key));
  return found == by_name_.end() ? nullptr : &plan_.items[found->second];
}

// Two records of a spec may select one resource of the host.
[[noreturn]] void refuse_twice(const Item& first, const Wanted& again) {
  Report report;
  report.add(again.path, {fmt::format("{} is configured by {} already", first.key, first.asked.path), "",
                          "one record for each: take one out, or let it mean another"});
  throw Misfit(std::move(report));
}

void Builder::add_wanted() {
  plan_.items.reserve(desired_.wanted.size());
  for (const auto& one : desired_.claimants)
    if (!one.could_be.empty() && !one.holds_more && one.claim.path != one.could_be)
      claimants_in_place_of_[one.could_be].push_back(&one);
  for (auto& one : desired_.wanted) {
    Item item;
    item.kind = one.kind;
    item.key = one.kind->resolve != nullptr ? one.kind->resolve(snapshot_, one.key) : key_for(one);
    if (item.kind->durable && item.key != one.key) item.stands_for = one.key;
    if (const Item* twice = find(one.kind->name, item.key)) refuse_twice(*twice, one);
    item.asked = std::move(one);
    const Item& added = add(std::move(item));
    if (!added.stands_for.empty())
      by_name_.emplace(resource_name(added.kind->name, added.stands_for), plan_.items.size() - 1);
  }
}

// The key for a wanted file. It is the path of a foreign file, which stays where it is with the spec's settings laid
// over it, where one was taken over before or --adopt takes it over now; else the wanted file's own path.
std::string Builder::key_for(const Wanted& one) const {
  const auto others = claimants_in_place_of_.find(one.key);
  if (!one.take_over || others == claimants_in_place_of_.end()) return one.key;
  std::string first = one.key;
  for (const Claimant* claimant : others->second) {
    const std::string& path = claimant->claim.path;
    const LedgerEntry* entry = intent_.known().find(one.kind->name, path);
    if (entry != nullptr && entry->origin == Origin::changed) return path;
    if (first == one.key && owners_.of_path(path) == Owner::foreign) first = path;
  }
  const bool has_own = intent_.known().find(one.kind->name, one.key) != nullptr || snapshot_.exists(one.key);
  return options_.adopt && !has_own ? first : one.key;
}

// What the ledger lists and the spec does not name: what rdmastate made is removed; what it changed, and a module, is
// released.
void Builder::add_unwanted() {
  if (options_.keep_ledger) return;
  for (const auto& entry : plan_.ledger.entries) {
    if (find(entry.kind, entry.key) != nullptr || !may_go(entry) || is_kept(entry)) continue;
    Item item;
    item.kind = kind_named(entry.kind);
    item.key = entry.key;
    item.asked.path = options_.release ? entry.section.value_or("") : "";
    const bool removable = !options_.release && entry.origin == Origin::made && !item.kind->may_stay;
    item.cause = removable ? Cause::forgotten : Cause::released;
    if (options_.release || is_observable(*item.kind)) add(std::move(item));
  }
}

// Files that configure what the spec names, and that are not wanted files themselves.
void Builder::add_claimants() {
  std::unordered_map<std::string, std::size_t> known;  // by path, whatever the kind
  for (std::size_t i = 0; i < plan_.items.size(); ++i) known.emplace(plan_.items[i].key, i);
  for (const auto& one : desired_.claimants) {
    const auto item_there = known.find(one.claim.path);
    const bool is_new = item_there == known.end();
    if (owners_.has_made(one.claim.path) || (!is_new && plan_.items[item_there->second].wanted() != nullptr)) continue;
    const auto cause = owners_.cause_of(one, options_.adopt);
    if (!cause) plan_.refusals.push_back({refusal_of(one), one.holds_more ? "" : "--adopt", {}});
    if (cause && !is_new)
      plan_.items[item_there->second].cause = *cause;  // one that was taken over, and is not wanted now
    if (!cause || !is_new) continue;
    known.emplace(one.claim.path, plan_.items.size());
    Item item;
    item.kind = one.kind;
    item.key = one.claim.path;
    item.cause = *cause;
    add(std::move(item));
  }
}

// Every resource of a purged kind that is no item yet.
void Builder::add_purged() {
  for (const Kind* kind : desired_.purged) {
    if (!is_observable(*kind)) continue;
    for (auto& key : kind->list(snapshot_)) {
      if (find(kind->name, key) != nullptr) continue;
      Item item;
      item.kind = kind;
      item.key = std::move(key);
      item.cause = Cause::purged;
      add(std::move(item));
    }
  }
}

// What is wanted of a foreign file, or of one that was taken over before, is what Wanted::take_over makes of it. The
// plan shows that without --adopt too, and is then refused.
void Builder::take_over(Item& item) {
  const State* theirs = state_of(item.observed);
  if (theirs == nullptr) return begin_as_theirs(item);
  if (!item.asked.take_over || owners_.of(item) == Owner::nobody) return;
  const LedgerEntry* entry = intent_.known().find(item.kind->name, item.key);
  if (entry != nullptr ? entry->origin != Origin::changed : owners_.of(item) != Owner::foreign) return;
  TakenOver taken = item.asked.take_over(*theirs);
  item.asked.state = std::move(taken.state);
  item.keeps_theirs = taken.keeps_theirs;
  if (entry != nullptr || !options_.adopt) return;  // taken over before: allowed; without --adopt tell_owners() refuses
  if (item.keeps_theirs) item.cause = Cause::adopted;
  for (const auto& sentence : taken.against) plan_.refuse(item, "", fmt::format("{}: {}", item.key, sentence));
}

// With --adopt a new file that replaces a foreign one (Wanted::begins_as) begins as a copy of it. The foreign file
// stays where it is, out of force.
void Builder::begin_as_theirs(Item& item) const {
  if (!options_.adopt || item.asked.begins_as.empty() || !item.asked.take_over) return;
  const Observation other = item.kind->observe(snapshot_, item.asked.begins_as);
  const State* theirs = state_of(other);
  if (theirs == nullptr) return;
  TakenOver taken = item.asked.take_over(*theirs);
  item.asked.state = std::move(taken.state);
  item.keeps_theirs = taken.keeps_theirs;
}

// Finds foreign files where the spec wants one of rdmastate or none: --adopt takes them over, without it the plan is
// refused. The ledger decides, and the mark in a file only where there is no ledger.
void Builder::tell_owners() {
  if (options_.release) return;
  for (auto& item : plan_.items) {
    if (item.cause != Cause::wanted) continue;
    const Owner owner = owners_.of(item);
    if (owner == Owner::lost) item.cause = Cause::taken_up;
    const bool moves = item.has_step() || !item.gap.after.empty();  // now, or in a later round
    if (owner != Owner::foreign || !moves) continue;
    if (options_.adopt) item.cause = Cause::adopted;
    if (!options_.adopt) plan_.refuse(item, "--adopt", refusal_of(item));
  }
}

// The ledger is written with steps alone, so without one nothing is taken up.
void Builder::take_up_only_with_steps() {
  if (std::any_of(plan_.items.begin(), plan_.items.end(), [](const Item& item) { return item.has_step(); })) return;
  for (auto& item : plan_.items)
    if (item.cause == Cause::taken_up && item.wanted() != nullptr) item.cause = Cause::wanted;
}

// A kind need not handle a read that is denied: its item is unseen then, and gets no step.
void Builder::judge(Item& item) {
  if (!item.observable) return;
  try {
    if (snapshot_.is_unseen(item.kind->name)) throw SystemError("looking at " + std::string(item.kind->name), EACCES);
    compare(item);
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    item.gap = {};
    item.gap.unseen = fmt::format("{}: {}", error.what(), snapshot_.who_sees());
    item.observed = Unseen{item.gap.unseen};
  }
}

// Observes the resource, asks its kind for the gap, and reduces the step to what rdmastate may do now.
void Builder::compare(Item& item) {
  item.observed = item.kind->observe(snapshot_, item.key);
  if (const auto* unseen = std::get_if<Unseen>(&item.observed)) {
    item.gap.unseen = unseen->reason;
    return;
  }
  if (item.cause == Cause::released) return;
  take_over(item);
  item.gap = item.kind->gap(scene_, item.key, item.wanted(), item.observed);
  if (item.cause == Cause::purged && !item.gap.move) item.gap = {};  // not removable, like a port's own interface
  if (item.asked.optional && !item.gap.blocked.empty() && state_of(item.observed) == nullptr) {
    item.gap = {};
    item.waived = true;
  }
  if (item.is_awaited() && item.gap.move && !options_.as_owners) leave_to_owner(item, options_.keep_ledger);
  weigh(scene_, item);
  hold_still(scene_, item);
}

// Leaves a step to the owner: the item is pending instead. What no owner does (Kind::ours) stays a step, but not at
// boot: udev gives names then, and the owner may be at work.
void Builder::leave_to_owner(Item& item, bool at_boot) {
  const auto& [from, to] = *item.gap.move;
  std::optional<Gap::Move> ours;
  if (!at_boot && from && to) ours = item.kind->ours(*from, *to);
  const auto differing = [&](const Gap::Move& move) {
    return diff(item.kind->record(), move.from->raw(), move.to->raw()).size();
  };
  if (!ours || differing(*ours) < differing(*item.gap.move))
    item.gap.pending = {fmt::format("{} has not configured it", item.asked.awaited_from), Until::owner};
  item.gap.move = std::move(ours);
}

void Builder::warn(Item& item) {
  item.warning = fmt::format("{}", fmt::join(item.asked.unmet, "; "));
  if (item.wanted() == nullptr) return;
  const std::string warning = item.kind->warn(scene_, item.key, *item.wanted());
  if (!warning.empty()) item.warning += (item.warning.empty() ? "" : "; ") + warning;
}

// Says who makes an awaited item, and what that owner waits for. The last twin is the file that the owner reads.
void Builder::explain_awaited(Item& item) {
  const auto& [twins, waits] = std::tie(item.asked.twins, item.asked.waits);
  if (!item.gap.pending.empty() && !waits.empty()) item.gap.pending = {waits, Until::owner};
  if (!item.is_awaited() || item.gap.pending.empty() || twins.empty() || !waits.empty()) return;
  const Item* file = find(twins.back().file.kind, twins.back().file.key);
  if (file == nullptr) return;
  const bool coming = file->has_step() || !file->gap.after.empty();
  if (coming && file->gap.pending.empty()) {
    item.gap.pending = {fmt::format("{} configures it from {}", item.asked.awaited_from, file->key), Until::owner};
  } else if (!file->gap.pending.empty()) {
    item.gap.pending = file->gap.pending;
  } else {
    item.due = true;
    item.gap.pending.sentence += fmt::format(", although it runs what {} says: see its log", file->key);
  }
}

// What disappears or changes when the item is removed, by its kind; and copies of its file, as in an initrd.
std::vector<Ref> Builder::going_with(const Item& item) const {
  std::vector<Ref> refs = item.kind->goes_with(snapshot_, item.key);
  if (!item.kind->durable) return refs;
  for (const Kind* kind : all_kinds()) {
    std::string copy = kind->copy_of(item.kind->file_of_key(item.key));
    if (!copy.empty()) refs.push_back({kind->name, std::move(copy)});
  }
  return refs;
}

// A removal takes other resources along. They get steps of their own, so that a run records them and undo brings them
// back.
void Builder::add_going_with() {
  for (std::size_t i = 0; i < plan_.items.size(); ++i) {
    if (!plan_.items[i].is_removal()) continue;
    for (const auto& ref : going_with(plan_.items[i])) {
      if (find(ref.kind, ref.key) != nullptr || is_left(ref.kind)) continue;
      Item going;
      going.kind = kind_named(ref.kind);
      going.key = ref.key;
      going.cause = Cause::goes_with;
      judge(add(std::move(going)));
    }
  }
}

// Only an item that a plan or a message can name gets a title.
void Builder::give_titles() {
  const auto found = [this](const Ref& ref) { return find(ref.kind, ref.key); };
  for (auto& item : plan_.items) {
    const bool may_be_shown = !item.gap.in_sync() || item.cause != Cause::wanted || !item.warning.empty();
    if (may_be_shown) item.called = fmt::format("{} {}", item.kind->name, title_of(item, snapshot_, found));
  }
}

// A step whose need is missing is removed: the item is after, blocked, unseen or pending like that need.
void Builder::defer(Item& item, const Item& needed) {
  const bool is_there = needed.gap.in_sync() && !needed.waived;
  if (!item.has_step() || !item.gap.move->to || needed.has_step() || is_there) return;
  if (state_of(needed.observed) != nullptr && !needed.gap.is_in_the_way) return;
  item.gap.move.reset();
  weigh(scene_, item);
  item.waived = needed.waived;
  if (!needed.gap.after.empty()) {
    item.gap.after = needed.gap.after;
  } else if (!needed.gap.blocked.empty()) {
    item.gap.blocked = fmt::format("it needs {}: {}", needed.title(), needed.gap.blocked);
    if (needed.gap.never) item.gap.never.emplace();
  } else if (!needed.gap.unseen.empty()) {
    item.gap.unseen = fmt::format("it needs {}: {}", needed.title(), needed.gap.unseen);
  } else {
    item.gap.pending = needed.gap.pending;
  }
}

// A need may stand before or behind the item that has it: repeat until nothing changes. Chains of needs are short.
void Builder::defer_by_needs() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& item : plan_.items) {
      if (!item.has_step()) continue;
      for (const auto& ref : item.kind->needs(item.key, item.wanted()))
        if (const Item* needed = find(ref.kind, ref.key)) defer(item, *needed);
      changed |= !item.has_step();
    }
  }
}

// The ledger's directory is made for the ledger alone. Where it would be the only step, no ledger is written, so the
// step is removed.
void Builder::spare_ledger_directory() {
  const Ref directory = needs_directory(std::string(common_layout().ledger), nullptr).front();
  Item* item = find(directory.kind, directory.key);
  if (item == nullptr || !item->has_step() || !item->gap.move->to) return;
  const auto steps = std::count_if(plan_.items.begin(), plan_.items.end(), [](const Item& i) { return i.has_step(); });
  if (steps == 1) item->gap.move.reset();
}

}  // namespace

void add_items(const Snapshot& snapshot, Desired& desired, const PlanOptions& options, Plan& plan) {
  Builder(snapshot, desired, options, plan).build();
}

}  // namespace rdmastate
