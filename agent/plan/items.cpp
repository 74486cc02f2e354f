// SPDX-License-Identifier: Apache-2.0
// Adds the items of a plan: wanted resources, those that rdmastate made or changed and the spec no longer names,
// foreign files that configure the same, what the spec purges, and what removals take along. ItemsBuilder::build() has
// the order of all passes; items_judged.cpp and items_needs.cpp hold the others.
#include <fmt/format.h>

#include "plan/items_builder.hpp"
#include "plan/resource_name.hpp"
#include "plan/titles.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

// Two records of a spec may select one resource of the host.
[[noreturn]] void refuse_twice(const Item& first, const Wanted& again) {
  Report report;
  report.add(again.path, {fmt::format("{} is configured by {} already", first.key, first.asked.path), /*expected=*/"",
                          "one record for each: take one out, or let it mean another"});
  throw Misfit(std::move(report));
}

}  // namespace

// Each pass needs what stands before it. items_judged.cpp has judge(), tell_owners(), warn() and explain_awaited();
// items_needs.cpp has the last three.
void ItemsBuilder::build() {
  add_wanted();  // first: the others add only what is no item yet
  add_unwanted();
  add_claimants();
  add_purged();
  for (auto& item : plan_.items) judge(item);  // a kind may ask for all that is wanted (Intent)
  tell_owners();                               // by the files that judge() observed
  for (auto& item : plan_.items) warn(item);
  add_going_with();                                      // with the removals that judge() found
  for (auto& item : plan_.items) explain_awaited(item);  // by the step of the file that the owner reads
  give_titles();                                         // all items are there, and their gaps are known
  defer_by_needs();                                      // says titles in its sentences
  spare_ledger_directory();                              // these two count the steps that are left
  take_up_only_with_steps();
}

Item& ItemsBuilder::add(Item item) {
  item.observable = is_observable(*item.kind);
  by_name_.emplace(resource_name(item.kind->name, item.key), plan_.items.size());
  return plan_.items.emplace_back(std::move(item));
}

Item* ItemsBuilder::find(std::string_view kind, const std::string& key) {
  const auto found = by_name_.find(resource_name(kind, key));
  return found == by_name_.end() ? nullptr : &plan_.items[found->second];
}

// First notes, for key_for(), which other files could stand in a wanted file's place: Claimant::could_be is the key of
// that wanted file. A file that is about other things too (holds_more) is never taken over, so it is left out.
void ItemsBuilder::add_wanted() {
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

// The key for a wanted resource: its own, or the path of a foreign file that configures the same, where an earlier
// apply took that file over or --adopt does now. The foreign file then stays where it is, and gets the spec's settings.
// intent_.known() finds the entries of plan_.ledger by kind and key.
std::string ItemsBuilder::key_for(const Wanted& one) const {
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

// Whether the plan may let go of the entry: always, but with PlanOptions::release only where it is of that section
// (of any, where that is "").
bool ItemsBuilder::may_go(const LedgerEntry& entry) const {
  const auto& section = options_.release;
  return !section || section->empty() || entry.section == *section;
}

// Whether the entry is neither written nor removed (Desired::kept).
bool ItemsBuilder::is_kept(const LedgerEntry& entry) const {
  return std::find(desired_.kept.begin(), desired_.kept.end(), Ref{entry.kind, entry.key}) != desired_.kept.end();
}

// Whether the spec leaves the kind to another program (Desired::left).
bool ItemsBuilder::is_left(std::string_view kind) const {
  return std::find(desired_.left.begin(), desired_.left.end(), kind) != desired_.left.end();
}

// What the ledger lists and the spec does not name: what rdmastate made is removed; what it changed, and a module, is
// released. With PlanOptions::release all of it is released, of a tree also what a tree cannot have, and asked.path is
// the section that lets it go; else that is empty, since no place of the spec asks for it.
void ItemsBuilder::add_unwanted() {
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

// Files that configure what the spec names, and that are not wanted files themselves. Each is removed where
// Ownership::cause_of() has a cause for that; else the plan is refused.
void ItemsBuilder::add_claimants() {
  std::unordered_map<std::string, std::size_t> known;  // by path, whatever the kind
  for (std::size_t i = 0; i < plan_.items.size(); ++i) known.emplace(plan_.items[i].key, i);
  for (const auto& one : desired_.claimants) {
    const auto there = known.find(one.claim.path);
    Item* present = there == known.end() ? nullptr : &plan_.items[there->second];
    if (owners_.has_made(one.claim.path) || (present != nullptr && present->wanted() != nullptr)) continue;
    const auto cause = owners_.cause_of(one, options_.adopt);
    if (!cause) {
      plan_.refusals.push_back({refusal_of(one), /*allowed_by=*/one.holds_more ? "" : "--adopt"});
      continue;
    }
    if (present != nullptr) {
      present->cause = *cause;  // a file that was taken over, and is not wanted now
      continue;
    }
    known.emplace(one.claim.path, plan_.items.size());
    Item item;
    item.kind = one.kind;
    item.key = one.claim.path;
    item.cause = *cause;
    add(std::move(item));
  }
}

// Every resource of a purged kind that is no item yet.
void ItemsBuilder::add_purged() {
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

// What disappears or changes when the item is removed, by its kind; and copies of its file, as in an initrd.
std::vector<Ref> ItemsBuilder::going_with(const Item& item) const {
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
void ItemsBuilder::add_going_with() {
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
void ItemsBuilder::give_titles() {
  const auto found = [this](const Ref& ref) { return find(ref.kind, ref.key); };
  for (auto& item : plan_.items) {
    const bool may_be_shown = !item.gap.in_sync() || item.cause != Cause::wanted || !item.warning.empty();
    if (may_be_shown) item.called = fmt::format("{} {}", item.kind->name, title_of(item, snapshot_, found));
  }
}

// A file has one entry in the ledger. Where an earlier version knew it by another kind (netplan's file was a `file`),
// the entry becomes one of the kind that the spec wants now.
void move_entries(const Desired& desired, Ledger& ledger) {
  std::unordered_map<std::string_view, const Kind*> wanted;
  for (const auto& one : desired.wanted)
    if (is_whole_file(*one.kind)) wanted.emplace(one.key, one.kind);
  for (auto& entry : ledger.entries) {
    const Kind* kind = kind_named(entry.kind);
    const auto now = kind != nullptr && is_whole_file(*kind) ? wanted.find(entry.key) : wanted.end();
    if (now != wanted.end()) entry.kind = now->second->name;
  }
}

void add_items(const Snapshot& snapshot, Desired& desired, const PlanOptions& options, Plan& plan) {
  move_entries(desired, plan.ledger);
  ItemsBuilder(snapshot, desired, options, plan).build();
}

}  // namespace rdmastate
