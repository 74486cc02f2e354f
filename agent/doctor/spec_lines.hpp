// SPDX-License-Identifier: Apache-2.0
// Lines of a spec for fixes. Each one is whole: a spec takes it as it stands.
#pragma once

#include <string>
#include <string_view>

#include "host/facts.hpp"

namespace rdmastate::doctor {

/// `devices: [{match: {node_guid: "e8eb:d303:0011:0010"}, ports: {1: {SETTINGS}}}]`. A device whose GUID is zero is
/// matched by its PCI address, and one without that by its name.
std::string port_line(const RdmaDevice& device, const RdmaPort& port, std::string_view settings);
/// `subnet_manager: {run: true, instances: [{port_guid: "e8eb:d303:0011:0010"}]}`
std::string manager_line(const RdmaPort& port);
/// For the host that runs the subnet manager, as a part of its section: the partition with this member and these
/// settings. Not of the default partition, which has no record. `subnet_manager.partitions: [{name: p0002, pkey:
/// 0x8002, SETTINGS, members: {"e8eb:d303:0011:0010": full}}]`
std::string partition_line(PKey pkey, const RdmaPort& member, std::string_view settings);

}  // namespace rdmastate::doctor
