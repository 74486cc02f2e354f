// SPDX-License-Identifier: Apache-2.0
#include "sys/dcb.hpp"

#include <cerrno>

#include "base/error.hpp"
#include "sys/codec/dcb_codec.hpp"

namespace rdmastate {

std::optional<DcbState> KernelDcb::dcb(const std::string& netdev) {
  std::optional<DcbState> state;
  try {
    netlink_.get(codec::dcb_get(netdev), "reading the DCB settings of " + netdev,
                 [&](std::uint16_t, codec::Bytes payload) { state = codec::dcb_from(payload); });
  } catch (const SystemError& error) {
    if (error.number() != ENODEV && error.number() != EOPNOTSUPP) throw;  // no such interface, or no DCB in its driver
  }
  return state;
}

void KernelDcb::set(codec::Message message, const std::string& doing) {
  // As a GET, a SET has a message of its own for an answer, with the outcome in it.
  std::optional<int> number;
  netlink_.get(std::move(message), doing,
               [&](std::uint16_t, codec::Bytes payload) { number = codec::dcb_outcome_from(payload); });
  if (!number) throw Error(doing + ": the kernel's answer does not say whether it was done");
  if (*number != 0) throw SystemError(doing, *number);
}

void KernelDcb::set_flow_control(const std::string& netdev, const FlowControl& wanted) {
  set(codec::dcb_set_flow_control(netdev, wanted), "setting priority flow control (PFC) on " + netdev);
}

void KernelDcb::add_dscp(const std::string& netdev, DscpEntry entry) {
  set(codec::dcb_add_dscp(netdev, entry),
      "giving DSCP " + std::to_string(entry.first) + " on " + netdev + " priority " + std::to_string(entry.second));
}

void KernelDcb::remove_dscp(const std::string& netdev, DscpEntry entry) {
  set(codec::dcb_remove_dscp(netdev, entry), "taking priority " + std::to_string(entry.second) + " from DSCP " +
                                                 std::to_string(entry.first) + " on " + netdev);
}

}  // namespace rdmastate
