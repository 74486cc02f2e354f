// SPDX-License-Identifier: Apache-2.0
// Data Center Bridging of the live host's interfaces.
#pragma once

#include "host/dcb.hpp"
#include "sys/netlink.hpp"

namespace rdmastate {

/// DCB of the live host, by rtnetlink (RTM_GETDCB and RTM_SETDCB, linux/dcbnl.h), global pause by ethtool netlink.
/// What is counted by ethtool's ioctl: netlink has no counters by the driver's names. Contract: host/dcb.hpp.
class KernelDcb final : public Dcb {
 public:
  std::optional<DcbState> dcb(const std::string& netdev) override;
  std::optional<PauseState> pause(const std::string& netdev) override;
  FlowCounters flow_counters(const std::string& netdev) override;
  void set_flow_control(const std::string& netdev, const FlowControl& wanted) override;
  void set_classes(const std::string& netdev, const TrafficClasses& wanted) override;
  void set_buffers(const std::string& netdev, const PortBuffers& wanted) override;
  void add_dscp(const std::string& netdev, DscpEntry entry) override;
  void remove_dscp(const std::string& netdev, DscpEntry entry) override;

 private:
  /// The number of ethtool's family of generic netlink, asked for once; nullopt: the kernel has none.
  std::optional<std::uint16_t> ethtool_family();

  /// `doing`: what an error says was being done.
  void set(codec::Message message, const std::string& doing);

  std::optional<std::uint16_t> ethtool_;
  static constexpr int netlink_route = 0;  // NETLINK_ROUTE
  NetlinkSocket netlink_{netlink_route};
  static constexpr int netlink_generic = 16;  // NETLINK_GENERIC
  NetlinkSocket generic_{netlink_generic};
};

}  // namespace rdmastate
