// SPDX-License-Identifier: Apache-2.0
// Compares a device with the record's `expect` (firmware, port state, rate, link layer), which rdmastate reports and
// cannot change.
#include <fmt/format.h>

#include <algorithm>

#include "resources/link_types.hpp"
#include "sections/devices/devices.hpp"

namespace rdmastate {
namespace {

std::string state_text(std::uint32_t state) {
  for (const auto& name : Names<PortState>::table)
    if (static_cast<std::uint32_t>(name.value) == state) return std::string(name.text);
  return fmt::format("in state {}", state);
}

std::string why_not_active(const RdmaPort& port) {
  constexpr std::uint32_t polling = 2, disabled = 3;  // PortPhysicalState of PortInfo (IBA)
  constexpr std::uint32_t init = 2;                   // its PortState
  if (port.phys_state == polling) return ": no link partner answers; see to cable and switch";
  if (port.phys_state == disabled) return ": it is disabled by the driver, the firmware or the switch";
  if (port.state == init && port.link_layer == LinkLayer::infiniband && port.sm_lid == 0)
    return ": no subnet manager has answered";
  return {};
}

// What changes the link layer of the device's ports: a clause.
std::string who_chooses(const RdmaDevice& device) {
  if (device.driver == choosing_driver) return "devices.ports.link_type in a spec changes it";
  return no_choice_text(device.driver, device.name);
}

void judge_port(const PortExpectation& expected, const RdmaDevice& device, const RdmaPort& port,
                std::vector<std::string>& differences) {
  const std::string where = fmt::format("{} port {}", device.name, port.number);
  if (expected.state && static_cast<std::uint32_t>(*expected.state) != port.state)
    differences.push_back(fmt::format("{} is {}, not {}{}", where, state_text(port.state), to_text(*expected.state),
                                      *expected.state == PortState::active ? why_not_active(port) : ""));
  if (expected.rate && !expected.rate->holds(port.rate))
    differences.push_back(fmt::format("{} runs at {}, not {} Gb/s: see to cable, switch port and firmware", where,
                                      port.rate.empty() ? "an unknown rate" : port.rate, to_text(*expected.rate)));
  if (expected.link_layer && *expected.link_layer != port.link_layer)
    differences.push_back(fmt::format("{} is {}, not {}: {}", where, to_text(port.link_layer),
                                      to_text(*expected.link_layer), who_chooses(device)));
}

}  // namespace

std::vector<std::string> unmet(const DeviceExpectation& expected, const RdmaDevice& device) {
  std::vector<std::string> differences;
  if (expected.firmware && !expected.firmware->holds(device.firmware))
    differences.push_back(fmt::format("{} has firmware {}, not {}: update it with the vendor's tool", device.name,
                                      device.firmware.empty() ? "of an unknown version" : device.firmware,
                                      to_text(*expected.firmware)));
  for (const auto& [number, port] : expected.ports) {
    const auto found = std::find_if(device.ports.begin(), device.ports.end(),
                                    [&, wanted = number.value](const RdmaPort& one) { return one.number == wanted; });
    if (found == device.ports.end()) {
      differences.push_back(fmt::format("{} has no port {}", device.name, number.value));
    } else {
      judge_port(port, device, *found, differences);
    }
  }
  return differences;
}

}  // namespace rdmastate
