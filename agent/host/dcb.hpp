// SPDX-License-Identifier: Apache-2.0
// The interface to Data Center Bridging (DCB, IEEE 802.1Qaz) of network devices: priority flow control (PFC), traffic
// classes (ETS), receive buffers, and the priorities of DSCPs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace rdmastate {

/// Priority flow control (PFC): struct ieee_pfc of linux/dcbnl.h without its counters.
struct FlowControl {
  std::uint8_t priorities = 0;  ///< bit N: priority N has flow control
  /// For how many traffic classes the device can have flow control at a time (pfc_cap); 0: it does not say.
  std::uint8_t most = 0;
  std::uint8_t bypass = 0;  ///< MACsec bypass capability; kept as it is
  std::uint16_t delay = 0;  ///< allowance in bit times, of mlx5 the cable's length in metres; kept as it is
  bool operator==(const FlowControl&) const = default;
};

/// Traffic classes and who of them sends (enhanced transmission selection, ETS): struct ieee_ets of linux/dcbnl.h.
/// Arrays are by traffic class, but for `class_of`.
struct TrafficClasses {
  using Eight = std::array<std::uint8_t, 8>;
  std::uint8_t most = 0;  ///< how many classes the device has (ets_cap); 0: it does not say
  std::uint8_t cbs = 0;   ///< not 0: it has credit based shapers
  /// What a DCBX partner recommends is taken over. Kept as it is, as is all below `class_of`.
  std::uint8_t willing = 0;
  Eight selection{};  ///< the selection algorithm (TSA): `strict`, `shaped`, `shared` or `vendor`
  Eight bandwidth{};  ///< percent, of classes that are `shared`; of others it means nothing (0, or 100: mlx5)
  Eight class_of{};   ///< by priority: its class (prio_tc)
  Eight rx_bandwidth{};
  Eight advised_bandwidth{};  ///< this and the next two: what is recommended to the DCBX partner
  Eight advised_selection{};
  Eight advised_class_of{};
  bool operator==(const TrafficClasses&) const = default;

  static constexpr std::uint8_t strict = 0, shaped = 1, shared = 2, vendor = 255;  // IEEE_8021QAZ_TSA_*
};

/// The buffers in which a port keeps what it receives: struct dcbnl_buffer of linux/dcbnl.h.
struct PortBuffers {
  static constexpr std::size_t count = 8;         ///< DCBX_MAX_BUFFERS
  std::array<std::uint8_t, count> of_priority{};  ///< by priority: the number of its buffer (prio2buffer)
  std::array<std::uint32_t, count> sizes{};       ///< by buffer: bytes
  std::uint32_t total = 0;                        ///< bytes that the port has for them all; 0: it does not say
  bool operator==(const PortBuffers&) const = default;
};

/// A DSCP (0 to 63), then the priority (0 to 7) that it gives; a DSCP may have several entries, and the kernel uses the
/// highest priority.
using DscpEntry = std::pair<std::uint8_t, std::uint8_t>;

/// Who negotiates the settings with the switch (DCBX, IEEE 802.1Qaz): DCB_CAP_DCBX_* of linux/dcbnl.h.
struct DcbxMode {
  std::uint8_t bits = host | 0x08;  ///< 0x08: of the IEEE version
  bool operator==(const DcbxMode&) const = default;

  static constexpr std::uint8_t host = 0x01, managed = 0x02, fixed = 0x10;
  /// Whether the adapter's firmware may negotiate, and overwrite what is set: bit `managed`, or no bit `host`, which
  /// mlx5 takes away then (en_dcbnl.c, mlx5e_dcbnl_setdcbx), and a virtual function of bnxt_en never has. With bit
  /// `fixed` nobody negotiates. No bit at all: nobody either, but for mlx5, which ends there by the modes `host` and 0.
  bool is_firmware() const { return bits != 0 && (bits & fixed) == 0 && ((bits & managed) != 0 || (bits & host) == 0); }
};

/// Flow control, traffic classes and priorities of one network device (DCB netlink, linux/dcbnl.h).
struct DcbState {
  std::optional<FlowControl> flow_control;  ///< nullopt: the driver has none
  std::set<DscpEntry> dscp;
  std::optional<TrafficClasses> classes = {};  ///< nullopt: the driver has none
  std::optional<DcbxMode> dcbx = {};           ///< nullopt: the driver does not say
  std::optional<PortBuffers> buffers = {};     ///< nullopt: the driver has none
  /// An earlier version's record has it: `classes` and `dcbx` are unset because nobody looked.
  bool is_older = false;
  /// An earlier version's record has it: `buffers` is unset because nobody looked.
  bool is_before_buffers = false;
  bool operator==(const DcbState&) const = default;

  /// Whether a priority has flow control now.
  bool uses_flow_control() const { return flow_control && flow_control->priorities != 0; }
};

/// Global pause of a network device (IEEE 802.3x), as ETHTOOL_MSG_PAUSE_GET shows it (linux/ethtool_netlink.h).
struct PauseState {
  bool autoneg = false;  ///< pause is negotiated with the link partner; rx and tx are what is asked for
  bool rx = false;       ///< obeys pause frames
  bool tx = false;       ///< sends pause frames when its buffers are full
  std::optional<std::uint64_t> tx_frames;  ///< pause frames sent since the driver came; nullopt: it does not say
  bool operator==(const PauseState&) const = default;
};

/// What a driver counts of lost packets and of pauses, by the names that mlx5 gives (`ethtool -S`): `rx_discards_phy`
/// (came in, and found no buffer in the port), `tx_prioN_pause` (the link partner was told to wait with priority N).
using FlowCounters = std::map<std::string, std::uint64_t>;

/// Data Center Bridging of a host. Calls that change something throw SystemError with the kernel's errno. Each of them
/// may take the link down for a moment, even with the present value: compare first.
class Dcb {
 public:
  virtual ~Dcb() = default;
  /// nullopt: there is no such network device, or its driver has no DCB.
  virtual std::optional<DcbState> dcb(const std::string& netdev) = 0;
  /// nullopt: there is no such network device, its driver has no pause, or the kernel no ethtool netlink (Linux 5.7).
  virtual std::optional<PauseState> pause(const std::string& netdev) = 0;
  /// As they are now; empty: there is no such network device, or its driver has none of these names. mlx5 also has the
  /// pauses in DCB's struct ieee_pfc (`requests`), but as they were when somebody last asked for all of `ethtool -S`.
  virtual FlowCounters flow_counters(const std::string& netdev) = 0;
  virtual void set_flow_control(const std::string& netdev, const FlowControl& wanted) = 0;
  /// EINVAL: the bandwidths of the `shared` classes are not 100 together, or a priority has a class above 7 (mlx5,
  /// mlx5e_dbcnl_validate_ets). bnxt_en refuses only more than 100, and algorithms `vendor` and `shaped`; ice counts
  /// the bandwidth of all classes. mlx5 reads a 0 beside a 100 back as 100 (mlx5e_dcbnl_ieee_getets). `most` stays.
  virtual void set_classes(const std::string& netdev, const TrafficClasses& wanted) = 0;
  /// All sizes and the buffers of all priorities; `total` is the device's own. EINVAL: a priority has a buffer above 7,
  /// the sizes are more than `total` together, or a buffer of a priority with flow control is to have no size; ENOMEM:
  /// such a buffer, also with the size that it has before the priority comes, is too small for what is under way when
  /// the partner is told to pause (mlx5, en/port_buffer.c: mlx5e_port_manual_buffer_config). The driver rounds sizes
  /// down to its cells. EOPNOTSUPP: mlx5's firmware has none.
  virtual void set_buffers(const std::string& netdev, const PortBuffers& wanted) = 0;
  /// The driver may remove the DSCP's old entry at the same time (mlx5), or refuse an entry that is there (EEXIST).
  virtual void add_dscp(const std::string& netdev, DscpEntry entry) = 0;
  /// ENOENT: there is no such entry.
  virtual void remove_dscp(const std::string& netdev, DscpEntry entry) = 0;
};

}  // namespace rdmastate
