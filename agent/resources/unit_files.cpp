// SPDX-License-Identifier: Apache-2.0
#include "resources/unit_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/layout.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

using Paths = std::vector<std::string>;

// In place of paths: systemd says that it has not read all files of a unit as they are, and not which.
const char* const some_of_them = "some of them";

const Paths& unread_of(const State& state) { return state.as<UnitFilesState>().unread; }

// No template ("user@.service") does: systemd has units of its instances alone, and refuses to look at it.
bool ends_as_unit(std::string_view name) {
  constexpr std::array<std::string_view, 3> types{".service", ".mount", ".automount"};
  if (name.ends_with("@.service")) return false;
  return std::any_of(types.begin(), types.end(), [&](std::string_view type) { return name.ends_with(type); });
}

// "slurmd.service" of /etc/systemd/system/slurmd.service and of what is in slurmd.service.d; empty of all else.
std::string unit_of(const std::string& path) {
  const std::string directory = parent_path(path);
  std::string name = file_name(path);
  if (directory == common_layout().units) return ends_as_unit(name) ? name : std::string();
  if (parent_path(directory) != common_layout().units || !directory.ends_with(".d")) return {};
  name = directory.substr(directory.rfind('/') + 1, directory.size() - directory.rfind('/') - 3);  // without ".d"
  return ends_as_unit(name) ? name : std::string();
}

// Those files of the unit that the plan writes or removes.
Paths changing(const Scene& scene, const std::string& unit) {
  return changing_files(scene, [&](const std::string& path) { return unit_of(path) == unit; });
}

Observation unit_files_observe(const Snapshot& snapshot, const std::string& key) {
  const UnitLook* look = snapshot.unit(key);
  if (look == nullptr || (!look->active && !look->needs_reload)) return Absent{};
  return State(unit_files_kind, UnitFilesState{look->needs_reload ? Paths{some_of_them} : Paths()});
}

// The same whether the unit's files are written or go, so it does not ask what is wanted. A unit that does not run is
// Absent: systemd reads its files when it starts it. If systemd holds it in memory all the same, `needs_reload` shows
// that once its files have changed.
Gap unit_files_gap(const Scene& scene, const std::string& key, const State*, const Observation& observed) {
  const State* present = state_of(observed);
  Gap gap;
  if (present == nullptr) return gap;
  Paths unread = changing(scene, key);
  unread.insert(unread.begin(), unread_of(*present).begin(), unread_of(*present).end());
  if (!unread.empty())
    gap.move = Gap::Move{State(unit_files_kind, UnitFilesState{std::move(unread)}), read_unit_files()};
  return gap;
}

std::vector<Ref> unit_files_needs(const std::string&, const State*) { return {}; }

// Whether the state lists files that a plan writes, and not only that systemd has not read some of them.
bool names_files(const State* state) {
  return state != nullptr && !unread_of(*state).empty() && unread_of(*state) != Paths{some_of_them};
}

// systemd does not report a new directory of drop-ins as unread (unit_find_dropin_paths() asks its cache of paths), so
// after files that the plan wrote rdmastate reloads in any case.
void unit_files_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  if (tools.host.units == nullptr || !tools.host.units->answers()) return;
  const auto look = tools.host.units->look(key);
  if (look && (look->needs_reload || names_files(from) || names_files(to))) tools.host.units->reload();
}

bool unit_files_is_back(const State& now, const State&) { return unread_of(now).empty(); }

std::string unit_files_copy_of(const std::string& path) { return unit_of(path); }

std::string unit_files_title(const std::string& key, const State*) { return fmt::format("of {}", key); }

}  // namespace

constinit const Kind unit_files_kind = [] {
  Kind kind = kind_of<UnitFilesState>("unit_files");
  kind.verbs = {"reload", "reload", "reload"};
  kind.rank = 59;  // before the units that are started of these files (60)
  kind.copies_others = true;
  kind.observe = unit_files_observe;
  kind.gap = unit_files_gap;
  kind.needs = unit_files_needs;
  kind.move = unit_files_move;
  kind.is_back = unit_files_is_back;
  kind.copy_of = unit_files_copy_of;
  kind.title = unit_files_title;
  return kind;
}();

State read_unit_files() { return State(unit_files_kind, UnitFilesState{}); }

}  // namespace rdmastate
