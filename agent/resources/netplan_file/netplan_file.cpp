// SPDX-License-Identifier: Apache-2.0
#include "resources/netplan_file/netplan_file.hpp"

#include <algorithm>

#include "resources/module.hpp"
#include "resources/networkd_file/networkd_file.hpp"

namespace rdmastate {
namespace {

// Whether all interfaces of the file run what it says; nullopt: nobody here could tell.
std::optional<bool> is_applied(const Snapshot& snapshot, const FileState& file) {
  const bool renders = snapshot.networkd_runs() || snapshot.networkmanager() != nullptr;
  if (!snapshot.has_netplan() || !renders) return std::nullopt;
  const auto all = definitions_of(file);
  return std::all_of(all.begin(), all.end(), [&](const auto& one) { return runs_definition(snapshot, one.id); });
}

Observation netplan_file_observe(const Snapshot& snapshot, const std::string& key) {
  FileObservation seen = observe_file(snapshot, key);
  if (auto* unseen = std::get_if<Unseen>(&seen)) return std::move(*unseen);
  auto* file = std::get_if<FileState>(&seen);
  if (file == nullptr) return Absent{};
  NetplanFileState state{std::move(*file), {}};
  state.applied = is_applied(snapshot, state);
  return State(netplan_file_kind, std::move(state));
}

// networkd reads a port's drop-in, which names its children and its bond, with the file that netplan generates.
std::vector<Ref> netplan_file_needs(const std::string& key, const State* state) {
  std::vector<Ref> refs = needs_directory(key, state);
  if (state == nullptr) return refs;
  refs.push_back({module_kind.name, "ib_ipoib"});
  for (const auto& one : definitions_of(file_of(*state)))
    refs.push_back({networkd_file_kind.name, netplan_drop_in_path(one.id)});
  return refs;
}

// The same file, and the interfaces run it if they did. Where netplan or its renderer was missing, or is, the file
// alone counts.
bool netplan_file_is_back(const State& now_state, const State& from_state) {
  const auto& now = now_state.as<NetplanFileState>();
  const auto& from = from_state.as<NetplanFileState>();
  if (static_cast<const FileState&>(now) != static_cast<const FileState&>(from)) return false;
  const bool is_known = from.applied && now.applied;
  return !is_known || *now.applied || !*from.applied;
}

std::string netplan_file_title(const std::string& key, const State*) { return key; }

// Which of these are there is all that a plan asks: the profiles of other interfaces may hold secrets.
FilePlaces netplan_file_places() {
  return {presence(std::string(netplan_generated_files) + "*"), presence(std::string(netplan_generated_profiles) + "*"),
          presence(netplan_program_path), presence(netplan_try_stamp)};
}

}  // namespace

std::vector<NetplanDefinition> definitions_of(const FileState& file) {
  return netplan_definitions(file.content ? std::string_view(file.content->value) : std::string_view());
}

std::string netplan_drop_in_path(const std::string& id) {
  return networkd_drop_in_path(file_name(netplan_network_path(id)));
}

DefinitionTexts definition_texts(const State* state) {
  DefinitionTexts all;
  if (state == nullptr) return all;
  for (const auto& one : definitions_of(state->as<FileState>())) all[one.id] = one.text;
  return all;
}

bool runs_definition(const Snapshot& snapshot, const std::string& id) {
  if (snapshot.exists(netplan_network_path(id))) return runs_network_file(snapshot, id, netplan_network_path(id));
  const NmState* nm = snapshot.networkmanager();
  const NmProfile* profile = nm == nullptr ? nullptr : nm->from_file(netplan_profile_path(id));
  const NmDevice* device = nm == nullptr ? nullptr : nm->device(id);
  return profile != nullptr && device != nullptr && device->uuid == profile->uuid;
}

bool is_told_to_netplan(const Scene& scene, const std::string& name) {
  if (!scene.snapshot.has_netplan()) return false;
  for (const auto& [path, wanted] : scene.plan.wanted(netplan_file_kind)) {
    const auto all = wanted ? definitions_of(file_of(*wanted)) : std::vector<NetplanDefinition>();
    if (std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.id == name; })) return true;
  }
  return false;
}

bool renderer_is_told(const NetplanFileState* to) { return to == nullptr || to->applied.has_value(); }

NetplanFileState wanted_netplan_file(std::string content) {
  constexpr std::uint32_t private_file = 0600;  // netplan warns of files that others may read
  return {regular_file(std::move(content), private_file), /*applied=*/true};
}

constinit const Kind netplan_file_kind = [] {
  Kind kind = kind_of<NetplanFileState, FileState>("netplan_file");
  kind.durable = true;
  kind.verbs = {"write", "rewrite", "remove"};
  kind.rank = 31;  // when modules have brought the interfaces, and those have their names
  kind.observe = netplan_file_observe;
  kind.gap = netplan_file_gap;
  kind.needs = netplan_file_needs;
  kind.stage = stage_unless_as_wanted;
  kind.move = move_netplan_file;
  kind.is_back = netplan_file_is_back;
  kind.loses = netplan_file_loses;
  kind.lines = file_lines;
  kind.title = netplan_file_title;
  kind.places = netplan_file_places;
  return kind;
}();

}  // namespace rdmastate
