// SPDX-License-Identifier: Apache-2.0
#include "sys/dcb.hpp"

#include <cerrno>

#include "base/error.hpp"
#include "sys/codec/dcb_codec.hpp"
#include "sys/codec/pause_codec.hpp"
#include "sys/ethtool.hpp"

namespace rdmastate {

std::optional<DcbState> KernelDcb::dcb(const std::string& netdev) {
  std::optional<DcbState> state;
  // ENODEV: there is no such interface; EOPNOTSUPP: its driver has no DCB. Neither is an error here.
  try {
    netlink_.get(codec::dcb_get(netdev), "reading the DCB settings of " + netdev,
                 [&](std::uint16_t, codec::Bytes payload) { state = codec::dcb_from(payload); });
  } catch (const SystemError& error) {
    if (error.number() != ENODEV && error.number() != EOPNOTSUPP) throw;
  }
  return state;
}

std::optional<std::uint16_t> KernelDcb::ethtool_family() {
  if (ethtool_) return ethtool_;
  try {
    generic_.get(codec::ethtool_family_get(), "looking for ethtool netlink",
                 [&](std::uint16_t, codec::Bytes payload) { ethtool_ = codec::family_from(payload); });
  } catch (const SystemError& error) {
    if (error.number() != ENOENT) throw;
  }
  return ethtool_;
}

std::optional<PauseState> KernelDcb::pause(const std::string& netdev) {
  std::optional<PauseState> state;
  const auto family = ethtool_family();
  if (!family) return state;
  // EOPNOTSUPP: its driver has no pause; or the kernel, before Linux 5.10, has no statistics of it.
  for (const bool statistics : {true, false}) try {
      generic_.get(codec::pause_get(*family, netdev, statistics), "reading the pause settings of " + netdev,
                   [&](std::uint16_t, codec::Bytes payload) { state = codec::pause_from(payload); });
      break;
    } catch (const SystemError& error) {
      if (error.number() == ENODEV) break;
      if (error.number() != EOPNOTSUPP) throw;
    }
  return state;
}

FlowCounters KernelDcb::flow_counters(const std::string& netdev) { return flow_counters_of(netdev); }

void KernelDcb::set(codec::Message message, const std::string& doing) {
  // The kernel answers a DCB SET as it answers a GET: by a message, which holds the outcome.
  std::optional<int> outcome;  // 0: done; else an errno
  netlink_.get(std::move(message), doing,
               [&](std::uint16_t, codec::Bytes payload) { outcome = codec::dcb_outcome_from(payload); });
  if (!outcome) throw Error(doing + ": the kernel's answer does not say whether it was done");
  if (*outcome != 0) throw SystemError(doing, *outcome);
}

void KernelDcb::set_flow_control(const std::string& netdev, const FlowControl& wanted) {
  set(codec::dcb_set_flow_control(netdev, wanted), "setting priority flow control (PFC) on " + netdev);
}

void KernelDcb::set_classes(const std::string& netdev, const TrafficClasses& wanted) {
  set(codec::dcb_set_classes(netdev, wanted), "setting traffic classes (ETS) on " + netdev);
}

void KernelDcb::set_buffers(const std::string& netdev, const PortBuffers& wanted) {
  set(codec::dcb_set_buffers(netdev, wanted), "setting receive buffers on " + netdev);
}

void KernelDcb::add_dscp(const std::string& netdev, DscpEntry entry) {
  set(codec::dcb_add_dscp(netdev, entry),
      "mapping DSCP " + std::to_string(entry.first) + " to priority " + std::to_string(entry.second) + " on " + netdev);
}

void KernelDcb::remove_dscp(const std::string& netdev, DscpEntry entry) {
  set(codec::dcb_remove_dscp(netdev, entry), "removing the mapping of DSCP " + std::to_string(entry.first) +
                                                 " to priority " + std::to_string(entry.second) + " on " + netdev);
}

}  // namespace rdmastate
