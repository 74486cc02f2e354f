// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/dcb.hpp"

#include <cerrno>

namespace rdmastate {

std::optional<DcbState> RecordedDcb::dcb(const std::string& netdev) {
  ++log_.reads.rdma;
  const RecordedLink* link = model_.find(netdev);
  return link == nullptr ? std::nullopt : link->dcb;
}

std::optional<PauseState> RecordedDcb::pause(const std::string& netdev) {
  ++log_.reads.rdma;
  const RecordedLink* link = model_.find(netdev);
  return link == nullptr ? std::nullopt : link->pause;
}

DcbState& RecordedDcb::need(const std::string& netdev) {
  RecordedLink* link = model_.find(netdev);
  if (link == nullptr) throw Refusal{ENODEV};
  if (!link->dcb) throw Refusal{EOPNOTSUPP};
  return *link->dcb;
}

// Where the driver has no function for flow control, the kernel ignores the request and reports success. `most` is the
// device's own and stays.
void RecordedDcb::set_flow_control(const std::string& netdev, const FlowControl& wanted) {
  log_.move("setting priority flow control (PFC) on " + netdev, [&] {
    auto& present = need(netdev).flow_control;
    if (!present) return;
    const std::uint8_t most = present->most;
    present = wanted;
    present->most = most;
  });
}

void RecordedDcb::add_dscp(const std::string& netdev, DscpEntry entry) {
  const std::string doing =
      "mapping DSCP " + std::to_string(entry.first) + " to priority " + std::to_string(entry.second);
  log_.move(doing + " on " + netdev, [&] {
    constexpr std::uint8_t dscps = 64;
    auto& entries = need(netdev).dscp;
    if (entry.first >= dscps) throw Refusal{EINVAL};
    std::erase_if(entries, [&](const DscpEntry& one) { return one.first == entry.first; });
    entries.insert(entry);
  });
}

void RecordedDcb::remove_dscp(const std::string& netdev, DscpEntry entry) {
  const std::string doing =
      "removing the mapping of DSCP " + std::to_string(entry.first) + " to priority " + std::to_string(entry.second);
  log_.move(doing + " on " + netdev, [&] {
    if (need(netdev).dscp.erase(entry) == 0) throw Refusal{ENOENT};
  });
}

}  // namespace rdmastate
