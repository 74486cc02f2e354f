// SPDX-License-Identifier: Apache-2.0
// First the functions of kernel.hpp for soft devices, then RecordedRdma. Its calls for link types are in
// link_types.cpp, those for RoCE in roce.cpp; read_device() is in read_rdma.cpp.
#include "host/recorded/rdma.hpp"

#include <algorithm>
#include <cerrno>

#include "host/recorded/kernel.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t arphrd_ether = 1;
constexpr std::uint32_t arphrd_ieee802 = 6;
constexpr std::uint32_t arphrd_loopback = 772;

std::string driver_of(SoftType type) { return type == SoftType::rxe ? "rdma_rxe" : "siw"; }

// nullptr: there is none.
RdmaDevice* device_named(HostModel& model, const std::string& name) {
  const auto found =
      std::find_if(model.devices.begin(), model.devices.end(), [&](const RdmaDevice& one) { return one.name == name; });
  return found == model.devices.end() ? nullptr : &*found;
}

// rxe_newlink() and siw_newlink(): what they look at before they make anything.
void check_netdev(const HostModel& model, const SoftDevice& wanted, const Link& netdev) {
  if (wanted.type == SoftType::rxe && netdev.kind == "vlan") throw Refusal{EPERM};
  const bool qualified = netdev.type == arphrd_ether || netdev.type == arphrd_ieee802 || netdev.type == arphrd_loopback;
  if (wanted.type == SoftType::siw && !qualified) throw Refusal{EINVAL};
  for (const auto& [name, one] : model.soft)
    if (one.type == wanted.type && one.netdev == wanted.netdev) throw Refusal{EEXIST};
}

// Removes the soft devices for which `goes` is true, with all that the model has by their names.
template <class Goes>
void drop_soft(HostModel& model, Goes&& goes) {
  const std::map<std::string, SoftDevice> all = model.soft;
  for (const auto& one : all) {
    const std::string& name = one.first;
    if (!goes(one.second)) continue;
    std::erase_if(model.devices, [&](const RdmaDevice& device) { return device.name == name; });
    model.users.erase(name);
    kernel::rename_ports(model, name, {});
    model.soft.erase(name);
  }
}

}  // namespace

void kernel::drop_soft_devices(HostModel& model, const std::string& netdev) {
  drop_soft(model, [&](const SoftDevice& soft) { return soft.netdev == netdev; });
}

void kernel::drop_soft_devices(HostModel& model, SoftType type) {
  drop_soft(model, [&](const SoftDevice& soft) { return soft.type == type; });
}

// addrconf_addr_eui48(): ff:fe in the middle, the universal bit turned.
Guid kernel::eui64_of(const std::string& address) {
  Guid guid;
  if (address.size() != 6) return guid;
  const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<std::uint8_t>(address[at])}; };
  guid.value = (byte(0) ^ 2U) << 56U | byte(1) << 48U | byte(2) << 40U | 0xfffe000000U | byte(3) << 16U |
               byte(4) << 8U | byte(5);
  return guid;
}

void kernel::create_soft_device(HostModel& model, const SoftDevice& wanted) {
  const RecordedLink* netdev = model.find(wanted.netdev);
  if (netdev == nullptr) throw Refusal{ENODEV};
  check_netdev(model, wanted, netdev->link);
  if (device_named(model, wanted.name) != nullptr) throw Refusal{ENFILE};  // ib_register_device(): the name is taken
  RdmaDevice device;
  device.name = wanted.name;
  device.node_guid = device.sys_image_guid = eui64_of(netdev->link.address);
  RdmaPort port;
  port.guid = device.node_guid;
  port.link_layer = LinkLayer::ethernet;
  port.state = netdev->link.carrier ? 4 : 1;       // IB_PORT_ACTIVE, IB_PORT_DOWN (include/rdma/ib_verbs.h)
  port.phys_state = netdev->link.carrier ? 5 : 3;  // IB_PORT_PHYS_STATE_LINK_UP, IB_PORT_PHYS_STATE_DISABLED
  port.pkeys = {0xffff};
  device.ports = {port};
  model.devices.push_back(std::move(device));
  std::sort(model.devices.begin(), model.devices.end(),
            [](const RdmaDevice& a, const RdmaDevice& b) { return a.name < b.name; });
  model.soft.emplace(wanted.name, wanted);
}

bool RecordedRdma::has_module(const std::string& name) const {
  return model_.modules.loaded.contains(name) || model_.modules.builtin.contains(name);
}

std::vector<RdmaDevice> RecordedRdma::devices() {
  ++log_.reads.devices;
  return has_module("ib_core") ? model_.devices : std::vector<RdmaDevice>();
}

std::optional<NetnsMode> RecordedRdma::netns_mode() {
  ++log_.reads.rdma;
  return has_module("ib_core") ? std::optional(model_.netns_mode) : std::nullopt;
}

std::vector<std::string> RecordedRdma::other_namespaces() {
  ++log_.reads.rdma;
  return model_.other_namespaces;
}

// rdma_compatdev_set(): setting the present mode always succeeds.
void RecordedRdma::set_netns_mode(NetnsMode mode) {
  log_.move("setting the network namespace mode of RDMA to " + to_text(mode), [&] {
    if (mode == model_.netns_mode) return;
    if (!model_.other_namespaces.empty()) throw Refusal{EBUSY};
    model_.netns_mode = mode;
  });
}

std::vector<SoftDevice> RecordedRdma::soft_devices() {
  ++log_.reads.rdma;
  std::vector<SoftDevice> found;
  for (const auto& [name, one] : model_.soft) found.push_back(one);
  return found;
}

// nldev_newlink() checks the name, the network device and the driver, and then asks the driver.
void RecordedRdma::add(const SoftDevice& wanted) {
  log_.move("adding " + to_text(wanted.type) + " device " + wanted.name + " on " + wanted.netdev, [&] {
    if (wanted.name.empty() || wanted.name.find('%') != std::string::npos) throw Refusal{EINVAL};
    if (model_.find(wanted.netdev) == nullptr) throw Refusal{ENODEV};
    const std::string driver = driver_of(wanted.type);
    if (!has_module(driver) && !model_.modules.loadable.contains(driver)) throw Refusal{EINVAL};
    if (!has_module(driver)) kernel::insert_module(model_, driver);
    kernel::create_soft_device(model_, wanted);
  });
}

void RecordedRdma::remove(const SoftDevice& device) {
  log_.move("removing RDMA device " + device.name, [&] {
    if (device_named(model_, device.name) == nullptr) throw Refusal{ENODEV};
    if (!model_.soft.contains(device.name)) throw Refusal{EINVAL};
    drop_soft(model_, [&](const SoftDevice& soft) { return soft.name == device.name; });
  });
}

// ib_device_rename()
void RecordedRdma::rename(const std::string& from, const std::string& to) {
  log_.move("renaming RDMA device " + from + " to " + to, [&] {
    RdmaDevice* device = device_named(model_, from);
    if (device == nullptr) throw Refusal{ENODEV};
    if (to.empty()) throw Refusal{EINVAL};
    if (from == to) return;
    if (device_named(model_, to) != nullptr) throw Refusal{EEXIST};
    device->name = to;
    if (auto soft = model_.soft.extract(from)) {
      soft.key() = soft.mapped().name = to;
      model_.soft.insert(std::move(soft));
    }
    if (auto users = model_.users.extract(from)) {
      users.key() = to;
      model_.users.insert(std::move(users));
    }
    kernel::rename_ports(model_, from, to);
    std::sort(model_.devices.begin(), model_.devices.end(),
              [](const RdmaDevice& a, const RdmaDevice& b) { return a.name < b.name; });
  });
}

std::string RecordedRdma::netdev(const std::string& device, std::uint32_t port) {
  ++log_.reads.rdma;
  if (const auto soft = model_.soft.find(device); soft != model_.soft.end()) return soft->second.netdev;
  const auto found = model_.netdevs.find({device, port});
  return found == model_.netdevs.end() || model_.find(found->second) == nullptr ? std::string() : found->second;
}

std::vector<RdmaUser> RecordedRdma::users(const std::string& device) {
  ++log_.reads.rdma;
  const auto found = model_.users.find(device);
  return found == model_.users.end() ? std::vector<RdmaUser>() : found->second;
}

}  // namespace rdmastate
