// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/gap.hpp"

#include <fmt/format.h>

#include "resources/link_types.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

// The gap of a port that has no priorities: for good, unless only its network device is missing.
Gap gap_without_priorities(const Snapshot& snapshot, const RdmaDevice& device, PortNumber number) {
  Gap gap;
  gap.blocked = why_not_ethernet(device, number, "qos");
  const std::string netdev = snapshot.netdev(device.name, number.value);
  if (gap.blocked.empty() && netdev.empty()) {
    gap.blocked =
        fmt::format("{} port {} has no network device in this network namespace, and priorities are set on that",
                    device.name, number.value);
    return gap;
  }
  if (gap.blocked.empty())
    gap.blocked = fmt::format("the driver of {} ({} port {}) has no DCB: priorities cannot be set on it", netdev,
                              device.name, number.value);
  gap.never.emplace();
  return gap;
}

// Takes flow control that the driver cannot have out of `to`, and `gap` says why.
void hold_back_pfc(const Snapshot& snapshot, const std::string& netdev, const QosPortState& from, QosPortState& to,
                   Gap& gap) {
  if (to.pfc == from.pfc) return;
  const auto now = snapshot.dcb(netdev);
  const std::size_t most = now && now->flow_control ? now->flow_control->most : 0;
  if (!from.pfc)
    gap.blocked = fmt::format("the driver of {} has no priority flow control: take pfc out", netdev);
  else if (most != 0 && to.pfc->size() > most)
    gap.blocked = fmt::format("{} has flow control on at most {} priorities at a time: name fewer", netdev, most);
  if (gap.blocked.empty()) return;
  gap.never = {"pfc"};
  to.pfc = from.pfc;
}

// `from` with what is asked for. DSCPs that are not named keep their priority. `trust` follows from whether any DSCP
// has one: for pcp none may.
QosPortState as_asked(const QosPortState& from, const QosPortState& asked) {
  QosPortState to = from;
  if (asked.pfc) to.pfc = priorities_of(mask_of(*asked.pfc));
  std::map<Dscp, Priority> dscp = from.dscp.value_or(std::map<Dscp, Priority>{});
  if (asked.dscp)
    for (const auto& [mark, priority] : *asked.dscp) dscp.insert_or_assign(mark, priority);
  if (asked.trust == QosTrust::pcp) dscp.clear();
  to.dscp = std::move(dscp);
  to.trust = trust_of(to);
  return to;
}

// The gap of a port that has priorities.
Gap changed(const Snapshot& snapshot, const std::string& netdev, const State& wanted, const State& present) {
  Gap gap;
  const auto& from = present.as<QosPortState>();
  const auto& asked = wanted.as<QosPortState>();
  QosPortState to = as_asked(from, asked);
  hold_back_pfc(snapshot, netdev, from, to, gap);
  if (asked.trust && asked.trust != to.trust) {
    if (!gap.blocked.empty()) gap.blocked += "; ";
    gap.blocked +=
        fmt::format("{} trusts DSCP while its table gives one a priority, and it is empty: name one in dscp", netdev);
    if (!gap.never) gap.never.emplace();
    gap.never->push_back("trust");
  }
  if (to == from) return gap;
  gap.move = Gap::Move{present, State(qos_port_kind, to)};
  return gap;
}

}  // namespace

Gap qos_port_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  if (wanted == nullptr) return {};
  const PortId id = port_id_from(key);
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), id.device);
  if (device == nullptr) return gap_without_device(scene, id.device);
  if (auto after = gap_of_changing(scene, *device)) return std::move(*after);
  if (const State* present = state_of(observed); present != nullptr)
    return changed(scene.snapshot, qos_netdev(scene.snapshot, id), *wanted, *present);
  return gap_without_priorities(scene.snapshot, *device, id.port);
}

}  // namespace rdmastate
