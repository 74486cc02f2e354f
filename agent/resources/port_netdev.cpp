// SPDX-License-Identifier: Apache-2.0
#include "resources/port_netdev.hpp"

#include <fmt/format.h>

namespace rdmastate {

std::string netdev_of(const Snapshot& snapshot, const PortId& id) {
  const RdmaDevice* device = only_meant(snapshot.devices(), id.device);
  return device == nullptr ? std::string() : snapshot.netdev(device->name, id.port.value);
}

const Link* netdev_link(const Snapshot& snapshot, const std::string& key) {
  const std::string netdev = netdev_of(snapshot, port_id_from(key));
  return netdev.empty() ? nullptr : snapshot.link(netdev);
}

std::optional<Gap> gap_without_netdev(const Snapshot& snapshot, const RdmaDevice& device, PortNumber number,
                                      std::string_view field, std::string_view what) {
  Gap gap;
  gap.blocked = why_not_ethernet(device, number, field);
  if (!gap.blocked.empty()) {
    gap.never.emplace();
    return gap;
  }
  if (!snapshot.netdev(device.name, number.value).empty()) return std::nullopt;
  gap.blocked = fmt::format("{} port {} has no network device in this network namespace, and {} set on that",
                            device.name, number.value, what);
  gap.comes_late = true;
  return gap;
}

Loss loss_of_netdev(const Scene& scene, const std::string& key) {
  const Link* link = netdev_link(scene.snapshot, key);
  Loss loss = loss_of_link(scene.snapshot, link);
  if (link != nullptr && loss.links.empty()) loss.links.push_back(link->index);
  if (const RdmaDevice* device = only_meant(scene.snapshot.devices(), port_id_from(key).device))
    loss.devices = {device->name};
  return loss;
}

}  // namespace rdmastate
