// SPDX-License-Identifier: Apache-2.0
// device_nodes_gap() waits for the nodes (without_nodes) or for the group (without_group), and else makes one step for
// all nodes of the prefix. A step writes the numbers of mode and group that DeviceNodesState::nodes has.
#include "resources/device_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/ascii.hpp"
#include "resources/group/account_text.hpp"
#include "resources/group/gap.hpp"
#include "resources/group/group.hpp"
#include "resources/module.hpp"

namespace rdmastate {
namespace {

constexpr const char* directory_path = "/dev/infiniband";

std::string path_of(const std::string& node) { return fmt::format("{}/{}", directory_path, node); }

// Whether the node is the key's prefix and a number: "umad0", and not "umad" or "umadx".
bool is_node_of(std::string_view name, std::string_view key) {
  return name.starts_with(key) && ascii::is_number(name.substr(key.size()));
}

// The number of a group in the text of /etc/group; nullopt where it has none of that name.
std::optional<std::uint32_t> gid_of(std::string_view groups, std::string_view group) {
  const auto line = account_line(groups, group);
  return line ? id_from(line->fields[2]) : std::nullopt;  // name:password:gid:members
}

// The group's name; its number where /etc/group has no name for it.
std::string group_name(std::string_view groups, std::uint32_t gid) {
  std::istringstream lines{std::string(groups)};
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(':'));
    if (!name.empty() && gid_of(groups, name) == gid) return name;
  }
  return std::to_string(gid);
}

// The state of these nodes, with their groups and modes each once.
DeviceNodesState state_of_nodes(std::map<std::string, NodeAccess> nodes, std::string_view groups) {
  std::set<std::string> names, modes;
  for (const auto& [node, access] : nodes) {
    names.insert(group_name(groups, access.gid));
    modes.insert(to_text(access.mode));
  }
  return {fmt::format("{}", fmt::join(names, ", ")), fmt::format("{}", fmt::join(modes, ", ")), std::move(nodes)};
}

Observation device_nodes_observe(const Snapshot& snapshot, const std::string& key) {
  std::map<std::string, NodeAccess> nodes;
  for (const auto& name : snapshot.list(directory_path)) {
    if (!is_node_of(name, key)) continue;
    const auto& file = snapshot.file(path_of(name));
    if (file && file->meta.type == FileType::other)
      nodes.emplace(name, NodeAccess{{file->meta.mode}, file->meta.uid, file->meta.gid});
  }
  if (nodes.empty()) return Absent{};
  return State(device_nodes_kind, state_of_nodes(std::move(nodes), snapshot.read(group_path).value_or("")));
}

// Without nodes nothing differs: ib_umad makes them, and the udev rule gives them their group and mode. Where this plan
// loads ib_umad, a later round looks at the nodes: udev may have read its rules before that one was written.
Gap without_nodes(const Scene& scene) {
  Gap gap;
  gap.comes_along = is_coming(scene, "ib_umad");
  if (gap.comes_along) gap.after = "module ib_umad";
  return gap;
}

// Whether this plan makes the group, so that its number is known only afterwards. A group of a directory service is
// never made.
bool is_made_here(const Scene& scene, const std::string& group) {
  const auto* wanted = scene.plan.wanted(group_kind, group);
  return wanted != nullptr && *wanted && group_gap(scene, group, &**wanted, Absent{}).move.has_value();
}

// The nodes cannot get the group yet, since /etc/group does not have it.
Gap without_group(const Scene& scene, const std::string& group) {
  Gap gap;
  if (is_made_here(scene, group)) {
    gap.after = "group " + group;
  } else {
    gap.blocked = fmt::format("there is no group {} in {} that they could belong to", group, group_path);
    gap.never.emplace();
  }
  return gap;
}

// The state in which every node has this mode and group; its owner stays.
DeviceNodesState with_access(std::map<std::string, NodeAccess> nodes, FileMode mode, std::uint32_t gid,
                             std::string_view groups) {
  for (auto& [name, node] : nodes) node = {mode, node.uid, gid};
  return state_of_nodes(std::move(nodes), groups);
}

// A step gives every node the wanted group and mode. Nothing is ever removed.
Gap device_nodes_gap(const Scene& scene, const std::string&, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return {};
  if (present == nullptr) return without_nodes(scene);
  const auto& asked = wanted->as<DeviceNodesState>();
  const auto& from = present->as<DeviceNodesState>();
  const std::string groups = scene.snapshot.read(group_path).value_or("");
  const auto gid = gid_of(groups, asked.group);
  if (!gid) return without_group(scene, asked.group);
  FileMode mode;
  Text<FileMode>::read(Scalar{asked.mode}, mode);
  DeviceNodesState to = with_access(from.nodes, mode, *gid, groups);
  Gap gap;
  if (to.nodes != from.nodes) gap.move = Gap::Move{*present, State(device_nodes_kind, std::move(to))};
  return gap;
}

std::vector<Ref> device_nodes_needs(const std::string&, const State*) { return {}; }

// A node that is gone went with its adapter. When it comes back, the udev rule gives it its group and mode.
void device_nodes_move(Tools& tools, const std::string&, const State* from, const State* to) {
  if (to == nullptr) return;
  for (const auto& [name, access] : to->as<DeviceNodesState>().nodes) {
    if (from != nullptr) {
      const auto& before = from->as<DeviceNodesState>().nodes;
      if (const auto same = before.find(name); same != before.end() && same->second == access) continue;
    }
    const auto meta = tools.host.files.meta(path_of(name));
    if (!meta || meta->type != FileType::other) continue;
    FileContent node;
    node.meta = {FileType::other, access.mode.value, access.uid, access.gid};
    tools.host.files.replace(path_of(name), node);
  }
}

// Compares the nodes that both states have, by numbers alone: the name of a node's group may have come or gone since.
bool device_nodes_is_back(const State& now, const State& from) {
  const auto& before = from.as<DeviceNodesState>().nodes;
  const auto& nodes = now.as<DeviceNodesState>().nodes;
  return std::all_of(nodes.begin(), nodes.end(), [&](const auto& node) {
    const auto was = before.find(node.first);
    return was == before.end() || was->second == node.second;
  });
}

std::string device_nodes_title(const std::string& key, const State*) {
  return fmt::format("{}/{}*", directory_path, key);
}

FilePlaces device_nodes_places() { return whole_files({"/dev/infiniband/*"}); }

}  // namespace

constinit const Kind device_nodes_kind = [] {
  Kind kind = kind_of<DeviceNodesState>("device_nodes");
  kind.rank = 24;  // after groups (9), and after modules (20), which make the nodes
  kind.observe = device_nodes_observe;
  kind.gap = device_nodes_gap;
  kind.needs = device_nodes_needs;
  kind.move = device_nodes_move;
  kind.is_back = device_nodes_is_back;
  kind.title = device_nodes_title;
  kind.places = device_nodes_places;
  return kind;
}();

std::optional<Complaint> Text<NodeAccess>::read(const Scalar& scalar, NodeAccess& out) {
  const std::size_t blank = scalar.text.find(' ');
  const std::size_t colon = scalar.text.find(':');
  if (blank == std::string::npos || colon == std::string::npos || colon < blank) return unexpected(wanted, scalar);
  const auto uid = id_from(std::string_view(scalar.text).substr(blank + 1, colon - blank - 1));
  const auto gid = id_from(std::string_view(scalar.text).substr(colon + 1));
  if (!uid || !gid || Text<FileMode>::read(Scalar{scalar.text.substr(0, blank)}, out.mode))
    return unexpected(wanted, scalar);
  out.uid = *uid;
  out.gid = *gid;
  return std::nullopt;
}

std::string Text<NodeAccess>::print(const NodeAccess& access) {
  return fmt::format("{} {}:{}", to_text(access.mode), access.uid, access.gid);
}

}  // namespace rdmastate
