// SPDX-License-Identifier: Apache-2.0
// A step makes or removes the links that enable the unit, and then has systemd start or stop the unit. What other kinds
// ask is at the end.
#include "resources/unit/unit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "host/ordered_files.hpp"
#include "host/recorded/model.hpp"
#include "platform/layout.hpp"
#include "platform/nfs.hpp"
#include "resources/file/file.hpp"
#include "resources/unit/on_disk.hpp"

namespace rdmastate {
namespace {

const std::string own_directory = std::string(common_layout().units) + "/";

std::string link_path(const std::string& unit) {
  return fmt::format("{}multi-user.target.wants/{}", own_directory, unit);
}

bool is_enabled(const UnitState& state) { return state.enabled.value_or(false); }
bool runs(const UnitState& state) { return state.active.value_or(false); }

Observation unit_observe(const Snapshot& snapshot, const std::string& key) {
  UnitState state;
  state.links = links_that_start(snapshot, key);
  state.enabled = !state.links.empty();
  if (snapshot.systemd_answers()) {
    const UnitLook* look = snapshot.unit(key);
    state.active = look != nullptr && look->active;
  }
  if (!is_enabled(state) && !runs(state)) return Absent{};
  return State(unit_kind, std::move(state));
}

// Adds the link that systemctl enable would make. A unit that is not installed yet gets a link to where its package
// puts it.
void enable(const Snapshot& snapshot, const std::string& key, UnitState& state) {
  if (is_enabled(state)) return;
  const std::string path = found_unit(snapshot, key);
  state.enabled = true;
  state.links.emplace(link_path(key), path.empty() ? "/usr/lib/systemd/system/" + key : path);
}

// Removes the links in /etc alone, as systemctl disable does.
void disable(UnitState& state) {
  std::erase_if(state.links, [](const auto& link) { return link.first.starts_with(own_directory); });
  state.enabled = !state.links.empty();
}

// nullopt for a unit that is neither started at boot nor runs: that is absent.
std::optional<State> state_or_nothing(UnitState state) {
  if (!is_enabled(state) && !runs(state)) return std::nullopt;
  return State(unit_kind, std::move(state));
}

Loss loss_of(const Scene& scene, const std::string& key, const UnitState* from, const UnitState* to) {
  const bool stops = from != nullptr && runs(*from) && (to == nullptr || !runs(*to));
  return stops ? loss_of_service(scene.snapshot, key) : Loss{};
}

// A unit that may not be stopped now is only disabled, and pending. One that a link of a package starts is blocked.
Gap gap_of_removal(const Scene& scene, const std::string& key, const State& present) {
  const auto& from = present.as<UnitState>();
  UnitState to = from;
  Gap gap;
  disable(to);
  if (is_enabled(to)) {
    gap.blocked = fmt::format("{} starts it, which belongs to a package: systemctl mask {} keeps it from starting",
                              to.links.begin()->first, key);
    return gap;
  }
  const std::string why = scene.plan.why_kept(loss_of(scene, key, &from, nullptr));
  if (why.empty()) {
    to.active.reset();
  } else {
    gap.pending = {fmt::format("it does not start at boot any more, and runs until it is stopped: {}", why),
                   Until::unit};
  }
  if (to != from) gap.move = Gap::Move{present, state_or_nothing(std::move(to))};
  return gap;
}

Gap unit_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return present == nullptr ? Gap{} : gap_of_removal(scene, key, *present);
  const UnitState from = present == nullptr ? UnitState{} : present->as<UnitState>();
  const auto& asked = wanted->as<UnitState>();
  UnitState to = from;
  Gap gap;
  if (is_enabled(asked)) enable(scene.snapshot, key, to);
  if (runs(asked) && !runs(from)) {
    gap.pending = why_not_started(scene.snapshot, key);
    if (gap.pending.empty() && !scene.snapshot.is_tree()) to.active = true;
  }
  if (to != from)
    gap.move = Gap::Move{present == nullptr ? std::nullopt : std::optional(*present), State(unit_kind, std::move(to))};
  return gap;
}

Loss unit_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  const auto state = [](const State* one) { return one == nullptr ? nullptr : &one->as<UnitState>(); };
  return loss_of(scene, key, state(from), state(to));
}

std::vector<Ref> unit_needs(const std::string& key, const State*) {
  return {{file_kind.name, parent_path(link_path(key))}};
}

void unit_stage(Tools& tools, const std::string&, const State* to) {
  if (to == nullptr) return;
  for (const auto& [path, target] : to->as<UnitState>().links)
    if (!tools.host.files.meta(path)) stage_file(tools, path, symlink_to(target));
}

void move_links(Tools& tools, const UnitState& from, const UnitState& to) {
  for (const auto& [path, target] : from.links)
    if (!to.links.contains(path) && path.starts_with(own_directory)) tools.host.files.remove(path);
  for (const auto& [path, target] : to.links)
    if (!from.links.contains(path)) write_file(tools, path, symlink_to(target));
}

// A unit that runs already, or no longer, is left as it is: another program may have told systemd meanwhile.
void unit_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  const UnitState nothing;
  const UnitState& was = from == nullptr ? nothing : from->as<UnitState>();
  const UnitState& becomes = to == nullptr ? nothing : to->as<UnitState>();
  move_links(tools, was, becomes);
  if (tools.host.units == nullptr || !tools.host.units->answers()) return;
  const auto look = tools.host.units->look(key);
  if (!look) return;
  if (look->needs_reload) tools.host.units->reload();
  if (runs(becomes) && !look->active) tools.host.units->start(key);
  if (runs(was) && !runs(becomes) && look->active) tools.host.units->stop(key);
}

std::string unit_title(const std::string& key, const State*) { return key; }

// Only the NFS server: a spec can ask of no other unit that it runs.
void unit_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  const std::string unit(nfs_server_unit);
  if (!model.systemd || !snapshot.systemd_answers()) return;
  if (const UnitLook* look = snapshot.unit(unit); look != nullptr && look->active)
    model.systemd->units[unit] = recorded_unit(*look);
}

}  // namespace

constinit const Kind unit_kind = [] {
  Kind kind = kind_of<UnitState>("unit");
  kind.durable = true;
  kind.verbs = {"start", "change", "stop"};
  kind.rank = 60;  // when its files and what it serves are there
  kind.reads_others = true;
  kind.brings_others = true;
  kind.lives_in = link_path;
  kind.observe = unit_observe;
  kind.gap = unit_gap;
  kind.loses = unit_loses;
  kind.needs = unit_needs;
  kind.stage = unit_stage;
  kind.move = unit_move;
  kind.title = unit_title;
  kind.keep = unit_keep;
  return kind;
}();

Pending why_not_started(const Snapshot& snapshot, const std::string& unit) {
  const std::string path = found_unit(snapshot, unit);
  if (path.empty() && snapshot.is_tree()) return {};  // its package may come before the tree is a system
  if (path.empty())
    return {fmt::format("{} is not installed here: install its package (`rdmastate packages` names it)", unit),
            Until::package};
  if (is_masking(snapshot, path))
    return {fmt::format("{} is masked by {}: remove that, as systemctl unmask does", unit, path), Until::unit};
  if (snapshot.is_tree() || snapshot.unit(unit) != nullptr) return {};
  return {fmt::format("systemd does not answer here: it starts {} at the next boot", unit), Until::reboot};
}

State running_unit() {
  UnitState state;
  state.enabled = true;
  state.active = true;
  return State(unit_kind, std::move(state));
}

bool is_starting(const Scene& scene, const std::string& unit) {
  if (scene.snapshot.is_tree()) return false;
  const auto* wanted = scene.plan.wanted(unit_kind, unit);
  if (wanted == nullptr || !*wanted || !runs((*wanted)->as<UnitState>())) return false;
  const UnitLook* look = scene.snapshot.unit(unit);
  return look != nullptr && !look->active;
}

bool is_stopping(const Scene& scene, const std::string& unit) {
  const auto* wanted = scene.plan.wanted(unit_kind, unit);
  return wanted != nullptr && !*wanted;
}

}  // namespace rdmastate
