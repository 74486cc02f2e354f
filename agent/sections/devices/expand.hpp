// SPDX-License-Identifier: Apache-2.0
// The parts of what section `devices` wants of a host.
#pragma once

#include <utility>
#include <vector>

#include "sections/devices/match.hpp"
#include "sections/devices/spec.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// Devices and what they are called.
using DeviceNames = std::vector<std::pair<DeviceId, DeviceName>>;
/// The udev rules file for these names.
void add_name_rules(const DeviceNames& named, Desired& desired);
/// Its lines for one of them: what gives the device its name at the next boot.
Twin name_rule_twin(const DeviceId& id, const DeviceName& name);

/// The spec with every port of `ipoib` that is named by a name of `devices` known by its GUID: the device may have
/// another name yet.
Spec ports_by_guid(Spec spec, const Facts& facts);

/// What is wrong with the types that the record gives its ports, whatever the host.
void check_link_types(const DeviceRecord& record, std::size_t index, Report& report);
/// What the record wants the ports of one of its devices to be.
void add_link_types(const DeviceRecord& record, std::size_t index, const MatchedDevice& device, const Facts& facts,
                    Desired& desired);

/// What is wrong with the record's ports, whatever the host.
void check_ports(const DeviceRecord& record, std::size_t index, Report& report);
/// Whether the record wants anything that a port's network device keeps.
bool needs_netdevs(const DeviceRecord& record);
/// Whether the record wants anything that rdma_cm keeps.
bool needs_rdma_cm(const DeviceRecord& record);
/// What the record wants of the ports of one of its devices.
void add_ports(const Spec& spec, std::size_t index, const DeviceId& id, Desired& desired);

/// The udev rules file that starts another run when a network device of one of these devices appears, and where ports
/// have RoCE values when rdma_cm, which keeps them, is loaded again.
void add_port_rules(const std::vector<MatchedDevice>& watched, bool has_roce, Desired& desired);

/// How a device differs from what is expected of it: a sentence each.
std::vector<std::string> unmet(const DeviceExpectation& expected, const RdmaDevice& device);

}  // namespace rdmastate
