// SPDX-License-Identifier: Apache-2.0
// The network device of an Ethernet port, for the kinds of resources that are settings of it.
#pragma once

#include "resources/gap.hpp"
#include "resources/loss.hpp"
#include "resources/port_id.hpp"

namespace rdmastate {

/// The present name of the port's network device; empty where there is none in this network namespace.
std::string netdev_of(const Snapshot& snapshot, const PortId& id);
/// The network device of the port with this key; nullptr: it is not there. Throws as port_id_from().
const Link* netdev_link(const Snapshot& snapshot, const std::string& key);
/// The gap of a port that has no network device: for good where it is no Ethernet port. `field` is that of the spec,
/// such as "qos"; `what` is set on it, such as "priorities are". nullopt: it has one.
std::optional<Gap> gap_without_netdev(const Snapshot& snapshot, const RdmaDevice& device, PortNumber number,
                                      std::string_view field, std::string_view what);
/// The loss of a step with which the driver may take the link of the port's network device down and up: that link,
/// although it may be down, with what is on it, and the RDMA device.
Loss loss_of_netdev(const Scene& scene, const std::string& key);

}  // namespace rdmastate
