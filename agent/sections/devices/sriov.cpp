// SPDX-License-Identifier: Apache-2.0
// The virtual functions of a device's port: what the section checks, and what it wants: a resource of kind
// virtual_functions, and on InfiniBand the module ib_ipoib.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "resources/virtual_functions/virtual_functions.hpp"
#include "sections/boot_file.hpp"
#include "sections/devices/devices.hpp"

namespace rdmastate {
namespace {

std::string path_of(std::size_t index, PortNumber port, const std::string& field = {}) {
  return devices_path(index, fmt::format("ports.{}.sriov{}{}", port.value, field.empty() ? "" : ".", field));
}

// A GUID of the spec, and what has it.
struct Told {
  Guid guid;
  std::string path;
  std::string owner;  ///< the path of its virtual function, whose two GUIDs may be the same
};

// All GUIDs that one port's settings give away.
std::vector<Told> told_by(const SriovSettings& sriov, const std::string& path) {
  std::vector<Told> all;
  for (std::size_t i = 0; sriov.guids && i < sriov.guids->size(); ++i) {
    const VfGuids& one = (*sriov.guids)[i];
    const std::string place = fmt::format("{}.guids[{}]", path, i);
    all.push_back({one.node, place + ".node", place});
    if (one.port && *one.port != one.node) all.push_back({*one.port, place + ".port", place});
  }
  return all;
}

template <class Use>
void each_sriov(const DeviceRecord& record, std::size_t index, Use&& use) {
  for (const auto& [number, port] : record.ports)
    if (port.sriov) use(*port.sriov, number, path_of(index, number));
}

// A virtual function has its physical one's board and driver, so these alone would match several devices once there are
// some.
void check_match(const DeviceRecord& record, const SriovSettings& sriov, const std::string& path, Report& report) {
  const DeviceMatch& match = record.match;
  if (sriov.vfs.value == 0 || record.is_every() || match.node_guid || match.port_guid || match.pci || match.name)
    return;
  complain(report, path, "virtual functions have the same board and driver, so this record would match them too",
           "match by node_guid");
}

// What no port with this setting can have.
void check_port(const DeviceRecord& record, PortNumber number, const SriovSettings& sriov, const std::string& path,
                Report& report) {
  if (!sriov.guids) return;
  if (sriov.guids->size() != sriov.vfs.value)
    complain(report, path + ".guids",
             fmt::format("guids names {}, and vfs says {}", sriov.guids->size(), sriov.vfs.value),
             "give each one its GUIDs, or take guids out");
  if (record.ports.at(number).link_type == LinkType::ethernet)
    complain(report, path + ".guids",
             fmt::format("link_type makes port {} Ethernet, where virtual functions have MAC addresses and no GUIDs",
                         number.value),
             "take guids out, or say link_type: infiniband");
  if (record.is_every())
    complain(report, path + ".guids",
             "every may mean several devices, whose virtual functions would have the same GUIDs",
             "take every out, and match one device");
}

void check_not_own(const DeviceRecord& record, const SriovSettings& sriov, const std::string& path, Report& report) {
  for (const Told& one : told_by(sriov, path))
    if (one.guid == record.match.node_guid || one.guid == record.match.port_guid)
      complain(report, one.path, fmt::format("{} is the physical function's own GUID", to_text(one.guid)),
               "give the virtual function another one");
}

// Reports GUIDs that a device of the host has by itself, its virtual functions left out.
void refuse_those_of_devices(const SriovSettings& sriov, const std::string& path, const Facts& facts, Report& report) {
  for (const Told& one : told_by(sriov, path))
    for (const auto& device : facts.devices) {
      const bool is_of_a_port = std::any_of(device.ports.begin(), device.ports.end(),
                                            [&](const RdmaPort& port) { return port.guid == one.guid; });
      if (!device.is_virtual && (is_of_a_port || device.node_guid == one.guid))
        complain(report, one.path, fmt::format("{} is a GUID of {} itself", to_text(one.guid), device.name),
                 "give the virtual function another one");
    }
}

std::map<VfNumber, VfState> functions_of(const SriovSettings& sriov) {
  std::map<VfNumber, VfState> functions;
  for (std::uint32_t i = 0; i < sriov.vfs.value; ++i) {
    VfState& one = functions[{i}];
    one.link_state = sriov.link_state;
    if (sriov.autoprobe.value_or(true)) one.bound = true;
    if (!sriov.guids || i >= sriov.guids->size()) continue;
    one.node_guid = (*sriov.guids)[i].node;
    one.port_guid = (*sriov.guids)[i].port_guid();
  }
  return functions;
}

// Whether the port is known to be Ethernet, where no IPoIB interface is needed.
bool is_ethernet(const DevicePort& port, PortNumber number, const MatchedDevice& matched) {
  if (port.link_type) return *port.link_type == LinkType::ethernet;
  return matched.device != nullptr &&
         std::any_of(matched.device->ports.begin(), matched.device->ports.end(), [&](const RdmaPort& one) {
           return one.number == number.value && one.link_layer == LinkLayer::ethernet;
         });
}

}  // namespace

void check_sriov(const DeviceRecord& record, std::size_t index, Report& report) {
  std::optional<PortNumber> first;
  each_sriov(record, index, [&](const SriovSettings& sriov, PortNumber number, const std::string& path) {
    if (first)
      complain(report, path,
               fmt::format("virtual functions are of the PCI function, and port {} has them already", first->value),
               "say sriov of one port");
    first = first.value_or(number);
    check_match(record, sriov, path, report);
    check_port(record, number, sriov, path, report);
    check_not_own(record, sriov, path, report);
  });
}

void check_vf_guids(const Spec& spec, Report& report) {
  std::map<Guid, std::string> owners;
  for (std::size_t i = 0; i < spec.devices.size(); ++i)
    each_sriov(spec.devices[i], i, [&](const SriovSettings& sriov, PortNumber, const std::string& path) {
      for (const Told& one : told_by(sriov, path)) {
        const auto [earlier, is_new] = owners.emplace(one.guid, one.owner);
        if (!is_new)
          complain(report, one.path, fmt::format("{} has {} already", earlier->second, to_text(one.guid)),
                   "give each virtual function GUIDs of its own");
      }
    });
}

bool has_vfs_of_netdev(const DeviceRecord& record, const MatchedDevice& device) {
  return std::any_of(record.ports.begin(), record.ports.end(), [&](const auto& port) {
    return port.second.sriov && port.second.sriov->link_state && is_ethernet(port.second, port.first, device);
  });
}

void add_sriov(const Spec& spec, std::size_t index, const MatchedDevice& device, const Facts& facts, Desired& desired,
               Report& report) {
  const DeviceRecord& record = spec.devices[index];
  each_sriov(record, index, [&](const SriovSettings& sriov, PortNumber number, const std::string& path) {
    refuse_those_of_devices(sriov, path, facts, report);
    if (sriov.vfs.value != 0 && !is_ethernet(record.ports.at(number), number, device))
      add_module(spec, vf_module, path, desired);
    VirtualFunctionsState wanted{device.id, number, sriov.vfs, sriov.autoprobe.value_or(true), functions_of(sriov)};
    Wanted one{&virtual_functions_kind,
               device_port_key(device.id, number),
               State(virtual_functions_kind, std::move(wanted)),
               path,
               /*awaited_from=*/"",
               {boot_twin()}};
    one.optional = record.is_optional();
    desired.add(std::move(one));
  });
}

}  // namespace rdmastate
