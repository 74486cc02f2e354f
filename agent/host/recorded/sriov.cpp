// SPDX-License-Identifier: Apache-2.0
// Virtual functions of a recorded host: their number and drivers as drivers/pci/{iov,pci-sysfs,pci-driver}.c of
// Linux 6.1 have them, GUIDs and link states as mlx5 does (drivers/infiniband/hw/mlx5/ib_virt.c). One that has its
// driver has an RDMA device, a copy of the physical function's with GUIDs of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "host/recorded/kernel.hpp"
#include "host/recorded/rdma.hpp"

namespace rdmastate {
namespace {

RdmaDevice* device_at(HostModel& model, const std::string& pci) {
  const auto found =
      std::find_if(model.devices.begin(), model.devices.end(), [&](const RdmaDevice& one) { return one.pci == pci; });
  return found == model.devices.end() ? nullptr : &*found;
}

// The address of a virtual function (pci_iov_virtfn_bus() and pci_iov_virtfn_devfn()): "0000:3b:00.1" is bus 3b,
// slot 00, function 1, together a routing id of 16 bits.
std::string vf_address(const std::string& physical, const RecordedSriov& sriov, std::size_t number) {
  const auto hex = [](const std::string& digits) { return std::stoul(digits, nullptr, 16); };
  const std::size_t bus = physical.rfind(':') - 2;
  const auto routing =
      hex(physical.substr(bus, 2)) << 8U | hex(physical.substr(bus + 3, 2)) << 3U | hex(physical.substr(bus + 6));
  const auto its = routing + sriov.offset + number * sriov.stride;
  return fmt::format("{}{:02x}:{:02x}.{}", physical.substr(0, bus), its >> 8U & 0xffU, its >> 3U & 0x1fU, its & 7U);
}

std::string vf_address(const HostModel& model, const std::string& physical, std::size_t number) {
  return vf_address(physical, model.sriov.at(physical), number);
}

// The physical function of a virtual one, and its number there.
struct VfPlace {
  const std::string* physical = nullptr;  ///< nullptr: it is no virtual function
  std::size_t number = 0;
};

VfPlace place_of(const HostModel& model, const std::string& vf_pci) {
  for (const auto& [pci, sriov] : model.sriov)
    for (std::size_t i = 0; i < sriov.functions.size(); ++i)
      if (vf_address(pci, sriov, i) == vf_pci) return {&pci, i};
  return {};
}

std::string free_name(HostModel& model, const std::string& wanted) {
  std::string name = wanted;
  const auto is_taken = [&] {
    return std::any_of(model.devices.begin(), model.devices.end(), [&](const auto& one) { return one.name == name; });
  };
  while (is_taken()) name += "x";
  return name;
}

// What the driver of a virtual function registers: it reads the GUIDs now.
void register_device(HostModel& model, const RdmaDevice& physical, const std::string& pci, std::size_t number,
                     const VfSettings& settings) {
  RdmaDevice device = physical;
  device.name = free_name(model, fmt::format("{}v{}", physical.name, number));
  device.pci = pci;
  device.is_virtual = true;
  device.node_guid = device.sys_image_guid = settings.node_guid.value_or(physical.node_guid);
  for (auto& port : device.ports)
    if (port.link_layer == LinkLayer::infiniband) port.guid = settings.port_guid.value_or(port.guid);
  model.devices.push_back(device);
  std::sort(model.devices.begin(), model.devices.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  kernel::bring_interfaces(model, device);
}

void bind(HostModel& model, const std::string& physical_pci, std::size_t number) {
  RecordedVf& vf = model.sriov.at(physical_pci).functions.at(number);
  const RdmaDevice* physical = device_at(model, physical_pci);
  if (!vf.driver.empty() || physical == nullptr) return;
  vf.driver = physical->driver;
  register_device(model, RdmaDevice(*physical), vf_address(model, physical_pci, number), number, vf.settings);
}

void unbind(HostModel& model, const std::string& physical_pci, std::size_t number) {
  const std::string pci = vf_address(model, physical_pci, number);
  model.sriov.at(physical_pci).functions.at(number).driver.clear();
  if (const RdmaDevice* device = device_at(model, pci)) kernel::take_away(model, *device);
  std::erase_if(model.devices, [&](const RdmaDevice& one) { return one.pci == pci; });
}

bool has_infiniband(const RdmaDevice& device) {
  return std::any_of(device.ports.begin(), device.ports.end(),
                     [](const RdmaPort& port) { return port.link_layer == LinkLayer::infiniband; });
}

// How a new one begins: on InfiniBand with GUID 0, and no link.
VfSettings first_settings(const RdmaDevice& physical) {
  if (!has_infiniband(physical)) return {std::nullopt, std::nullopt, VfLinkState::automatic};
  return {ReportedGuid{}, ReportedGuid{}, VfLinkState::disable};
}

RecordedSriov& sriov_of(HostModel& model, const std::string& pci) {
  const auto found = model.sriov.find(pci);
  if (found == model.sriov.end()) throw Refusal{ENOENT};
  return found->second;
}

// The physical function that an interface is on; nullptr: on none that can have virtual ones.
const std::string* physical_under(const HostModel& model, const Link& link) {
  for (const auto& device : model.devices) {
    const auto on = kernel::interfaces_of(model, device);
    const auto found = model.sriov.find(device.pci);
    if (found != model.sriov.end() && std::find(on.begin(), on.end(), link.index) != on.end()) return &found->first;
  }
  return nullptr;
}

std::vector<std::string> netdevs_of(HostModel& model, const std::string& pci) {
  std::vector<std::string> names;
  if (const RdmaDevice* device = device_at(model, pci))
    for (const std::uint32_t index : kernel::interfaces_of(model, *device))
      names.push_back(model.find(index)->link.name);
  return names;
}

}  // namespace

std::vector<VfSettings> kernel::vf_settings(const HostModel& model, const Link& link) {
  std::vector<VfSettings> all;
  const std::string* pci = physical_under(model, link);
  if (pci != nullptr)
    for (const auto& vf : model.sriov.at(*pci).functions) all.push_back(vf.settings);
  return all;
}

void kernel::change_vf(HostModel& model, const Link& link, std::uint32_t number, const VfSettings& settings) {
  const std::string* pci = physical_under(model, link);
  if (pci == nullptr) throw Refusal{EOPNOTSUPP};
  auto& functions = model.sriov.at(*pci).functions;
  if (number >= functions.size()) throw Refusal{EINVAL};
  VfSettings& now = functions[number].settings;
  if ((settings.node_guid || settings.port_guid) && !link.is_ipoib()) throw Refusal{EOPNOTSUPP};
  if (settings.node_guid) now.node_guid = settings.node_guid;
  if (settings.port_guid) now.port_guid = settings.port_guid;
  if (settings.link_state) now.link_state = settings.link_state;
}

std::optional<Sriov> RecordedRdma::sriov(const std::string& pci) {
  ++log_.reads.rdma;
  const auto found = model_.sriov.find(pci);
  if (found == model_.sriov.end()) return std::nullopt;
  Sriov sriov{found->second.total, found->second.autoprobe, {}, found->second.offset, found->second.stride};
  for (std::size_t i = 0; i < found->second.functions.size(); ++i) {
    const std::string vf_pci = vf_address(model_, pci, i);
    sriov.functions.push_back({vf_pci, found->second.functions[i].driver, netdevs_of(model_, vf_pci)});
  }
  return sriov;
}

// sriov_numvfs_store()
void RecordedRdma::set_vf_count(const std::string& pci, std::uint32_t count) {
  log_.move(fmt::format("giving {} {} virtual functions", pci, count), [&] {
    RecordedSriov& sriov = sriov_of(model_, pci);
    if (count > sriov.total) throw Refusal{ERANGE};
    if (count == sriov.functions.size()) return;
    if (count != 0 && !sriov.functions.empty()) throw Refusal{EBUSY};
    const RdmaDevice* physical = device_at(model_, pci);
    if (physical == nullptr) throw Refusal{ENOENT};
    for (std::size_t i = 0; i < sriov.functions.size(); ++i) unbind(model_, pci, i);
    sriov.functions.assign(count, {first_settings(*device_at(model_, pci)), ""});
    for (std::size_t i = 0; sriov.autoprobe && i < count; ++i) bind(model_, pci, i);
  });
}

void RecordedRdma::set_vf_autoprobe(const std::string& pci, bool on) {
  log_.move(fmt::format("letting {}drivers take virtual functions of {}", on ? "" : "no ", pci),
            [&] { sriov_of(model_, pci).autoprobe = on; });
}

// pci_device_can_probe(): nothing happens while autoprobe is off.
void RecordedRdma::bind_vf(const std::string& vf_pci) {
  log_.move("binding " + vf_pci, [&] {
    const VfPlace place = place_of(model_, vf_pci);
    if (place.physical == nullptr) throw Refusal{EINVAL};
    if (model_.sriov.at(*place.physical).autoprobe) bind(model_, *place.physical, place.number);
  });
}

void RecordedRdma::unbind_vf(const std::string& vf_pci) {
  log_.move("unbinding " + vf_pci, [&] {
    const VfPlace place = place_of(model_, vf_pci);
    if (place.physical == nullptr) throw Refusal{ENOENT};
    unbind(model_, *place.physical, place.number);
  });
}

}  // namespace rdmastate
