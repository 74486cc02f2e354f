// SPDX-License-Identifier: Apache-2.0
#include "apply/execute.hpp"

#include <fmt/format.h>

#include <set>

#include "base/error.hpp"
#include "plan/print.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

using ResourceName = std::pair<std::string, std::string>;  // kind and key

// Whether the path is the ledger's directory: the ledger lists neither its directory nor itself.
bool is_ledger_directory(const std::string& path) { return path == parent_path(std::string(common_layout().ledger)); }

using Entries = std::map<ResourceName, LedgerEntry>;

// Whether one of the item's twins is among the entries.
bool has_own_twin(const Item& item, const Entries& entries) {
  const auto& twins = item.asked.twins;
  return std::any_of(twins.begin(), twins.end(), [&](const Twin& twin) {
    return entries.contains({std::string(twin.file.kind), twin.file.key});
  });
}

// Whether the item's resource is absent and cannot be made yet, and a twin of rdmastate's makes it later
// (Kind::made_late): the ledger lists the resource as made. One that a foreign twin makes is foreign too.
bool comes_late(const Item& item, const Entries& entries) {
  return item.kind->made_late && item.wanted() != nullptr && item.observable && !item.has_step() && !item.gap.never &&
         !item.gap.in_sync() && state_of(item.observed) == nullptr && has_own_twin(item, entries);
}

// The section that a path of the spec begins with; nullopt for an empty path.
std::optional<std::string> named_section(const std::string& path) {
  std::string section = section_of(path);
  return section.empty() ? std::nullopt : std::optional(std::move(section));
}

// Lists a resource as made or changed although it has no step.
void add_listed(const Item& item, const State& state, Origin origin, Entries& entries) {
  entries.emplace(ResourceName{item.kind->name, item.key}, LedgerEntry{std::string(item.kind->name), item.key, origin,
                                                                       digest(state), named_section(item.asked.path)});
}

// The entry of a resource that a step makes or changes. One that the ledger has already keeps its origin.
LedgerEntry entry_for(const RoundStep& one, const ResourceName& name, const Entries& before) {
  const RunStep& step = one.step;
  LedgerEntry entry{name.first, name.second, Origin::made, digest(*step.to), named_section(one.section)};
  if (const auto old = before.find(name); old != before.end()) {
    entry.origin = old->second.origin;
  } else if (one.keeps_theirs || (step.from && step.kind->changes_others())) {
    entry.origin = Origin::changed;
  }
  return entry;
}

// Whether the step removes a part of what the spec wants absent and no ledger lists, such as a unit's start at boot:
// the rest stays foreign.
bool leaves_foreign_rest(const Plan& plan, const RoundStep& one, const ResourceName& name, const Entries& entries) {
  return one.item && plan.items[*one.item].wanted() == nullptr && !entries.contains(name);
}

}  // namespace

std::vector<RoundStep> steps_of_round(const Plan& plan) {
  std::vector<RoundStep> round;
  for (const std::size_t index : plan.steps) {
    const Item& item = plan.items[index];
    if (plan.is_of_last_round(item)) continue;
    round.push_back(
        {step_of(item), step_line(item), index, section_of(item.asked.path), item.keeps_theirs, item.takes_along});
  }
  return round;
}

std::vector<RunStep> recorded(const std::vector<RoundStep>& round) {
  std::vector<RunStep> steps;
  for (const auto& one : round) steps.push_back(one.step);
  return steps;
}

std::vector<RunStep> taken_along(Host& host, const std::vector<RoundStep>& round) {
  std::set<ResourceName> known;
  for (const auto& one : round) known.emplace(one.step.kind->name, one.step.key);
  const Snapshot snapshot(host);
  std::vector<RunStep> taken;
  for (const auto& one : round)
    for (const auto& ref : one.takes_along) {
      if (!known.emplace(ref.kind, ref.key).second) continue;
      const Kind* kind = kind_named(ref.kind);
      const Observation observed = kind->observe(snapshot, ref.key);
      if (const State* now = state_of(observed)) taken.push_back({kind, ref.key, *now, *now});
    }
  return taken;
}

Ledger ledger_after(const Plan& plan, const std::vector<RoundStep>& round, const Ledger& before) {
  Entries entries;
  for (const auto& entry : before.entries) entries.emplace(ResourceName{entry.kind, entry.key}, entry);
  // What is released, or forgotten and gone, goes.
  for (const auto& item : plan.items) {
    const bool is_gone = std::holds_alternative<Absent>(item.observed);  // what may not be read may still be there
    if (item.cause == Cause::released || (item.cause == Cause::forgotten && is_gone))
      entries.erase({std::string(item.kind->name), item.key});
  }
  // What the steps of the round make or change comes in, and what they remove goes.
  for (const auto& one : round) {
    const ResourceName name{std::string(one.step.kind->name), one.step.key};
    if (!one.step.to || is_ledger_directory(one.step.key) || one.step.kind->copies_others) {
      entries.erase(name);
    } else if (!leaves_foreign_rest(plan, one, name, entries)) {
      entries.insert_or_assign(name, entry_for(one, name, entries));
    }
  }
  // What needs no step comes in: it comes late, or is taken up or taken as it is.
  for (const auto& item : plan.items) {
    const State* present = state_of(item.observed);
    if (comes_late(item, entries)) add_listed(item, *item.wanted(), Origin::made, entries);
    if (item.wanted() == nullptr || present == nullptr) continue;
    if (item.cause == Cause::taken_up) add_listed(item, *present, Origin::made, entries);
    if (item.is_taken_as_it_is()) add_listed(item, *present, Origin::changed, entries);
  }

  Ledger after;
  after.id = plan.id;
  after.machine_id = plan.facts.machine_id;
  for (auto& [name, entry] : entries) after.entries.push_back(std::move(entry));
  return after;
}

void add_ledger_steps(Host& host, const Ledger& ledger, const std::string& applied, std::vector<RoundStep>& round) {
  constexpr std::uint32_t private_file = 0600;
  const Snapshot snapshot(host);
  const std::string text = ledger_text(ledger);
  const bool keeps_spec = !text.empty() && !host.is_rehearsal;
  const auto& [ledger_path, applied_path] = std::pair(common_layout().ledger, common_layout().applied);
  auto spec = step_to_text(snapshot, std::string(applied_path), keeps_spec ? applied : "", private_file);
  auto step = step_to_text(snapshot, std::string(ledger_path), text);
  if (spec) round.push_back({std::move(*spec), /*line=*/""});
  if (step) round.push_back({std::move(*step), /*line=*/""});
}

void Executor::stage(const std::vector<RunStep>& steps) {
  for (const auto& step : steps) {
    in_context("preparing " + title(step), [&] { step.kind->stage(tools_, step.key, pointer(step.to)); });
  }
  tools_.host.files.sync_staged();
}

void Executor::move(const RunStep& step) {
  note_("begin " + title(step));
  in_context(title(step), [&] { step.kind->move(tools_, step.key, pointer(step.from), pointer(step.to)); });
  note_("done " + title(step));
}

void Executor::put_back(const std::vector<RunStep>& taken_along) {
  if (taken_along.empty()) return;
  const auto is_there = [](const Snapshot& now, const RunStep& one) {
    return state_of(one.kind->observe(now, one.key)) != nullptr;
  };
  links_.forget();
  const Snapshot now(tools_.host);
  for (const auto& one : taken_along) {
    if (is_there(now, one)) continue;
    try {
      one.kind->move(tools_, one.key, nullptr, &*one.to);
    } catch (const Error&) {
      if (!is_there(Snapshot(tools_.host), one)) throw;
    }
  }
}

}  // namespace rdmastate
