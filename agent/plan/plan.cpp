// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "base/error.hpp"
#include "plan/interrupts.hpp"
#include "plan/ofed.hpp"
#include "platform/layout.hpp"
#include "resources/file.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/link_types.hpp"
#include "resources/module.hpp"
#include "resources/nm_profile.hpp"
#include "resources/rdma_device.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

std::string name_of(std::string_view kind, std::string_view key) {
  std::string name;
  name.reserve(kind.size() + 1 + key.size());
  return name.append(kind).append(1, ' ').append(key);
}

// Builds the items of one plan.
class Builder {
 public:
  Builder(const Snapshot& snapshot, const Desired& desired, const PlanOptions& options, Plan& plan)
      : snapshot_(snapshot), desired_(desired), options_(options), plan_(plan), scene_{plan.facts, snapshot} {}

  void build() {
    add_wanted();
    add_unwanted();
    if (options_.adopt) add_adopted();
    set_scene();
    for (auto& item : plan_.items) judge(item);
    add_going_with();
    explain_awaited();
    call();
    propagate();
    spare_home();
  }

 private:
  void add_wanted();
  void add_unwanted();
  void add_adopted();
  void set_scene();
  void note_going_names();
  void note_going_interfaces();
  void note_changing_devices();
  void judge(Item& item);
  void add_going_with();
  void explain_awaited();
  void call();
  void propagate();
  void spare_home();
  void defer(Item& item, const Item& needed);
  Item* find(std::string_view kind, const std::string& key);
  Item& add(Item item);
  bool may_go(const LedgerEntry& entry) const {
    const auto& section = options_.release;
    return !section || section->empty() || entry.section == *section;
  }
  bool is_left(std::string_view kind) const {
    return std::find(desired_.left.begin(), desired_.left.end(), kind) != desired_.left.end();
  }
  bool is_observable(const Kind& kind) const { return kind.durable || !snapshot_.is_tree(); }

  const Snapshot& snapshot_;
  const Desired& desired_;
  const PlanOptions& options_;
  Plan& plan_;
  Scene scene_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

Item& Builder::add(Item item) {
  item.observable = is_observable(*item.kind);
  by_name_.emplace(name_of(item.kind->name, item.key), plan_.items.size());
  return plan_.items.emplace_back(std::move(item));
}

Item* Builder::find(std::string_view kind, const std::string& key) {
  const auto found = by_name_.find(name_of(kind, key));
  return found == by_name_.end() ? nullptr : &plan_.items[found->second];
}

void Builder::add_wanted() {
  plan_.items.reserve(desired_.wanted.size());
  for (const auto& one : desired_.wanted) {
    Item item;
    item.kind = one.kind;
    item.key = one.kind->resolve != nullptr ? one.kind->resolve(snapshot_, one.key) : one.key;
    item.path = one.path;
    item.wanted = one.state;
    item.awaited_from = one.awaited_from;
    item.optional = one.optional;
    item.warning = fmt::format("{}", fmt::join(one.unmet, "; "));
    if (const Item* twice = find(one.kind->name, item.key))
      throw Error(fmt::format("{} and {} mean the same {}: {}", twice->path, one.path, one.kind->name, item.key),
                  ExitCode::bad_spec);
    add(std::move(item));
  }
}

// What the ledger has and the spec does not name: made is removed, changed (and a module) is let go.
void Builder::add_unwanted() {
  if (options_.keep_ledger) return;
  for (const auto& entry : plan_.ledger.entries) {
    if (find(entry.kind, entry.key) != nullptr || !may_go(entry)) continue;
    Item item;
    item.kind = kind_named(entry.kind);
    item.key = entry.key;
    item.path = options_.release ? entry.section.value_or("") : "";
    const bool removable = !options_.release && entry.origin == Origin::made && !item.kind->may_stay;
    item.cause = removable ? Cause::forgotten : Cause::released;
    if (options_.release || is_observable(*item.kind)) add(std::move(item));
  }
}

void Builder::add_adopted() {
  for (const auto& claim : desired_.foreign) {
    if (holds_more(claim)) continue;
    const Kind* kind = claim.manager == "networkmanager" ? &nm_profile_kind : &file_kind;
    if (find(kind->name, claim.path) != nullptr) continue;
    Item item;
    item.kind = kind;
    item.key = claim.path;
    item.cause = Cause::adopted;
    add(std::move(item));
  }
}

void Builder::set_scene() {
  for (const auto& item : plan_.items) {
    const bool comes = item.kind == &module_kind && item.wanted && item.observable;
    if (comes && snapshot_.module({item.key}) == ModuleStatus::loadable) scene_.coming_modules.insert(item.key);
    if (item.kind->durable && !item.wanted) scene_.going_files.insert(item.key);
  }
  note_going_names();
  note_going_interfaces();
  note_changing_devices();
  for (const auto& entry : plan_.ledger.entries) scene_.moved_to.emplace(entry.kind + " " + entry.key, entry.digest);
}

// Names that the spec takes from the devices that have them now.
void Builder::note_going_names() {
  for (const auto& item : plan_.items) {
    if (item.kind != &rdma_device_kind || !item.wanted || !item.observable) continue;
    const auto& name = item.wanted->as<RdmaDeviceState>().name;
    for (const auto* device : meant_of(snapshot_.devices(), device_id_from(item.key)))
      if (name && name->value != device->name) scene_.going_names.insert(device->name);
  }
}

// Names that the spec takes from the interfaces that have them now.
void Builder::note_going_interfaces() {
  for (const auto& item : plan_.items) {
    if (item.kind != &ipoib_link_kind || !item.wanted || !item.observable || !item.awaited_from.empty()) continue;
    const auto& name = item.wanted->as<IpoibLink>().name;
    const Link* link = find_link(snapshot_, link_id_from(item.key));
    if (name && link != nullptr && name->value != link->name) scene_.going_interfaces.emplace(link->name, !link->up);
  }
}

// What stands on their ports can only be planned when those are what they shall be.
void Builder::note_changing_devices() {
  for (const auto& item : plan_.items) {
    if (item.kind != &link_types_kind || !item.wanted || !item.observable) continue;
    const Gap gap = item.kind->gap(scene_, item.key, &*item.wanted, item.kind->observe(snapshot_, item.key));
    if (!gap.move || gap.move->disruption == Disruption::none) continue;
    for (const auto* device : meant_of(snapshot_.devices(), device_id_from(item.key)))
      scene_.changing_devices.emplace(device->name, fmt::format("{} {}", item.kind->name, item.key));
  }
}

void Builder::judge(Item& item) {
  if (!item.observable) return;
  item.observed = item.kind->observe(snapshot_, item.key);
  if (const auto* unseen = std::get_if<Unseen>(&item.observed)) {
    item.gap.unseen = unseen->reason;
    return;
  }
  if (item.cause == Cause::released) return;
  item.gap = item.kind->gap(scene_, item.key, item.wanted ? &*item.wanted : nullptr, item.observed);
  if (item.optional && !item.gap.blocked.empty() && state_of(item.observed) == nullptr) {
    item.gap = {};
    item.waived = true;
  }
  if (item.awaited_from.empty()) {
    hold_still(snapshot_, item);
  } else if (item.gap.move) {
    item.gap.move.reset();
    item.gap.pending = fmt::format("{} has not made it so", item.awaited_from);
  }
}

// Who makes it, and what that waits for: its twin is the file that its owner reads.
void Builder::explain_awaited() {
  for (std::size_t i = 0; i < desired_.wanted.size(); ++i) {
    Item& item = plan_.items[i];
    const auto& [twins, waits] = std::tie(desired_.wanted[i].twins, desired_.wanted[i].waits);
    if (!item.gap.pending.empty() && !waits.empty()) item.gap.pending = waits;
    if (item.awaited_from.empty() || item.gap.pending.empty() || twins.empty() || !waits.empty()) continue;
    const Item* file = find(twins.back().file.kind, twins.back().file.key);
    if (file == nullptr) continue;
    const bool coming = file->has_step() || !file->gap.after.empty();
    if (coming && file->gap.pending.empty()) {
      item.gap.pending = fmt::format("{} makes it so with {}", item.awaited_from, file->key);
    } else if (!file->gap.pending.empty()) {
      item.gap.pending = file->gap.pending;
    } else {
      item.due = true;
      item.gap.pending += fmt::format(", although it runs what {} says: see its log", file->key);
    }
  }
}

// A removal takes more with it than its own resource: as steps of their own they are recorded and come back on undo.
void Builder::add_going_with() {
  for (std::size_t i = 0; i < plan_.items.size(); ++i) {
    const Item& item = plan_.items[i];
    if (!item.has_step() || item.gap.move->to || item.kind->goes_with == nullptr) continue;
    for (const auto& ref : item.kind->goes_with(snapshot_, item.key)) {
      if (find(ref.kind, ref.key) != nullptr || is_left(ref.kind)) continue;
      Item more;
      more.kind = kind_named(ref.kind);
      more.key = ref.key;
      more.cause = Cause::goes_with;
      judge(add(std::move(more)));
    }
  }
}

// Keys name interfaces by what does not change; people know them by their names.
void Builder::call() {
  std::unordered_map<std::string, std::string> names;
  for (auto& item : plan_.items) {
    const bool shown = !item.gap.in_sync() || item.cause != Cause::wanted || !item.warning.empty();
    if (!shown && item.kind != &ipoib_link_kind) continue;  // a link gives its name to others, and may be warned of
    const State* state = item.wanted ? &*item.wanted : state_of(item.observed);
    item.called = fmt::format("{} {}", item.kind->name, item.kind->title(item.key, state));
    if (item.kind == &ipoib_link_kind && state != nullptr && state->as<IpoibLink>().name)
      names.emplace(item.key, state->as<IpoibLink>().name->value);
  }
  for (auto& item : plan_.items) {
    const std::size_t on = item.called.rfind(" on ");
    if (on == std::string::npos || item.kind->durable) continue;
    if (const auto name = names.find(item.called.substr(on + 4)); name != names.end())
      item.called.replace(on + 4, std::string::npos, name->second);
  }
}

void Builder::defer(Item& item, const Item& needed) {
  const bool there = needed.gap.in_sync() && !needed.waived;
  if (!item.has_step() || !item.gap.move->to || needed.has_step() || there) return;
  if (state_of(needed.observed) != nullptr) return;
  item.gap.move.reset();
  item.waived = needed.waived;
  if (!needed.gap.after.empty()) {
    item.gap.after = needed.gap.after;
  } else if (!needed.gap.blocked.empty()) {
    item.gap.blocked = fmt::format("it needs {}: {}", needed.title(), needed.gap.blocked);
  } else if (!needed.gap.unseen.empty()) {
    item.gap.unseen = fmt::format("it needs {}: {}", needed.title(), needed.gap.unseen);
  } else {
    item.gap.pending = needed.gap.pending;
  }
}

// Parents stand before children in a spec as often as behind them: repeat until nothing changes (depth is small).
void Builder::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& item : plan_.items) {
      if (!item.has_step()) continue;
      for (const auto& ref : item.kind->needs(item.key, item.wanted ? &*item.wanted : nullptr))
        if (const Item* needed = find(ref.kind, ref.key)) defer(item, *needed);
      changed |= !item.has_step();
    }
  }
}

// The ledger's directory is made for what the ledger will hold: where nothing else is moved there is nothing.
void Builder::spare_home() {
  Item* home = find(file_kind.name, parent_path(std::string(common_layout().ledger)));
  if (home == nullptr || !home->has_step() || !home->gap.move->to) return;
  const auto steps = std::count_if(plan_.items.begin(), plan_.items.end(), [](const Item& i) { return i.has_step(); });
  if (steps == 1) home->gap.move.reset();
}

}  // namespace

std::size_t Plan::count_pending() const {
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [](const Item& i) { return !i.gap.pending.empty(); }));
}

std::size_t Plan::count_blocked() const {
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [](const Item& i) { return !i.gap.blocked.empty(); }));
}

std::size_t Plan::count_unseen() const {
  const auto items_unseen =
      std::count_if(items.begin(), items.end(), [](const Item& i) { return !i.gap.unseen.empty(); });
  return static_cast<std::size_t>(items_unseen) + facts.unseen.size();
}

bool Plan::has_more_rounds() const {
  return std::any_of(items.begin(), items.end(), [](const Item& i) { return !i.gap.after.empty(); });
}

Plan make_plan(const Snapshot& snapshot, const Facts& facts, const Desired& desired, const Ledger& ledger,
               const PlanOptions& options) {
  Plan plan;
  plan.facts = facts;
  plan.id = options.id;
  plan.backend = desired.backend;
  plan.backend_reason = desired.backend_reason;
  plan.ledger = ledger;
  Builder(snapshot, desired, options, plan).build();
  order_steps(plan);
  apply_policy(snapshot, desired, options, plan);
  add_warnings(plan);
  add_ofed_warnings(snapshot, plan);
  fill_next_boot(snapshot, desired, plan);
  fill_columns(desired, plan);
  return plan;
}

}  // namespace rdmastate
