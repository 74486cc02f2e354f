// SPDX-License-Identifier: Apache-2.0
// A step starts an OpenSM that does not run (gap_of_start), restarts one that has lost its port, and has one whose
// files the plan changes read them again: by SIGHUP or by a restart (needs_restart).
#include "resources/opensm_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "host/recorded/model.hpp"
#include "platform/opensm.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/module.hpp"
#include "resources/opensm_ports.hpp"
#include "resources/rdma_device/rdma_device.hpp"
#include "resources/rdma_nodes.hpp"
#include "resources/unit/on_disk.hpp"
#include "resources/unit/unit.hpp"

namespace rdmastate {
namespace {

using Paths = std::vector<std::string>;

const std::string umad_module = "ib_umad";
// Without it systemd starts no OpenSM, and reports no failure: ConditionPathExists= of both units.
constexpr const char* umad_version = "/sys/class/infiniband_mad/abi_version";

bool is_instance(std::string_view unit) { return unit.find('@') != std::string_view::npos; }

// "0xf4521403007bcba1" of "opensm@0xf4521403007bcba1.service".
std::string_view instance_of(std::string_view unit) {
  unit.remove_prefix(unit.find('@') + 1);
  return unit.substr(0, unit.rfind('.'));
}

Observation opensm_unit_observe(const Snapshot& snapshot, const std::string& key) {
  const UnitLook* look = snapshot.systemd_answers() ? snapshot.unit(key) : nullptr;
  if (look == nullptr || !look->active) return Absent{};
  return State(opensm_unit_kind, OpensmUnitState{.runs = !look->lost_device});
}

bool runs(const State& state) { return state.as<OpensmUnitState>().runs; }

// What this unit's OpenSM reads: its drop-ins and its configuration on Debian; elsewhere the launcher's configurations.
bool is_read_by(const std::string& unit, const std::string& path, const OpensmLayout& layout) {
  if (path == layout.partitions) return true;
  if (is_instance(unit))
    return path.starts_with(fmt::format("{}/{}.d/", layout.drop_ins, unit)) ||
           fmt::format("{}{}", layout.instance_configs, instance_of(unit)) == path;
  return !layout.configs.empty() && path.starts_with(layout.configs);
}

// The files of the unit's OpenSM that the plan writes or removes. The list of ports in /etc/default is the launcher's
// on Debian: an instance that runs does not read it.
Paths files_that_change(const Scene& scene, const std::string& unit) {
  const OpensmLayout* layout = opensm_layout(platform_of(scene.facts).family);
  if (layout == nullptr) return {};
  Paths paths = changing_files(scene, [&](const std::string& path) { return is_read_by(unit, path, *layout); });
  if (is_instance(unit)) return paths;
  const auto& entries = scene.plan.wanted(entry_kind);
  const std::string settings(layout->settings);
  const bool has_step = std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    const auto& [key, wanted] = entry;
    if (!key.starts_with(settings + " ")) return false;
    const Observation seen = entry_kind.observe(scene.snapshot, key);
    return entry_kind.gap(scene, key, wanted ? &*wanted : nullptr, seen).move.has_value();
  });
  if (has_step) paths.push_back(settings);
  return paths;
}

// Whether OpenSM reads these files at its start alone. The main process of "opensm.service" is a launcher: only a
// restart reaches its OpenSM.
bool needs_restart(const std::string& unit, const Paths& paths) {
  const auto is_partitions = [](const std::string& path) {
    const auto layouts = opensm_layouts();
    return std::any_of(layouts.begin(), layouts.end(), [&](const auto* layout) { return layout->partitions == path; });
  };
  return !is_instance(unit) || !std::all_of(paths.begin(), paths.end(), is_partitions);
}

// The state before a step that makes OpenSM read these files.
State state_before_reading(const std::string& unit, Paths paths) {
  OpensmUnitState state;
  (needs_restart(unit, paths) ? state.unread_until_restart : state.unread_until_sighup) = std::move(paths);
  return State(opensm_unit_kind, std::move(state));
}

// The gap of an OpenSM that does not run.
Gap gap_of_start(const Scene& scene, const std::string& key, const State& wanted) {
  Gap gap;
  gap.pending = why_not_started(scene.snapshot, key);
  if (!gap.pending.empty()) return gap;
  if (scene.facts.devices.empty()) {
    gap.after = bringer_of_device(scene, DeviceId{});
    if (!gap.after.empty()) return gap;
    gap.pending = {fmt::format("no RDMA device is here yet: {} starts at the boot that finds one", key),
                   Until::hardware};
    gap.comes_late = true;
  } else if (scene.snapshot.exists(umad_version)) {
    gap.move = Gap::Move{std::nullopt, wanted};
  } else if (is_coming(scene, umad_module)) {
    gap.after = fmt::format("module {}", umad_module);
  } else {
    gap.pending = {fmt::format("{} is not loaded, and OpenSM starts only with it: modules: {{load: [{}]}} loads it",
                               umad_module, umad_module),
                   Until::unit};
  }
  return gap;
}

Gap opensm_unit_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  Gap gap;
  if (wanted == nullptr && present != nullptr) gap.move = Gap::Move{*present, std::nullopt};
  if (wanted == nullptr) return gap;
  if (present == nullptr) return gap_of_start(scene, key, *wanted);
  if (!runs(*present)) {
    gap.move = Gap::Move{*present, *wanted};
    return gap;
  }
  Paths paths = files_that_change(scene, key);
  if (!paths.empty()) gap.move = Gap::Move{state_before_reading(key, std::move(paths)), *wanted};
  return gap;
}

// The fabric manager of Omni-Path: its maker's unit, and Debian's.
constexpr std::array<std::string_view, 2> fabric_managers{"opafm.service", "opa-fm.service"};

// The one that runs here; empty: none does.
std::string fabric_manager_of(const Snapshot& snapshot) {
  if (!snapshot.systemd_answers()) return {};
  for (const auto unit : fabric_managers)
    if (const UnitLook* look = snapshot.unit(std::string(unit)); look != nullptr && look->active)
      return std::string(unit);
  return {};
}

// An OpenSM that runs, has its port and does not announce itself: another program held the port's node when it started.
std::string why_unannounced(const Scene& scene, const std::string& key) {
  const Observation seen = opensm_unit_observe(scene.snapshot, key);
  const State* present = state_of(seen);
  if (present == nullptr || !runs(*present)) return {};
  const auto ports = unannounced_ports(scene.snapshot, key);
  if (ports.empty()) return {};
  return fmt::format(
      "{} is active, and no subnet manager is announced (IsSM) on {}, so other subnet managers do not see it: its log "
      "says why, then systemctl restart {}",
      key, fmt::join(ports, ", "), key);
}

// "An Omni-Path FM cannot execute on the same host as an InfiniBand SM" (Debian's wiki on RDMA).
std::string opensm_unit_warn(const Scene& scene, const std::string& key, const State&) {
  const std::string other = fabric_manager_of(scene.snapshot);
  if (other.empty()) return why_unannounced(scene, key);
  return fmt::format(
      "{} runs here, the fabric manager of Omni-Path, which cannot run on one host with a subnet manager of InfiniBand: "
      "run one of them on another host",
      other);
}

std::vector<Ref> opensm_unit_needs(const std::string&, const State*) { return {}; }

// systemd counts the unit as started when its process is there, and OpenSM binds to its port in the seconds after that:
// until then a plan would warn. One that does not announce itself by then is left to that warning.
void wait_for_announcement(Host& host, const std::string& unit) {
  using namespace std::chrono_literals;
  const auto deadline = host.clock.ticks() + 10s;
  while (host.clock.ticks() < deadline && !unannounced_ports(Snapshot(host), unit).empty()) host.clock.sleep(100ms);
}

// systemd does not report a new directory of drop-ins as unread, so it reads all units again before a start.
void opensm_unit_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  if (tools.host.units == nullptr || !tools.host.units->answers()) return;
  Units& units = *tools.host.units;
  if (to == nullptr) return units.stop(key);
  if (from != nullptr && !runs(*to)) return;  // undo: one without its port is not brought back
  if (from != nullptr && !restarts_opensm(*from, *to)) return units.hang_up(key);
  units.reload();
  from == nullptr ? units.start(key) : units.restart(key);
  wait_for_announcement(tools.host, key);
}

// Always: an observed state never has the `unread` fields of `from`, and one without its port is not brought back.
bool opensm_unit_is_back(const State&, const State&) { return true; }

// What a step on an OpenSM that runs does to it.
std::string opensm_unit_lines(const State* from, const State* to) {
  if (from == nullptr || to == nullptr) return {};
  if (!runs(*from)) return "restart: it lost its port when the adapter's driver was loaded again\n";
  const auto& state = from->as<OpensmUnitState>();
  const bool restarts = restarts_opensm(*from, *to);
  const auto& paths = restarts ? state.unread_until_restart : state.unread_until_sighup;
  return fmt::format("{}: it reads {} again\n", restarts ? "restart" : "SIGHUP",
                     fmt::join(paths.value_or(Paths()), ", "));
}

std::string opensm_unit_title(const std::string& key, const State*) { return key; }

// "mlx4_1 port 2": the port of an instance. Empty: of a unit for all ports, and where no port here has the GUID.
std::string opensm_unit_present_name(const Snapshot& snapshot, const std::string& unit) {
  for (const auto& device : snapshot.devices())
    for (const auto& port : device.ports)
      if (opensm_unit_on(port.guid.value) == unit) return fmt::format("{} port {}", device.name, port.number);
  return {};
}

FilePlaces opensm_unit_places() {
  FilePlaces all = whole_files({umad_version});
  append(all, opensm_port_places());
  for (const char* unit : {"opensm.service", "opensm@*.service"}) append(all, unit_places(unit));
  return all;
}

void opensm_unit_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  if (!model.systemd || !snapshot.systemd_answers()) return;
  for (const auto& unit : snapshot.services()) {
    const bool is_manager = unit.starts_with("opensm") ||
                            std::find(fabric_managers.begin(), fabric_managers.end(), unit) != fabric_managers.end();
    const UnitLook* look = is_manager ? snapshot.unit(unit) : nullptr;
    if (look == nullptr) continue;
    model.systemd->units[unit] = recorded_unit(*look);
    keep_rdma_nodes(snapshot, look->main_pid, model);
  }
}

}  // namespace

constinit const Kind opensm_unit_kind = [] {
  Kind kind = kind_of<OpensmUnitState>("opensm_unit");
  kind.verbs = {"start", "update", "stop"};
  kind.rank = 61;  // after modules (20), and after units' files are read (59)
  kind.reads_others = true;
  kind.made_late = true;
  kind.observe = opensm_unit_observe;
  kind.gap = opensm_unit_gap;
  kind.needs = opensm_unit_needs;
  kind.warn = opensm_unit_warn;
  kind.move = opensm_unit_move;
  kind.is_back = opensm_unit_is_back;
  kind.lines = opensm_unit_lines;
  kind.title = opensm_unit_title;
  kind.present_name = opensm_unit_present_name;
  kind.places = opensm_unit_places;
  kind.keep = opensm_unit_keep;
  return kind;
}();

State running_opensm() { return State(opensm_unit_kind, OpensmUnitState{}); }

bool restarts_opensm(const State& from, const State& to) {
  const auto is_unread = [](const State& state) {
    return state.as<OpensmUnitState>().unread_until_restart.has_value();
  };
  return !runs(from) || is_unread(from) || is_unread(to);
}

}  // namespace rdmastate
