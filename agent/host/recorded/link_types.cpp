// SPDX-License-Identifier: Apache-2.0
// RecordedRdma::set_link_type(): what mlx4_core does when a port is given a type, by set_port_type() and
// mlx4_change_port_types() in drivers/net/ethernet/mellanox/mlx4/main.c of Linux 6.1. Where the port's link layer
// changes, the driver takes the device's interfaces away and makes new ones.
#include <algorithm>
#include <cerrno>

#include "host/recorded/kernel.hpp"
#include "host/recorded/rdma.hpp"

namespace rdmastate {
namespace {

// The device of a PCI function; nullptr: there is none.
RdmaDevice* device_at(HostModel& model, const std::string& pci) {
  const auto found = std::find_if(model.devices.begin(), model.devices.end(),
                                  [&](const RdmaDevice& one) { return !pci.empty() && one.pci == pci; });
  return found == model.devices.end() ? nullptr : &*found;
}

// nullptr: there is no such device or port, or its driver has no choice of the type.
RdmaPort* port_at(RdmaDevice* device, std::uint32_t number) {
  if (device == nullptr) return nullptr;
  const auto found = std::find_if(device->ports.begin(), device->ports.end(),
                                  [&](const RdmaPort& one) { return one.number == number; });
  return found == device->ports.end() || !found->link_type ? nullptr : &*found;
}

// The link layer of the port with this type. `automatic`: the present one, which the driver keeps while the cable is
// the same.
LinkLayer layer_with(const RdmaPort& port, LinkType type) {
  if (type == LinkType::automatic) return port.link_layer;
  return type == LinkType::ethernet ? LinkLayer::ethernet : LinkLayer::infiniband;
}

// Whether the port may get this type: the hardware has no Ethernet port before an InfiniBand one.
bool is_possible(const RdmaDevice& device, const RdmaPort& changed, LinkType type) {
  bool ethernet = false;
  for (const auto& port : device.ports) {
    const LinkLayer layer = &port == &changed ? layer_with(port, type) : port.link_layer;
    if (ethernet && layer == LinkLayer::infiniband) return false;
    ethernet = ethernet || layer == LinkLayer::ethernet;
  }
  return true;
}

// Whether the interface is one of the device's ports: their IPoIB parents, and the network devices of Ethernet ports.
bool is_on(const HostModel& model, const RdmaDevice& device, const Link& link) {
  const RdmaPort* on = link.is_ipoib() && !link.is_child() ? kernel::port_of(model, link) : nullptr;
  return std::any_of(device.ports.begin(), device.ports.end(), [&](const RdmaPort& port) {
    const auto netdev = model.netdevs.find({device.name, port.number});
    return &port == on || (netdev != model.netdevs.end() && netdev->second == link.name);
  });
}

}  // namespace

namespace kernel {

std::vector<std::uint32_t> interfaces_of(const HostModel& model, const RdmaDevice& device) {
  std::vector<std::uint32_t> found;
  for (const auto& [index, one] : model.links)
    if (is_on(model, device, one.link)) found.push_back(index);
  return found;
}

// mlx4_unregister_device(): IPoIB's interfaces, those of mlx4_en, and what anybody had open.
void take_away(HostModel& model, const RdmaDevice& device) {
  for (const std::uint32_t index : interfaces_of(model, device)) unregister(model, index);
  model.users.erase(device.name);
  rename_ports(model, device.name, {});
}

void bring_interfaces(HostModel& model, const RdmaDevice& device) {
  if (!model.modules.loaded.contains("ib_ipoib")) return;
  for (const auto& port : device.ports)
    if (port.link_layer == LinkLayer::infiniband) create_port_link(model, port);
}

}  // namespace kernel

void RecordedRdma::set_link_type(const std::string& pci, std::uint32_t number, LinkType type) {
  log_.move("making port " + std::to_string(number) + " of " + pci + " " + to_text(type), [&] {
    RdmaDevice* device = device_at(model_, pci);
    RdmaPort* port = port_at(device, number);
    if (port == nullptr) throw Refusal{ENOENT};
    if (!is_possible(*device, *port, type)) throw Refusal{EOPNOTSUPP};
    port->link_type = type;
    const LinkLayer layer = layer_with(*port, type);
    if (layer == port->link_layer) return;
    kernel::take_away(model_, *device);
    port->link_layer = layer;
    kernel::bring_interfaces(model_, *device);
  });
}

}  // namespace rdmastate
