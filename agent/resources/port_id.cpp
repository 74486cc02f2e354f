// SPDX-License-Identifier: Apache-2.0
#include "resources/port_id.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

std::string device_port_key(const DeviceId& device, PortNumber port) {
  return fmt::format("{} port {}", to_text(device), port.value);
}

PortId port_id_from(const std::string& key) {
  constexpr std::string_view word = " port ";
  PortId id;
  const std::size_t at = key.rfind(word);
  if (at == std::string::npos || Text<PortNumber>::read(Scalar{key.substr(at + word.size())}, id.port))
    throw Error(fmt::format("'{}' is not a port's identity", key));
  id.device = device_id_from(std::string_view(key).substr(0, at));
  return id;
}

std::string resolve_port_key(const Snapshot& snapshot, const std::string& key) {
  const PortId id = port_id_from(key);
  return device_port_key(resolve(snapshot, id.device), id.port);
}

std::string no_such_port_text(const RdmaDevice& device, PortNumber number) {
  std::vector<std::uint32_t> numbers;
  for (const auto& port : device.ports) numbers.push_back(port.number);
  return fmt::format("{} has no port {} (ports: {})", device.name, number.value,
                     numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ", ")));
}

std::string why_not_ethernet(const RdmaDevice& device, PortNumber number, std::string_view field) {
  const auto port = std::find_if(device.ports.begin(), device.ports.end(),
                                 [&](const RdmaPort& one) { return one.number == number.value; });
  if (port == device.ports.end()) return no_such_port_text(device, number);
  if (port->link_layer == LinkLayer::ethernet) return {};
  return fmt::format(
      "{} port {} has link layer {}: {} needs an Ethernet port (remove {} from the spec, or change the port's link type)",
      device.name, port->number, to_text(port->link_layer), field == "roce" ? "RoCE" : field, field);
}

}  // namespace rdmastate
