// SPDX-License-Identifier: Apache-2.0
#include "doctor/spec_lines.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace rdmastate::doctor {
namespace {

std::string match_of(const RdmaDevice& device) {
  if (device.node_guid.value != 0) return fmt::format("node_guid: \"{}\"", to_text(device.node_guid));
  return device.pci.empty() ? fmt::format("name: {}", device.name) : fmt::format("pci: \"{}\"", device.pci);
}

}  // namespace

std::string port_line(const RdmaDevice& device, const RdmaPort& port, std::string_view settings) {
  return fmt::format("devices: [{{match: {{{}}}, ports: {{{}: {{{}}}}}}}]", match_of(device), port.number, settings);
}

std::string manager_line(const RdmaPort& port) {
  return fmt::format("subnet_manager: {{run: true, instances: [{{port_guid: \"{}\"}}]}}", to_text(port.guid));
}

std::string partition_line(PKey pkey, const RdmaPort& member, std::string_view settings) {
  return fmt::format("subnet_manager.partitions: [{{name: p{:04x}, pkey: {}, {}, members: {{\"{}\": full}}}}]",
                     pkey.value & ~PKey::full_member, to_text(pkey), settings, to_text(member.guid));
}

}  // namespace rdmastate::doctor
