// SPDX-License-Identifier: Apache-2.0
// Kind `link_types`: the type of each port of an adapter whose ports can be InfiniBand or Ethernet (mlx4). Key: the
// text of a DeviceId. The types are lost when the driver is unloaded. Twins: boot.json, and an entry of mlx4.conf where
// rdma-core reads that file. All ports are one resource: the adapter refuses some combinations of types, and one step
// moves the ports in an order that avoids these.
#pragma once

#include <map>

#include "resources/device_id.hpp"
#include "resources/kind.hpp"
#include "resources/port_id.hpp"

namespace rdmastate {

struct LinkTypesState {
  DeviceId device;
  /// Wanted: the ports that the spec gives a type. Observed: all ports whose type can be chosen.
  std::map<PortNumber, LinkType> ports;
  bool operator==(const LinkTypesState&) const = default;
};

template <>
struct Fields<LinkTypesState> {
  static constexpr std::string_view name = "link_types";
  static constexpr std::string_view doc = "The type of each port of a device.";
  static constexpr auto table = Table{
      Field{"device", &LinkTypesState::device, "Which device.", {.required = true, .identity = true}},
      Field{"ports", &LinkTypesState::ports, "The type of each port."},
  };
};

extern const Kind link_types_kind;

/// The driver whose ports' types can be chosen.
inline constexpr std::string_view choosing_driver = "mlx4_core";

/// For a resource on a port of a device whose port types this plan changes: the gap that waits for that step
/// (Gap::after). nullopt: the plan does not change them.
std::optional<Gap> gap_of_changing(const Scene& scene, const RdmaDevice& device);
/// For a port that the host does not know yet: the step of this plan that may bring it, "link_types node_guid ...";
/// empty: there is none.
std::string bringer_of_ports(const Scene& scene);
/// A sentence: the driver of the device cannot change a port's type; for mlx5_core it names the tool that can.
std::string no_choice_text(std::string_view driver, std::string_view device);
/// The first port that is Ethernet before one that is InfiniBand, which mlx4 cannot be; nullopt: there is none.
std::optional<PortNumber> ethernet_before_infiniband(const std::map<PortNumber, LinkType>& ports);

}  // namespace rdmastate
