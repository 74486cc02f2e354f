// SPDX-License-Identifier: Apache-2.0
// The RoCE modes of ports and rdma_cm's defaults for them, as drivers/infiniband/core/{cma,cma_configfs}.c of Linux 6.1
// keep them. The model holds only ports that are not as usual_roce() says.
// rename_ports() moves all that the model keeps by port, network interfaces too.
#include <algorithm>
#include <cerrno>

#include "host/recorded/kernel.hpp"
#include "host/recorded/rdma.hpp"

namespace rdmastate {
namespace {

// nullptr: there is no such device or port.
const RdmaPort* port_at(const HostModel& model, const HostModel::Port& at) {
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (device.name == at.first && port.number == at.second) return &port;
  return nullptr;
}

bool is_known(const HostModel& model, const std::string& device) {
  return std::any_of(model.devices.begin(), model.devices.end(),
                     [&](const RdmaDevice& one) { return one.name == device; });
}

bool has_mode(const RecordedRoce& roce, RoceMode mode) {
  return std::find(roce.modes.begin(), roce.modes.end(), mode) != roce.modes.end();
}

}  // namespace

RoceDefaults kernel::first_defaults(const std::vector<RoceMode>& modes) {
  const bool v2 = std::find(modes.begin(), modes.end(), RoceMode::v2) != modes.end();
  return {v2 ? RoceMode::v2 : RoceMode::v1, 0};
}

RecordedRoce kernel::usual_roce(const HostModel& model, const HostModel::Port& at) {
  RecordedRoce roce{{RoceMode::v1, RoceMode::v2}, {}};
  const RdmaPort* port = port_at(model, at);
  const auto soft = model.soft.find(at.first);
  if (port != nullptr && port->link_layer == LinkLayer::infiniband) roce.modes = {RoceMode::v1};
  if (soft != model.soft.end()) roce.modes = {soft->second.type == SoftType::rxe ? RoceMode::v2 : RoceMode::v1};
  roce.defaults = first_defaults(roce.modes);
  return roce;
}

RecordedRoce kernel::roce_of(const HostModel& model, const HostModel::Port& port) {
  const auto found = model.roce.find(port);
  return found == model.roce.end() ? usual_roce(model, port) : found->second;
}

void kernel::keep_roce(HostModel& model, const HostModel::Port& port, const RecordedRoce& roce) {
  model.roce.erase(port);
  if (roce != usual_roce(model, port)) model.roce.emplace(port, roce);
}

void kernel::forget_roce_defaults(HostModel& model) {
  auto all = std::exchange(model.roce, {});
  for (auto& [port, roce] : all) {
    roce.defaults = first_defaults(roce.modes);
    keep_roce(model, port, roce);
  }
}

void kernel::rename_ports(HostModel& model, const std::string& from, const std::string& to) {
  auto netdevs = std::exchange(model.netdevs, {});
  for (const auto& [port, netdev] : netdevs) {
    const std::string& name = port.first == from ? to : port.first;
    if (!name.empty()) model.netdevs.emplace(HostModel::Port{name, port.second}, netdev);
  }
  auto all = std::exchange(model.roce, {});
  for (const auto& [port, roce] : all) {
    const std::string& name = port.first == from ? to : port.first;
    if (!name.empty()) model.roce.emplace(HostModel::Port{name, port.second}, roce);
  }
}

// make_cma_dev() refuses an unknown device (ENODEV); a port that the device does not have has no directory (ENOENT).
void RecordedRdma::check_roce_port(const std::string& device, std::uint32_t port) const {
  if (!has_module("rdma_cm") || !is_known(model_, device)) throw Refusal{ENODEV};
  if (port_at(model_, {device, port}) == nullptr) throw Refusal{ENOENT};
}

std::optional<RoceDefaults> RecordedRdma::roce_defaults(const std::string& device, std::uint32_t port) {
  ++log_.reads.rdma;
  if (!has_module("rdma_cm") || port_at(model_, {device, port}) == nullptr) return std::nullopt;
  return kernel::roce_of(model_, {device, port}).defaults;
}

std::vector<RoceMode> RecordedRdma::roce_modes(const std::string& device, std::uint32_t port) {
  ++log_.reads.rdma;
  return port_at(model_, {device, port}) == nullptr ? std::vector<RoceMode>()
                                                    : kernel::roce_of(model_, {device, port}).modes;
}

void RecordedRdma::set_roce_mode(const std::string& device, std::uint32_t port, RoceMode mode) {
  const std::string doing = "setting the default RoCE mode of " + device + " port " + std::to_string(port) + " to ";
  log_.move(doing + std::string(kernel_word(mode)), [&] {
    check_roce_port(device, port);
    RecordedRoce roce = kernel::roce_of(model_, {device, port});
    if (!has_mode(roce, mode)) throw Refusal{EINVAL};
    roce.defaults.mode = mode;
    kernel::keep_roce(model_, {device, port}, roce);
  });
}

void RecordedRdma::set_roce_tos(const std::string& device, std::uint32_t port, std::uint32_t tos) {
  constexpr std::uint32_t most = 255;
  const std::string doing = "setting the default ToS of " + device + " port " + std::to_string(port) + " to ";
  log_.move(doing + std::to_string(tos), [&] {
    check_roce_port(device, port);
    if (tos > most) throw Refusal{ERANGE};
    RecordedRoce roce = kernel::roce_of(model_, {device, port});
    roce.defaults.tos = tos;
    kernel::keep_roce(model_, {device, port}, roce);
  });
}

}  // namespace rdmastate
