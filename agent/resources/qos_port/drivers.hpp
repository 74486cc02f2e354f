// SPDX-License-Identifier: Apache-2.0
// What drivers do with traffic classes, flow control and DSCPs that the kernel's interface does not say.
#pragma once

#include <string_view>

#include "resources/qos_port/qos_port.hpp"

namespace rdmastate {

/// A driver's own ways; the defaults are those of one that is not known. Sources stand at the table in drivers.cpp.
struct DcbDriver {
  std::string_view name = {};        ///< as RdmaDevice::driver has it
  bool makes_classes = false;        ///< sets its traffic classes itself when the trust changes
  bool keeps_entries = false;        ///< refuses an entry of a DSCP that has one (EINVAL): the old one has to go first
  bool has_vendor_class = false;     ///< takes classes that are `vendor`
  bool takes_zero = true;            ///< takes a class with 0%
  bool classes_before_flow = false;  ///< takes no flow control before traffic classes were set once (EINVAL)
  bool shows_zero_as_all = false;    ///< shows a class with 0% beside one with 100% as 100% too
  bool dscp_gives_class = false;     ///< takes a DSCP's priority for a class, and has FlowControl::most of them
  bool dscp_bounces = false;         ///< may take the link down and up for each entry of a DSCP that comes or goes
  bool zero_is_firmware = false;     ///< its firmware negotiates (DCBX) where DcbxMode has no bit
  /// How its firmware is told to leave DCBX to the host, `{}` is the network device; empty: it is not known.
  std::string_view dcbx_off = {};
};

/// The row of the driver of that name; one with the defaults where it has none.
DcbDriver dcb_driver(std::string_view name);

/// A port's network device with what rdmastate manages of it.
struct DcbPort {
  std::string netdev;
  DcbDriver driver;
  DcbState now;  ///< without `classes` where the driver makes them itself: they may change with every other step
};

/// `present` is what the network device has.
DcbPort managed_port(std::string netdev, const RdmaDevice& device, DcbState present);

/// Takes flow control out of `to` where the driver wants traffic classes first and this step sets none, and `gap` says
/// so.
void hold_back_early_flow(const DcbPort& port, const QosPortState& from, QosPortState& to, Gap& gap);

/// Takes DSCPs out of `to` where the driver would refuse their priority, and `gap` says so.
void hold_back_dscp(const DcbPort& port, const QosPortState& from, QosPortState& to, Gap& gap);

}  // namespace rdmastate
