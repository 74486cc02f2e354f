// SPDX-License-Identifier: Apache-2.0
// Kind `port_mtu`: the MTU of the network device of one Ethernet port, from which the kernel computes the RDMA MTU of
// RoCE (iboe_get_mtu, include/rdma/ib_addr.h). Key: "node_guid f452:1403:007b:cba0 port 2". The MTU is lost with the
// network device. Twin: boot.json.
#pragma once

#include "resources/kind.hpp"
#include "resources/port_id.hpp"

namespace rdmastate {

struct PortMtuState {
  DeviceId device;
  PortNumber port;
  std::uint32_t mtu = 0;  ///< in bytes
  bool operator==(const PortMtuState&) const = default;
};

template <>
struct Fields<PortMtuState> {
  static constexpr std::string_view name = "port_mtu";
  static constexpr std::string_view doc = "The MTU of the network device of one port.";
  static constexpr auto table = Table{
      Field{"device", &PortMtuState::device, "Which device.", {.required = true, .identity = true}},
      Field{"port", &PortMtuState::port, "Its port.", {.required = true, .identity = true}},
      Field{"mtu", &PortMtuState::mtu, "The MTU in bytes.", {.required = true}},
  };
};

extern const Kind port_mtu_kind;

}  // namespace rdmastate
