// SPDX-License-Identifier: Apache-2.0
// Adopts section `devices`: names and port settings that boot.json has; of every other device only its `match`. Where
// the applied spec holds the section, its records are in the spec already, and boot.json is not read for it.
// adopt_devices() is at the end.
#include <algorithm>
#include <iterator>

#include "base/one_of.hpp"
#include "resources/link_types.hpp"
#include "resources/port_mtu.hpp"
#include "resources/qos_port/classes.hpp"
#include "resources/rdma_device/rdma_device.hpp"
#include "resources/roce_port.hpp"
#include "resources/virtual_functions/virtual_functions.hpp"
#include "sections/devices/devices.hpp"

namespace rdmastate {
namespace {

void add_record(Adopted& to, DeviceId id, std::optional<DeviceName> name, const std::string& source) {
  const std::string path = devices_path(to.spec.devices.size());
  DeviceRecord record;
  static_cast<DeviceId&>(record.match) = std::move(id);
  record.name = std::move(name);
  to.spec.devices.push_back(std::move(record));
  to.came_from(path, source);
}

// The resource's state on the host now; nullopt in a tree, and where it is absent or unseen.
template <class S>
std::optional<S> now_of(const Adoption& from, const Wanted& resource) {
  if (from.snapshot.is_tree()) return std::nullopt;
  const Observation observed = resource.kind->observe(from.snapshot, resource.key);
  const State* now = state_of(observed);
  return now == nullptr ? std::nullopt : std::optional<S>(now->as<S>());
}

// A value as it is now, where boot.json has one.
template <class T>
void refresh(std::optional<T>& kept, const std::optional<T>& now) {
  if (kept && now) kept = now;
}

std::uint32_t mtu_of(const Adoption& from, const Wanted& resource) {
  return now_of<PortMtuState>(from, resource).value_or(resource.state->as<PortMtuState>()).mtu;
}

RoceSettings roce_of(const Adoption& from, const Wanted& resource) {
  const auto& state = resource.state->as<RocePortState>();
  RoceSettings roce{state.default_mode, state.tos};
  if (const auto now = now_of<RocePortState>(from, resource)) {
    refresh(roce.default_mode, now->default_mode);
    refresh(roce.tos, now->tos);
  }
  return roce;
}

// The map's values as they are now; keys that are not there any more are dropped.
template <class Map>
void refresh(Map& kept, const std::optional<Map>& now) {
  std::erase_if(kept, [&](const auto& entry) { return !now || !now->contains(entry.first); });
  for (auto& [key, value] : kept) value = now->at(key);
}

// A size that the device has rounded stays as the spec asks.
void refresh_sizes(std::map<BufferNumber, BufferSize>& kept, const QosPortState& now) {
  const auto asked = kept;
  refresh(kept, now.buffers);
  for (auto& [number, size] : kept)
    if (size.may_be(asked.at(number))) size = asked.at(number);
}

bool is_percentage(const std::pair<const TrafficClass, ClassShare>& one) {
  return one.second.by == ClassShare::By::percent;
}

// Where a class has a percentage, all that have one are named, since those of a spec are 100 together. Such as no spec
// may ask for are left out (Shares).
void refresh_classes(std::map<TrafficClass, ClassShare>& kept, const QosPortState& now) {
  refresh(kept, now.classes);
  if (!now.classes || std::none_of(kept.begin(), kept.end(), is_percentage)) return;
  std::copy_if(now.classes->begin(), now.classes->end(), std::inserter(kept, kept.end()), is_percentage);
  if (!shares_of(kept).can_be_set()) std::erase_if(kept, is_percentage);
}

// Values as they are now.
QosSettings qos_of(const Adoption& from, const Wanted& resource) {
  const auto& state = resource.state->as<QosPortState>();
  QosSettings qos{state.trust,
                  state.pfc,
                  state.dscp.value_or(std::map<Dscp, Priority>{}),
                  state.priorities.value_or(std::map<Priority, TrafficClass>{}),
                  state.classes.value_or(std::map<TrafficClass, ClassShare>{}),
                  state.priority_buffers.value_or(std::map<Priority, BufferNumber>{}),
                  state.buffers.value_or(std::map<BufferNumber, BufferSize>{})};
  const auto now = now_of<QosPortState>(from, resource);
  if (!now) return qos;
  refresh(qos.trust, now->trust);
  refresh(qos.pfc, now->pfc);
  refresh(qos.dscp, now->dscp);
  refresh(qos.priorities, now->priorities);
  refresh_classes(qos.classes, *now);
  refresh(qos.priority_buffers, now->priority_buffers);
  refresh_sizes(qos.buffers, *now);
  return qos;
}

// What all functions have; nullopt: they differ.
std::optional<VfLinkState> common_link_state(const VirtualFunctionsState& state) {
  std::optional<VfLinkState> common;
  for (const auto& [number, function] : state.functions) {
    if (number != state.functions.begin()->first && function.link_state != common) return std::nullopt;
    common = function.link_state;
  }
  return common;
}

// nullopt where one has no GUIDs that a spec may give.
std::optional<std::vector<VfGuids>> guids_of(const VirtualFunctionsState& state) {
  std::vector<VfGuids> all;
  for (const auto& [number, function] : state.functions) {
    const ReportedGuid node = function.node_guid.value_or(ReportedGuid{});
    const ReportedGuid port = function.port_guid.value_or(ReportedGuid{});
    if (node.value == 0 || port.value == 0) return std::nullopt;
    all.push_back({node, port == node ? std::nullopt : std::optional<Guid>(port)});
  }
  return all.empty() ? std::nullopt : std::optional(std::move(all));
}

// As boot.json has them, with the values of now; where their number is another one now, as they are.
SriovSettings sriov_of(const Adoption& from, const Wanted& resource) {
  const auto& kept = resource.state->as<VirtualFunctionsState>();
  const auto now = now_of<VirtualFunctionsState>(from, resource);
  SriovSettings sriov{
      now ? now->vfs : kept.vfs, guids_of(now.value_or(kept)), common_link_state(now.value_or(kept)), {}};
  if (now.value_or(kept).autoprobe == false) sriov.autoprobe = false;
  return sriov;
}

// The index of the device's record, which is added where there is none: a device that has port settings and no name has
// no line of its own in boot.json.
std::size_t record_of_port(Adopted& to, const DeviceId& id, const std::string& source) {
  auto& all = to.spec.devices;
  const auto it = std::find_if(all.begin(), all.end(), [&](const DeviceRecord& one) { return one.match == id; });
  if (it != all.end()) return static_cast<std::size_t>(it - all.begin());
  add_record(to, id, std::nullopt, source);
  return all.size() - 1;
}

void add_port(const Adoption& from, const Wanted& resource, const std::string& source, Adopted& to) {
  const PortId id = port_id_from(resource.key);
  const std::size_t index = record_of_port(to, id.device, source);
  DevicePort& port = to.spec.devices[index].ports[id.port];
  const auto came = [&](const char* field) {
    to.came_from(devices_path(index, "ports." + to_text(id.port) + "." + field), source);
  };
  if (resource.kind == &port_mtu_kind) return port.mtu = mtu_of(from, resource), came("mtu");
  if (resource.kind == &qos_port_kind) return port.qos = qos_of(from, resource), came("qos");
  port.roce = roce_of(from, resource), came("roce");
}

void add_vfs(const Adoption& from, const Wanted& resource, const std::string& source, Adopted& to) {
  const PortId id = port_id_from(resource.key);
  const std::size_t index = record_of_port(to, id.device, source);
  to.spec.devices[index].ports[id.port].sriov = sriov_of(from, resource);
  to.came_from(devices_path(index, "ports." + to_text(id.port) + ".sriov"), source);
}

void add_types(const Adoption& from, const Wanted& resource, const std::string& source, Adopted& to) {
  const std::size_t index = record_of_port(to, device_id_from(resource.key), source);
  const auto now = now_of<LinkTypesState>(from, resource);
  for (auto [number, type] : resource.state->as<LinkTypesState>().ports) {
    if (now && now->ports.contains(number)) type = now->ports.at(number);
    to.spec.devices[index].ports[number].link_type = type;
    to.came_from(devices_path(index, "ports." + to_text(number) + ".link_type"), source);
  }
}

bool is_of_port(std::string_view kind) {
  return is_one_of(kind, {port_mtu_kind.name, roce_port_kind.name, qos_port_kind.name});
}

// The device that a resource of this section is, or is a part of.
std::optional<DeviceId> device_of(std::string_view kind, const std::string& key) {
  if (is_of_port(kind) || kind == virtual_functions_kind.name) return port_id_from(key).device;
  if (kind == rdma_device_kind.name || kind == link_types_kind.name) return device_id_from(key);
  return std::nullopt;
}

// Adds what one resource of boot.json says to the record of its device.
void add_from_boot_file(const Adoption& from, const Wanted& resource, const std::string& source, Adopted& to) {
  if (is_of_port(resource.kind->name)) return add_port(from, resource, source, to);
  if (resource.kind == &virtual_functions_kind) return add_vfs(from, resource, source, to);
  if (resource.kind == &link_types_kind) return add_types(from, resource, source, to);
  const DeviceId id = device_id_from(resource.key);
  const auto meant = meant_of(from.snapshot.devices(), id);
  auto name = resource.state->as<RdmaDeviceState>().name;
  if (meant.size() == 1 && name) name->value = meant.front()->name;
  add_record(to, id, std::move(name), source);
}

// Adds the records of boot.json, unless the applied spec holds the section. Returns the devices of the host that have a
// record then.
std::vector<const RdmaDevice*> add_known_records(const Adoption& from, Adopted& to) {
  const auto& devices = from.snapshot.devices();
  std::vector<const RdmaDevice*> with_record;
  const auto note_record_of = [&](const std::optional<DeviceId>& id) {
    const auto meant = id ? meant_of(devices, *id) : std::vector<const RdmaDevice*>{};
    with_record.insert(with_record.end(), meant.begin(), meant.end());
  };
  if (from.applied.holds("devices")) {
    for (const auto& resource : from.applied.resources) note_record_of(device_of(resource.kind, resource.key));
    return with_record;
  }
  for (std::size_t i = 0; i < from.boot.wanted.size(); ++i) {
    const auto& resource = from.boot.wanted[i];
    const auto id = device_of(resource.kind->name, resource.key);
    if (id) add_from_boot_file(from, resource, from.boot_line(i), to);
    note_record_of(id);
  }
  return with_record;
}

}  // namespace

// Soft devices (rxe, siw), which a driver makes of a network device, are left to section soft_devices.
void adopt_devices(const Adoption& from, Adopted& to) {
  const auto with_record = add_known_records(from, to);
  const auto& devices = from.snapshot.devices();
  const auto& soft = from.snapshot.soft_devices();
  for (const auto& device : devices) {
    const auto is_it = [&](const SoftDevice& one) { return one.name == device.name; };
    const bool has_record = std::find(with_record.begin(), with_record.end(), &device) != with_record.end();
    if (has_record || std::any_of(soft.begin(), soft.end(), is_it)) continue;
    add_record(to, stable_id(devices, device), std::nullopt, "/sys/class/infiniband/" + device.name);
  }
}

}  // namespace rdmastate
