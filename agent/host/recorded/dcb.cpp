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

namespace {

constexpr std::uint32_t cell = 128;

// Which buffers a priority with flow control has.
std::array<bool, PortBuffers::count> lossless(const PortBuffers& buffers, const std::optional<FlowControl>& flow) {
  std::array<bool, PortBuffers::count> found{};
  for (std::size_t i = 0; flow && i < buffers.of_priority.size(); ++i)
    if ((flow->priorities >> i & 1U) != 0) found[buffers.of_priority[i]] = true;
  return found;
}

// What has to fit into such a buffer after the partner was told to pause: mlx5's xoff of 7 m of cable at 40 Gb/s with
// MTU 1500, and a packet of the largest MTU (calculate_xoff, update_xoff_threshold of en/port_buffer.c).
constexpr std::uint32_t under_way = (301 + 15) * 40 + 272 * 15 + 9216 + cell;

void check_lossless(const PortBuffers& buffers, const std::optional<FlowControl>& flow, int of_empty) {
  const auto which = lossless(buffers, flow);
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (which[i] && buffers.sizes[i] == 0) throw Refusal{of_empty};
    if (which[i] && buffers.sizes[i] < under_way) throw Refusal{ENOMEM};
  }
}

// mlx5e_port_manual_buffer_config(): buffers that get priorities are judged by the sizes that are there.
void check_buffers(const PortBuffers& now, const PortBuffers& wanted, const std::optional<FlowControl>& flow) {
  for (const auto one : wanted.of_priority)
    if (one >= PortBuffers::count) throw Refusal{EINVAL};  // net/dcb/dcbnl.c
  PortBuffers there = now;
  there.of_priority = wanted.of_priority;
  if (lossless(there, flow) != lossless(now, flow)) check_lossless(there, flow, ENOMEM);
  check_lossless(wanted, flow, EINVAL);
  std::uint64_t sum = 0;
  for (const auto size : wanted.sizes) sum += size;
  if (sum > now.total) throw Refusal{EINVAL};
}

}  // namespace

// Where the driver has no function for flow control, the kernel ignores the request and reports success. `most` is the
// device's own and stays. Once buffers are set by hand, the driver judges them, with
// flow control set already (mlx5e_dcbnl_ieee_setpfc).
void RecordedDcb::set_flow_control(const std::string& netdev, const FlowControl& wanted) {
  log_.move("setting priority flow control (PFC) on " + netdev, [&] {
    auto& present = need(netdev).flow_control;
    if (!present) return;
    const std::uint8_t most = present->most;
    present = wanted;
    present->most = most;
    if (sized_by_hand_.contains(netdev)) check_lossless(*need(netdev).buffers, wanted, ENOMEM);
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

// Where the driver has no function for buffers, the kernel ignores the request and reports success.
void RecordedDcb::set_buffers(const std::string& netdev, const PortBuffers& wanted) {
  log_.move("setting receive buffers on " + netdev, [&] {
    DcbState& state = need(netdev);
    if (!state.buffers) return;
    check_buffers(*state.buffers, wanted, state.flow_control);
    const std::uint32_t total = state.buffers->total;
    sized_by_hand_.insert(netdev);
    state.buffers = wanted;
    state.buffers->total = total;
    for (auto& size : state.buffers->sizes) size -= size % cell;
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
