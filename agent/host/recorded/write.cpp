// SPDX-License-Identifier: Apache-2.0
// Writes a recorded host as JSON text with sorted keys: the whole of it (write_host_model), or without what differs
// between hosts that count as equal (comparable_text). Each json_of() writes one type of the model, as read.cpp and
// read_*.cpp read it; json_of(HostModel) puts them together. Most of what has its default is left out.
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/fields_json.hpp"
#include "base/utf8.hpp"
#include "host/recorded/connections.hpp"
#include "host/recorded/dcb.hpp"
#include "host/recorded/firewall.hpp"
#include "host/recorded/model.hpp"
#include "host/recorded/nfsd.hpp"
#include "host/recorded/timers.hpp"
#include "host/recorded/units.hpp"

namespace rdmastate {
namespace {

// Two digits for each byte, with `between` between the bytes.
std::string hex(std::string_view bytes, std::string_view between) {
  std::string text;
  for (const char c : bytes) {
    if (!text.empty()) text += between;
    text += fmt::format("{:02x}", static_cast<std::uint8_t>(c));
  }
  return text;
}

// Text (UTF-8) under `key`, other bytes as hexadecimal digits under `key`_hex.
void put_bytes(Json& out, const std::string& key, const std::string& bytes) {
  if (is_utf8(bytes))
    out[key] = bytes;
  else
    out[key + "_hex"] = hex(bytes, "");
}

void put_xattrs(Json& out, const FileContent& file) {
  Json texts = Json::object();
  Json others = Json::object();
  for (const auto& [name, value] : file.xattrs)
    is_utf8(value) ? texts.add(name, value) : others.add(name, hex(value, ""));
  if (!texts.empty()) out["xattrs"] = std::move(texts);
  if (!others.empty()) out["xattrs_hex"] = std::move(others);
}

Json json_of(const FileContent& file) {
  Json out;
  switch (file.meta.type) {
    case FileType::symlink:
      put_bytes(out, "link", file.bytes);
      break;
    case FileType::directory:
      out["directory"] = true;
      break;
    case FileType::other:
      out["other"] = true;
      break;
    case FileType::regular:
      put_bytes(out, "content", file.bytes);
  }
  if (file.meta.type != FileType::symlink) out["mode"] = fmt::format("{:04o}", file.meta.mode);
  out["uid"] = file.meta.uid;
  out["gid"] = file.meta.gid;
  put_xattrs(out, file);
  return out;
}

// A directory of root, 0755, with something in it: read.cpp makes it by itself, so it needs no entry.
bool is_implied(const std::map<std::string, FileContent>& files, const std::string& path, const FileContent& file) {
  FileContent implied;
  implied.meta = {FileType::directory, 0755, 0, 0};
  if (file != implied) return false;
  if (path == "/") return true;
  const auto next = files.upper_bound(path + "/");
  return next != files.end() && next->first.starts_with(path + "/");
}

Json files_json(const HostModel& model) {
  Json out = Json::object();
  for (const auto& [path, file] : model.files)
    if (!is_implied(model.files, path, file))
      out.add(is_utf8(path) ? path : std::string(hex_name) + hex(path, ""), json_of(file));
  return out;
}

// An interface's name by its ifindex: a record names interfaces. Empty where there is none.
std::string name_of(const HostModel& model, std::uint32_t index) {
  const auto found = model.links.find(index);
  return found == model.links.end() ? "" : found->second.link.name;
}

Json json_of(const HostModel& model, const BondInfo& bond) {
  Json out = {{"mode", to_text(bond.mode)}, {"miimon", bond.miimon.value_or(0)}};
  if (bond.arp_interval.value_or(0) != 0) out["arp_interval"] = *bond.arp_interval;
  if (bond.arp_targets && !bond.arp_targets->empty()) {
    out["arp_targets"] = Json::array();
    for (const auto& target : *bond.arp_targets) out["arp_targets"].push_back(to_text(target));
  }
  if (bond.primary != 0) out["primary"] = name_of(model, bond.primary);
  if (bond.active != 0) out["active"] = name_of(model, bond.active);
  return out;
}

Json json_of(const HostModel& model, const RecordedLink& one) {
  const Link& link = one.link;
  Json out = {
      {"name", link.name}, {"index", link.index}, {"type", link.type},       {"address", hex(link.address, ":")},
      {"up", link.up},     {"mtu", link.mtu},     {"carrier", link.carrier}, {"cable", one.cable}};
  if (link.max_mtu != 0) out["max_mtu"] = link.max_mtu;
  if (link.parent != 0) out["parent"] = name_of(model, link.parent);
  if (!link.kind.empty()) out["kind"] = link.kind;
  if (link.ipoib) {
    out["ipoib"] = {{"pkey", to_text(link.ipoib->pkey)}, {"mcast_mtu", one.mcast_mtu}, {"admin_mtu", one.admin_mtu}};
    out["ipoib"].update(to_json_of(link.ipoib->settings()));
  }
  if (link.master != 0) out["master"] = name_of(model, link.master);
  if (link.bond) out["bond"] = json_of(model, *link.bond);
  if (one.mtu_alone != 0) out["mtu_alone"] = one.mtu_alone;
  if (link.ipv6) out["ipv6"] = to_text(*link.ipv6);
  if (one.pause) out["pause"] = pause_json(*one.pause);
  for (const auto& [name, value] : one.flow_counters) out["flow_counters"][name] = value;
  if (one.dcb) out["dcb"] = dcb_json(*one.dcb);
  return out;
}

Json json_of(const HostModel& model, const Address& address) {
  Json out = {{"link", name_of(model, address.link)}, {"address", to_text(address.value)}};
  if (!address.permanent) out["permanent"] = false;
  if (address.tentative) out["tentative"] = true;
  if (address.duplicate) out["duplicate"] = true;
  return out;
}

Json json_of(const HostModel& model, const Route& route) {
  Json out = {{"to", to_text(route.to)},
              {"link", name_of(model, route.link)},
              {"metric", route.metric},
              {"protocol", route.protocol}};
  if (route.via) out["via"] = to_text(*route.via);
  return out;
}

Json json_of(const HostModel& model, const RdmaPort& port) {
  Json out = {{"number", port.number},
              {"guid", to_text(port.guid)},
              {"link_layer", to_text(port.link_layer)},
              {"state", port.state},
              {"lid", port.lid},
              {"phys_state", port.phys_state},
              {"rate", port.rate},
              {"sm_lid", port.sm_lid},
              {"pkeys", Json::array()}};
  if (port.link_type) out["link_type"] = to_text(*port.link_type);
  for (const std::uint32_t entry : port.pkeys) out["pkeys"].push_back(fmt::format("0x{:04x}", entry));
  const auto mtu = model.port_mtus.find(port.guid.value);
  if (mtu == model.port_mtus.end()) return out;
  out["max_mtu"] = mtu->second.max;
  out["group_mtu"] = mtu->second.group;
  for (const auto& [pkey, group] : mtu->second.partitions) out["group_mtus"][fmt::format("0x{:04x}", pkey)] = group;
  return out;
}

Json json_of(const RdmaUser& user) {
  Json out = {{"command", user.command}};
  if (user.pid != 0) out["pid"] = user.pid;
  if (user.what == RdmaUser::What::connection) out["connection"] = true;
  return out;
}

// For list_json(): a template of this namespace finds only the functions that are declared before it.
Json json_of(const HostModel& model, const RdmaDevice& device);

Json json_of(const RecordedRoce& roce) {
  Json out = {{"modes", Json::array()}, {"default_mode", to_text(roce.defaults.mode)}, {"tos", roce.defaults.tos}};
  for (const RoceMode mode : roce.modes) out["modes"].push_back(to_text(mode));
  return out;
}

Json json_of(const RecordedSriov& sriov) {
  Json out = {{"total", sriov.total}, {"functions", Json::array()}};
  if (!sriov.autoprobe) out["autoprobe"] = false;
  if (sriov.offset != RecordedSriov().offset) out["offset"] = sriov.offset;
  if (sriov.stride != RecordedSriov().stride) out["stride"] = sriov.stride;
  for (const auto& vf : sriov.functions) {
    Json one = {{"driver", vf.driver}};
    if (vf.settings.node_guid) one["node_guid"] = to_text(*vf.settings.node_guid);
    if (vf.settings.port_guid) one["port_guid"] = to_text(*vf.settings.port_guid);
    if (vf.settings.link_state) one["link_state"] = to_text(*vf.settings.link_state);
    out["functions"].push_back(std::move(one));
  }
  return out;
}

template <class Rows>
Json list_json(const HostModel& model, const Rows& rows) {
  Json out = Json::array();
  for (const auto& row : rows) out.push_back(json_of(model, row));
  return out;
}

Json json_of(const HostModel& model, const RdmaDevice& device) {
  Json out = {{"name", device.name},         {"node_guid", to_text(device.node_guid)},
              {"pci", device.pci},           {"sys_image_guid", to_text(device.sys_image_guid)},
              {"driver", device.driver},     {"board_id", device.board_id},
              {"firmware", device.firmware}, {"ports", list_json(model, device.ports)}};
  if (device.is_virtual) out["virtual"] = true;
  if (const auto sriov = model.sriov.find(device.pci); sriov != model.sriov.end())
    out["sriov"] = json_of(sriov->second);
  if (const auto soft = model.soft.find(device.name); soft != model.soft.end())
    out["soft"] = {{"type", to_text(soft->second.type)}, {"netdev", soft->second.netdev}};
  if (const auto users = model.users.find(device.name); users != model.users.end())
    for (const auto& user : users->second) out["users"].push_back(json_of(user));
  for (Json& port : out["ports"].items()) {
    const HostModel::Port key{device.name, static_cast<std::uint32_t>(port["number"].number())};
    if (const auto netdev = model.netdevs.find(key); netdev != model.netdevs.end()) port["netdev"] = netdev->second;
    if (const auto roce = model.roce.find(key); roce != model.roce.end()) port["roce"] = json_of(roce->second);
  }
  return out;
}

Json rdma_system_json(const HostModel& model) {
  Json out = {{"netns", to_text(model.netns_mode)}};
  if (!model.other_namespaces.empty()) out["other_namespaces"] = Json::array_of(model.other_namespaces);
  return out;
}

Json lists_json(const std::map<std::string, std::set<std::string>>& lists) {
  Json out = Json::object();
  for (const auto& [name, list] : lists) out.add(name, Json::array_of(list));
  return out;
}

Json json_of(const ModuleTable& modules) {
  std::set<std::string> not_loaded;
  std::set_difference(modules.loadable.begin(), modules.loadable.end(), modules.loaded.begin(), modules.loaded.end(),
                      std::inserter(not_loaded, not_loaded.end()));
  Json out = {{"loaded", Json::array_of(modules.loaded)},
              {"loadable", Json::array_of(not_loaded)},
              {"builtin", Json::array_of(modules.builtin)}};
  if (!modules.depends.empty()) out["depends"] = lists_json(modules.depends);
  if (!modules.aliases.empty()) out["aliases"] = Json::object_of(modules.aliases);
  if (!modules.in_use.empty()) out["in_use"] = Json::object_of(modules.in_use);
  if (!modules.parameters.empty()) out["parameters"] = Json::object_of(modules.parameters);
  if (!modules.given.empty()) out["given"] = Json::object_of(modules.given);
  if (!modules.writable.empty()) out["writable"] = Json::array_of(modules.writable);
  if (!modules.hidden.empty()) out["hidden"] = Json::array_of(modules.hidden);
  if (modules.described) out["described"] = Json::array_of(*modules.described);
  return out;
}

Json json_of(const NmState& state) {
  Json out = {{"profiles", Json::array()}, {"devices", Json::array()}};
  for (const auto& one : state.profiles)
    out["profiles"].push_back(
        {{"uuid", one.uuid}, {"path", one.path}, {"digest", one.digest}, {"unsaved", one.unsaved}});
  for (const auto& one : state.devices)
    out["devices"].push_back(
        {{"interface", one.interface}, {"uuid", one.uuid}, {"digest", one.digest}, {"activated", one.activated}});
  return out;
}

Json json_of(const Directory& directory) {
  Json out = Json::object();
  if (!directory.users.empty()) out["users"] = Json::array_of(directory.users);
  if (!directory.groups.empty()) out["groups"] = Json::array_of(directory.groups);
  if (!directory.ids.empty()) out["ids"] = Json::array_of(directory.ids);
  if (!directory.complete) out["complete"] = false;
  return out;
}

Json json_of(const HostModel& model) {
  Json out = {{"format_version", 1},
              {"origin", model.origin},
              {"notes", Json::array_of(model.notes)},
              {"ipv6", model.ipv6},
              {"files", files_json(model)},
              {"links", Json::array()},
              {"addresses", list_json(model, model.addresses)},
              {"routes", list_json(model, model.routes)},
              {"rdma", list_json(model, model.devices)},
              {"modules", json_of(model.modules)}};
  if (model.holds) out["holds"] = Json::array_of(*model.holds);
  if (!model.unseen_kinds.empty()) out["unseen_kinds"] = Json::array_of(model.unseen_kinds);
  if (!model.unseen.empty()) out["unseen"] = Json::array_of(model.unseen);
  if (!model.connections.empty()) out["connections"] = connections_json(model);
  if (model.directory != Directory{}) out["directory"] = json_of(model.directory);
  if (model.networkd) out["networkd"] = true;
  if (model.systemd) {
    out["systemd"] = timers_json(*model.systemd);
    if (!model.systemd->units.empty()) out["systemd"]["units"] = units_json(*model.systemd);
  }
  if (model.nfsd) out["nfsd"] = nfsd_json(*model.nfsd);
  if (model.firewall) out["firewall"] = firewall_json(*model.firewall);
  if (model.networkmanager) out["networkmanager"] = json_of(*model.networkmanager);
  for (const auto& [index, link] : model.links) out["links"].push_back(json_of(model, link));
  if (model.netns_mode != NetnsMode::shared || !model.other_namespaces.empty())
    out["rdma_system"] = rdma_system_json(model);
  const std::uint32_t implied = model.links.empty() ? 1 : model.links.rbegin()->first + 1;
  if (model.next_index != implied) out["next_index"] = model.next_index;
  return out;
}

// By the text of the elements: any order that is the same for equal lists will do.
void sort(Json& list) {
  std::sort(list.items().begin(), list.items().end(), [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
}

// The ifindex and the queue pair number are new with each creation; the kernel does not show mcast_mtu and admin_mtu.
void erase_unstable(Json& link) {
  constexpr std::size_t qpn_at = 3, qpn_length = 8;  // "80:00:02:08:fe:80:..."
  link.erase("index");
  link.erase("mtu_alone");
  const bool has_qpn = link.contains("bond") && link["type"].number() == Link::type_infiniband;
  if (has_qpn) link["address"] = std::string(link["address"].text()).replace(qpn_at, qpn_length, "xx:xx:xx");
  if (!link.contains("ipoib")) return;
  link["ipoib"].erase("mcast_mtu");
  link["ipoib"].erase("admin_mtu");
  link["address"] = std::string(link["address"].text()).replace(qpn_at, qpn_length, "xx:xx:xx");
}

// "/proc/812/fd/7"
bool is_of_process(std::string_view path) {
  constexpr std::string_view proc = "/proc/";
  return path.starts_with(proc) && path.size() > proc.size() && ascii::is_digit(path[proc.size()]);
}

}  // namespace

std::string write_host_model(const HostModel& model) {
  Json out = json_of(model);
  out.sort_keys();
  return out.dump(2) + "\n";
}

std::string comparable_text(const HostModel& model) {
  Json out = json_of(model);
  out.erase("next_index");
  out.erase("notes");
  out["modules"] = {{"loaded", Json::array_of(model.modules.loaded)}, {"given", Json::object_of(model.modules.given)}};
  for (Json& link : out["links"].items()) erase_unstable(link);
  for (Json& address : out["addresses"].items()) address.erase("tentative");
  for (const auto& [path, file] : model.files)  // named after ifindexes and processes
    if (path.starts_with("/run/systemd/netif/links/") || is_of_process(path)) out["files"].erase(path);
  for (const char* key : {"links", "addresses", "routes"}) sort(out[key]);
  if (model.nfsd && model.nfsd->state.threads == 0)
    out.erase("nfsd");  // /proc/fs/nfsd stays mounted when the server has stopped
  if (out.contains("nfsd")) out["nfsd"].erase("clients");
  if (out.contains("firewall"))
    for (const char* store : {"runtime", "permanent"})
      for (auto& [name, zone] : out["firewall"][store].members()) sort(zone["ports"]);
  if (model.systemd && !model.systemd->units.empty()) out["systemd"]["units"] = units_without_numbers(*model.systemd);
  if (out.contains("networkmanager"))
    for (const char* key : {"profiles", "devices"}) sort(out["networkmanager"][key]);
  out.sort_keys();
  return out.dump(2) + "\n";
}

}  // namespace rdmastate
