// SPDX-License-Identifier: Apache-2.0
// How a resource names a port of an RDMA device. Text: "node_guid f452:1403:007b:cba0 port 2".
#pragma once

#include "resources/device_id.hpp"

namespace rdmastate {

/// A port of an RDMA device, by how its device is selected and its number.
struct PortId {
  DeviceId device;
  PortNumber port;
};

/// The key of a port: "node_guid f452:1403:007b:cba0 port 2".
std::string device_port_key(const DeviceId& device, PortNumber port);
/// Throws Error where the key is no port's.
PortId port_id_from(const std::string& key);
/// The key with its device named by stable_id(): by its node GUID, else its PCI function, else its present name. The
/// key as it is where it selects no device of `snapshot`, or several. Throws as port_id_from().
std::string resolve_port_key(const Snapshot& snapshot, const std::string& key);
/// The sentence that says that the device has no port `number`, and lists those that it has.
std::string no_such_port_text(const RdmaDevice& device, PortNumber number);
/// Why the port is no Ethernet port, as a sentence: no_such_port_text(), or its link layer. Empty where it is one.
/// `field`: the field of the spec that needs an Ethernet port, such as "roce".
std::string why_not_ethernet(const RdmaDevice& device, PortNumber number, std::string_view field);

}  // namespace rdmastate
