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

/// Its key: "node_guid f452:1403:007b:cba0 port 2".
std::string device_port_key(const DeviceId& device, PortNumber port);
/// Throws Error where the key is no port's.
PortId port_id_from(const std::string& key);
/// The same key, with the device that it selects in `snapshot` named by what does not change.
std::string resolve_port_key(const Snapshot& snapshot, const std::string& key);
/// A sentence: the device has no such port, but these.
std::string no_such_port_text(const RdmaDevice& device, PortNumber number);
/// Why this is no Ethernet port, as a sentence; empty where it is one. `field`: the spec's field that needs one,
/// "roce".
std::string why_not_ethernet(const RdmaDevice& device, PortNumber number, std::string_view field);

}  // namespace rdmastate
