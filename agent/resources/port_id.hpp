// SPDX-License-Identifier: Apache-2.0
// How a resource names a port of an RDMA device. Text: "node_guid f452:1403:007b:cba0 port 2".
#pragma once

#include "resources/device_id.hpp"

namespace rdmastate {

/// A port of an RDMA device, by what does not change.
struct PortId {
  DeviceId device;
  PortNumber port;
};

/// Its key: "node_guid f452:1403:007b:cba0 port 2".
std::string device_port_key(const DeviceId& device, PortNumber port);
/// Throws Error when the text is none.
PortId port_id_from(const std::string& key);
/// With its device's stable identity.
std::string resolve_port_key(const Snapshot& snapshot, const std::string& key);
std::string no_such_port(const RdmaDevice& device, PortNumber number);
/// A sentence where the device has no such port or it is not an Ethernet one; `field` is what wants one, "roce".
std::string why_not_ethernet(const RdmaDevice& device, PortNumber number, std::string_view field);

}  // namespace rdmastate
