// SPDX-License-Identifier: Apache-2.0
#include "resources/loss.hpp"

#include "host/snapshot.hpp"

namespace rdmastate {

std::uint32_t Loss::link() const {
  if (!links.empty()) return links.front();
  if (!addresses.empty()) return addresses.front().link;
  return routes.empty() ? 0 : routes.front().link;
}

std::string rdma_device_of(const Snapshot& snapshot, const Link& link) {
  if (!link.is_ipoib() || link.port_guid().value == 0) return {};
  for (const auto& device : snapshot.devices())
    for (const auto& port : device.ports)
      if (port.guid == link.port_guid()) return device.name;
  return {};
}

Loss loss_of_link(const Snapshot& snapshot, const Link* link) {
  Loss loss;
  if (link == nullptr || !link->up) return loss;
  loss.links.push_back(link->index);
  if (!link->is_child())  // nothing stands on a child
    for (const Link* other : snapshot.links())
      if (other->parent == link->index) loss.links.push_back(other->index);
  loss.device = rdma_device_of(snapshot, *link);
  return loss;
}

}  // namespace rdmastate
