// SPDX-License-Identifier: Apache-2.0
// Kind `link_types`: what the ports of an adapter are that can be InfiniBand or Ethernet (mlx4). Key: as rdma_device's.
// The driver forgets them when it goes. Twin: boot.json. Of one resource for all ports, because one port at a time the
// adapter could pass through what it cannot be.
#pragma once

#include <map>

#include "resources/device_id.hpp"
#include "resources/kind.hpp"
#include "resources/port_id.hpp"

namespace rdmastate {

struct LinkTypesState {
  DeviceId device;
  std::map<PortNumber, LinkType> ports;  ///< those that are named; of a device as it is, all that have a choice
  bool operator==(const LinkTypesState&) const = default;
};

template <>
struct Fields<LinkTypesState> {
  static constexpr std::string_view name = "link_types";
  static constexpr std::string_view doc = "What the ports of a device are.";
  static constexpr auto table = Table{
      Field{"device", &LinkTypesState::device, "Which device.", {.required = true, .identity = true}},
      Field{"ports", &LinkTypesState::ports, "The type of each port."},
  };
};

extern const Kind link_types_kind;

/// For what stands on a port of a device that this plan makes something else: to be planned after that; nullopt
/// elsewhere.
std::optional<Gap> gap_of_changing(const Scene& scene, const RdmaDevice& device);
/// Of a port that nobody knows yet: what of this plan may bring it, "link_types node_guid ..."; empty: there is none.
std::string bringer_of_ports(const Scene& scene);
/// A sentence for who wants a type where the driver of the device has no choice; names the tool that has.
std::string no_choice_text(std::string_view driver, std::string_view device);
/// The first port that is Ethernet before one that is InfiniBand, which mlx4 cannot be; nullopt: there is none.
std::optional<PortNumber> ethernet_before_infiniband(const std::map<PortNumber, LinkType>& ports);

}  // namespace rdmastate
