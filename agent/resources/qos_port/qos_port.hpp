// SPDX-License-Identifier: Apache-2.0
// Kind `qos_port`: flow control (PFC), the priority of each DSCP, the traffic class of each priority, what each class
// may send (ETS), and receive buffers, on the network device of one port. Key: "node_guid f452:1403:007b:cba0 port 2".
// The settings are lost with the network device and at power-off. Twin: boot.json. To set them may take the link down
// and up, so only what differs is ever set.
#pragma once

#include <map>

#include "host/dcb.hpp"
#include "resources/kind.hpp"
#include "resources/port_id.hpp"

namespace rdmastate {

/// By which mark of a packet its priority is found: PCP in the VLAN tag, or DSCP in the IP header.
enum class QosTrust : std::uint8_t { pcp, dscp };
template <>
struct Names<QosTrust> {
  static constexpr std::string_view wanted = "pcp or dscp";
  static constexpr std::array table{Name<QosTrust>{QosTrust::pcp, "pcp"}, Name<QosTrust>{QosTrust::dscp, "dscp"}};
};

/// A wanted field that is nullopt is one that the spec does not give.
struct QosPortState {
  DeviceId device;
  PortNumber port;
  std::optional<QosTrust> trust;  ///< drivers (mlx5) trust DSCP while `dscp` has an entry, else PCP
  /// The priorities with flow control; observed nullopt: the driver has no flow control.
  std::optional<std::vector<Priority>> pfc;
  std::optional<std::map<Dscp, Priority>> dscp;  ///< wanted: those that are named; observed: all
  /// Wanted: those that are named; observed: all, or nullopt: the driver has no traffic classes. So is `classes`.
  std::optional<std::map<Priority, TrafficClass>> priorities = {};
  std::optional<std::map<TrafficClass, ClassShare>> classes = {};
  /// Wanted: those that are named; observed: all, or nullopt: the driver has none. So is `buffers`.
  std::optional<std::map<Priority, BufferNumber>> priority_buffers = {};
  std::optional<std::map<BufferNumber, BufferSize>> buffers = {};
  bool operator==(const QosPortState&) const = default;
};

template <>
struct Fields<QosPortState> {
  static constexpr std::string_view name = "qos_port";
  static constexpr std::string_view doc = "Priorities on the network device of one port.";
  static constexpr auto table = Table{
      Field{"device", &QosPortState::device, "Which device.", {.required = true, .identity = true}},
      Field{"port", &QosPortState::port, "Its port.", {.required = true, .identity = true}},
      Field{"trust", &QosPortState::trust, "By which mark a packet's priority is found."},
      Field{"pfc", &QosPortState::pfc, "The priorities with flow control."},
      Field{"dscp", &QosPortState::dscp, "The priority of each DSCP."},
      Field{"priorities", &QosPortState::priorities, "The traffic class of each priority."},
      Field{"classes", &QosPortState::classes, "What each traffic class may send."},
      Field{"priority_buffers", &QosPortState::priority_buffers, "The receive buffer of each priority."},
      Field{"buffers", &QosPortState::buffers, "The size of each receive buffer."},
  };
};

extern const Kind qos_port_kind;
/// Priorities as a mask, bit N for priority N (struct ieee_pfc); and a mask as priorities in ascending order.
std::uint8_t mask_of(const std::vector<Priority>& priorities);
std::vector<Priority> priorities_of(std::uint8_t mask);
/// The trust that follows from the state's `dscp`: pcp where that has no entry.
QosTrust trust_of(const QosPortState& state);

}  // namespace rdmastate
