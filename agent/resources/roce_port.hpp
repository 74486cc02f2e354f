// SPDX-License-Identifier: Apache-2.0
// Kind `roce_port`: the RoCE version and the ToS that rdma_cm gives new connections on one port of an RDMA device. Key:
// "node_guid f452:1403:007b:cba0 port 2". rdma_cm keeps these values while it is loaded and the device is there; they
// are lost with either. Twin: boot.json.
#pragma once

#include "host/rdma.hpp"
#include "resources/kind.hpp"
#include "resources/port_id.hpp"

namespace rdmastate {

struct RocePortState {
  DeviceId device;
  PortNumber port;
  std::optional<RoceMode> default_mode;  ///< nullopt: left alone
  std::optional<Tos> tos;                ///< nullopt: left alone
  bool operator==(const RocePortState&) const = default;
};

template <>
struct Fields<RocePortState> {
  static constexpr std::string_view name = "roce_port";
  static constexpr std::string_view doc = "What rdma_cm uses on one port.";
  static constexpr auto table = Table{
      Field{"device", &RocePortState::device, "Which device.", {.required = true, .identity = true}},
      Field{"port", &RocePortState::port, "Its port.", {.required = true, .identity = true}},
      Field{"default_mode", &RocePortState::default_mode, "The RoCE version."},
      Field{"tos", &RocePortState::tos, "The traffic class byte."},
  };
};

extern const Kind roce_port_kind;
/// The module that keeps these values.
inline constexpr std::string_view roce_module = "rdma_cm";

}  // namespace rdmastate
