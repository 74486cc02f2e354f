// SPDX-License-Identifier: Apache-2.0
#include "resources/opensm_ports.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"
#include "platform/opensm.hpp"

namespace rdmastate {
namespace {

bool may_run_on(const RdmaPort& port, const std::string& unit) {
  constexpr std::uint32_t phys_link_up = 5;  // ib_port_phys_state, include/rdma/ib_verbs.h
  if (port.link_layer != LinkLayer::infiniband || port.phys_state != phys_link_up) return false;
  return unit.find('@') == std::string::npos || opensm_unit_on(port.guid.value) == unit;
}

}  // namespace

std::optional<bool> has_is_sm(std::string_view cap_mask) {
  constexpr std::uint32_t is_sm = 0x2;
  std::uint32_t mask = 0;
  if (!cap_mask.starts_with("0x")) return std::nullopt;
  if (std::from_chars(cap_mask.data() + 2, cap_mask.data() + cap_mask.size(), mask, 16).ec != std::errc{})
    return std::nullopt;
  return (mask & is_sm) != 0;
}

std::optional<bool> announces_manager(const Snapshot& snapshot, const RdmaDevice& device, const RdmaPort& port) try {
  return has_is_sm(
      snapshot.read(fmt::format("/sys/class/infiniband/{}/ports/{}/cap_mask", device.name, port.number)).value_or(""));
} catch (const SystemError&) {
  return std::nullopt;
}

std::vector<std::string> unannounced_ports(const Snapshot& snapshot, const std::string& unit) {
  std::vector<std::string> ports;
  for (const auto& device : snapshot.devices())
    for (const auto& port : device.ports) {
      if (!may_run_on(port, unit)) continue;
      if (announces_manager(snapshot, device, port).value_or(true)) return {};
      ports.push_back(fmt::format("{} port {}", device.name, port.number));
    }
  return ports;
}

FilePlaces opensm_port_places() { return whole_files({"/sys/class/infiniband/*/ports/*/cap_mask"}); }

}  // namespace rdmastate
