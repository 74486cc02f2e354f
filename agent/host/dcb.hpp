// SPDX-License-Identifier: Apache-2.0
// The interface to Data Center Bridging (DCB, IEEE 802.1Qaz) of network devices: priority flow control (PFC), and the
// priorities of DSCPs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace rdmastate {

/// Priority flow control (PFC): struct ieee_pfc of linux/dcbnl.h without its counters.
struct FlowControl {
  std::uint8_t priorities = 0;  ///< bit N: priority N has flow control
  std::uint8_t most = 0;    ///< on how many priorities the device can have flow control at a time; 0: it does not say
  std::uint8_t bypass = 0;  ///< MACsec bypass capability; kept as it is
  std::uint16_t delay = 0;  ///< allowance in bit times; kept as it is
  bool operator==(const FlowControl&) const = default;
};

/// A DSCP (0 to 63), then the priority (0 to 7) that it gives; a DSCP may have several entries, and the kernel uses the
/// highest priority.
using DscpEntry = std::pair<std::uint8_t, std::uint8_t>;

/// Flow control and priorities of one network device (DCB netlink, linux/dcbnl.h).
struct DcbState {
  std::optional<FlowControl> flow_control;  ///< nullopt: the driver has none
  std::set<DscpEntry> dscp;
  bool operator==(const DcbState&) const = default;
};

/// Global pause of a network device (IEEE 802.3x), as ETHTOOL_MSG_PAUSE_GET shows it (linux/ethtool_netlink.h).
struct PauseState {
  bool autoneg = false;  ///< pause is negotiated with the link partner; rx and tx are what is asked for
  bool rx = false;       ///< obeys pause frames
  bool tx = false;       ///< sends pause frames when its buffers are full
  std::optional<std::uint64_t> tx_frames;  ///< pause frames sent since the driver came; nullopt: it does not say
  bool operator==(const PauseState&) const = default;
};

/// Data Center Bridging of a host. Calls that change something throw SystemError with the kernel's errno. Each of them
/// may take the link down for a moment, even with the present value: compare first.
class Dcb {
 public:
  virtual ~Dcb() = default;
  /// nullopt: there is no such network device, or its driver has no DCB.
  virtual std::optional<DcbState> dcb(const std::string& netdev) = 0;
  /// nullopt: there is no such network device, its driver has no pause, or the kernel no ethtool netlink (Linux 5.7).
  virtual std::optional<PauseState> pause(const std::string& netdev) = 0;
  virtual void set_flow_control(const std::string& netdev, const FlowControl& wanted) = 0;
  /// The driver may remove the DSCP's old entry at the same time (mlx5), or refuse an entry that is there (EEXIST).
  virtual void add_dscp(const std::string& netdev, DscpEntry entry) = 0;
  /// ENOENT: there is no such entry.
  virtual void remove_dscp(const std::string& netdev, DscpEntry entry) = 0;
};

}  // namespace rdmastate
