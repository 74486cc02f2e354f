// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/dcb.hpp"

#include <algorithm>
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

FlowCounters RecordedDcb::flow_counters(const std::string& netdev) {
  ++log_.reads.rdma;
  const RecordedLink* link = model_.find(netdev);
  return link == nullptr ? FlowCounters() : link->flow_counters;
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

namespace {

// mlx5e_dbcnl_validate_ets().
void check_classes(const TrafficClasses& wanted) {
  constexpr unsigned classes = 8, all = 100;
  unsigned sum = 0;
  bool shared = false;
  for (unsigned i = 0; i < classes; ++i) {
    if (wanted.class_of[i] >= classes) throw Refusal{EINVAL};
    if (wanted.selection[i] != TrafficClasses::shared) continue;
    shared = true;
    sum += wanted.bandwidth[i];
  }
  if (shared && sum != all) throw Refusal{EINVAL};
}

// What mlx5 shows of these bandwidths (mlx5e_build_tc_tx_bw, mlx5e_dcbnl_ieee_getets): 100 of classes that are not
// shared; and of those with 0, which have 100 among themselves, 0 only while another shared class has less than 100.
TrafficClasses::Eight shown(const TrafficClasses& wanted) {
  constexpr std::uint8_t all = 100;
  TrafficClasses::Eight bandwidth = wanted.bandwidth;
  for (std::size_t i = 0; i < bandwidth.size(); ++i)
    if (wanted.selection[i] != TrafficClasses::shared) bandwidth[i] = all;
  const auto zeros = static_cast<std::uint8_t>(std::count(bandwidth.begin(), bandwidth.end(), 0));
  if (zeros == 0 || std::any_of(bandwidth.begin(), bandwidth.end(), [](unsigned one) { return one != 0 && one < all; }))
    return bandwidth;
  std::uint8_t left = all;
  std::uint8_t of_zeros = zeros;
  for (auto& one : bandwidth) {
    if (one != 0) continue;
    one = --of_zeros == 0 ? left : static_cast<std::uint8_t>(all / zeros);
    left = static_cast<std::uint8_t>(left - one);
  }
  return bandwidth;
}

}  // namespace

// Like mlx5 it keeps neither what is recommended to a DCBX partner nor `willing`.
void RecordedDcb::set_classes(const std::string& netdev, const TrafficClasses& wanted) {
  log_.move("setting traffic classes (ETS) on " + netdev, [&] {
    auto& present = need(netdev).classes;
    if (!present) return;
    check_classes(wanted);
    present->selection = wanted.selection;
    present->class_of = wanted.class_of;
    present->bandwidth = shown(wanted);
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
