// SPDX-License-Identifier: Apache-2.0
// The parts of section `devices`, which devices.cpp puts together: what the section checks, and which resources it
// wants of a host. Each group of functions has a file: check, adopt, name_rules, link_types, ports, port_rules, expect.
#pragma once

#include <utility>
#include <vector>

#include "sections/devices/match.hpp"
#include "sections/devices/spec.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// The section's check(), which reports what no host could have, and its adopt().
void check_devices(const Spec& spec, Report& report);
void adopt_devices(const Adoption& from, Adopted& to);

/// Devices, and the names that the spec gives them.
using DeviceNames = std::vector<std::pair<DeviceId, DeviceName>>;
/// The udev rules file for these names.
void add_name_rules(const DeviceNames& named, Desired& desired);
/// The twin of one device's name: its lines in that udev rules file.
Twin name_rule_twin(const DeviceId& id, const DeviceName& name);

/// The spec, in which each `match` of `ipoib` by a name that `devices` gives is replaced by the port's GUID: the device
/// may not have that name yet. Where no device of the host fits, `match` stays.
Spec ports_by_guid(Spec spec, const Facts& facts);

/// Reports what is wrong with the port types of the record at `index` of the section. Needs no host.
void check_link_types(const DeviceRecord& record, std::size_t index, Report& report);
/// The port types (mlx4: InfiniBand or Ethernet) that the record wants of one of its devices.
void add_link_types(const DeviceRecord& record, std::size_t index, const MatchedDevice& device, const Facts& facts,
                    Desired& desired);

/// Reports what is wrong with the record's MTUs and QoS settings. Needs no host.
void check_ports(const DeviceRecord& record, std::size_t index, Report& report);
/// Whether the record wants anything that a port's network device keeps.
bool needs_netdevs(const DeviceRecord& record);
/// Whether the record wants anything that rdma_cm keeps.
bool needs_rdma_cm(const DeviceRecord& record);
/// What the record at `index` wants of the ports of one of its devices: MTU, RoCE version, ToS, flow control,
/// priorities.
void add_ports(const Spec& spec, std::size_t index, const DeviceId& id, Desired& desired);

/// Reports what is wrong with the record's virtual functions. Needs no host.
void check_sriov(const DeviceRecord& record, std::size_t index, Report& report);
/// Reports GUIDs of virtual functions that two of them have.
void check_vf_guids(const Spec& spec, Report& report);
/// Whether the record wants something of virtual functions that a port's Ethernet network device tells them.
bool has_vfs_of_netdev(const DeviceRecord& record, const MatchedDevice& device);
/// What the record at `index` wants of the virtual functions of one of its devices. Reports GUIDs that are a device's
/// own.
void add_sriov(const Spec& spec, std::size_t index, const MatchedDevice& device, const Facts& facts, Desired& desired,
               Report& report);
/// Wants a module, unless it is wanted already or `modules.load` has it. `path`: of the field that needs it.
void add_module(const Spec& spec, std::string_view name, std::string path, Desired& desired);

/// The udev rules file that starts rdmastate-event@.service when a network device of one of these devices appears, and
/// with `has_roce` also when rdma_cm, which keeps the RoCE values, is loaded again.
void add_port_rules(const std::vector<MatchedDevice>& watched, bool has_roce, Desired& desired);

/// How a device differs from what is expected of it: a sentence each; empty where it does not.
std::vector<std::string> unmet(const DeviceExpectation& expected, const RdmaDevice& device);

}  // namespace rdmastate
