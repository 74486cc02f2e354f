// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "resources/link_types.hpp"
#include "resources/port_netdev.hpp"
#include "resources/qos_port/buffers.hpp"
#include "resources/qos_port/classes.hpp"
#include "resources/qos_port/drivers.hpp"
#include "resources/qos_port/owner.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

// The gap of a port that has no priorities: for good, unless only its network device is missing.
Gap gap_without_priorities(const Snapshot& snapshot, const RdmaDevice& device, PortNumber number) {
  if (auto missing = gap_without_netdev(snapshot, device, number, "qos", "priorities are")) return std::move(*missing);
  Gap gap;
  gap.blocked = fmt::format("the driver of {} ({} port {}) has no DCB: priorities cannot be set on it",
                            snapshot.netdev(device.name, number.value), device.name, number.value);
  gap.never.emplace();
  return gap;
}

// In how many traffic classes these priorities are. One that `classes` does not name counts as a class of its own.
std::size_t classes_of(const std::vector<Priority>& priorities, const std::map<Priority, TrafficClass>& classes) {
  std::set<std::uint32_t> found;
  for (const auto& one : priorities) {
    const auto its = classes.find(one);
    found.insert(its == classes.end() ? ClassBounds::most + 1 + one.value : its->second.value);
  }
  return found.size();
}

// The least number of classes with flow control that can follow from the spec alone: a priority whose class it does not
// name may come into one of the others, unless the driver has no classes.
std::size_t least_classes_of(const DcbState& now, const QosPortState& asked) {
  const std::vector<Priority> all = asked.pfc.value_or(std::vector<Priority>{});
  if (!now.classes) return all.size();
  const auto named = asked.priorities.value_or(std::map<Priority, TrafficClass>{});
  std::vector<Priority> those;
  std::copy_if(all.begin(), all.end(), std::back_inserter(those), [&](Priority one) { return named.contains(one); });
  return classes_of(those, named);
}

// Takes flow control out of `to` where the driver has none, and `gap` says so.
void hold_back_pfc(const std::string& netdev, const QosPortState& from, QosPortState& to, Gap& gap) {
  if (from.pfc || !to.pfc) return;
  block(gap, fmt::format("the driver of {} has no priority flow control: take pfc out", netdev), {"pfc"});
  to.pfc = from.pfc;
}

// Takes flow control and traffic classes out of `to` where more traffic classes would have it than can, and
// `gap` says so.
void hold_back_many(const DcbState& now, const std::string& netdev, const QosPortState& asked, const QosPortState& from,
                    QosPortState& to, Gap& gap) {
  const std::size_t most = now.flow_control ? now.flow_control->most : 0;
  if (most == 0 || !to.pfc || (to.pfc == from.pfc && to.priorities == from.priorities)) return;
  const std::size_t many = classes_of(*to.pfc, to.priorities.value_or(std::map<Priority, TrafficClass>{}));
  if (many <= most) return;
  std::vector<std::string_view> never;
  if (least_classes_of(now, asked) > most) never.emplace_back("pfc");
  block(
      gap,
      fmt::format("{} can have flow control in {} traffic {} at a time, and these priorities are in {}: name fewer in "
                  "pfc, or put them into one class (priorities)",
                  netdev, most, most == 1 ? "class" : "classes", many),
      never);
  to.pfc = from.pfc;
  to.priorities = from.priorities;
  to.classes = from.classes;
}

// Lays what is asked for over what is there: keys that are not named keep their value.
template <class Map>
void lay_over(std::optional<Map>& to, const std::optional<Map>& asked) {
  if (!asked) return;
  if (!to) to.emplace();
  for (const auto& [key, value] : *asked) to->insert_or_assign(key, value);
}

// `from` with what is asked for. `trust` follows from whether any DSCP has a priority: for pcp none may.
QosPortState as_asked(const QosPortState& from, const QosPortState& asked) {
  QosPortState to = from;
  if (asked.pfc) to.pfc = priorities_of(mask_of(*asked.pfc));
  lay_over(to.dscp, asked.dscp);
  if (asked.trust == QosTrust::pcp) to.dscp->clear();
  lay_over(to.priorities, asked.priorities);
  lay_over(to.classes, asked.classes);
  lay_over(to.priority_buffers, asked.priority_buffers);
  ask_sizes(asked, to);
  to.trust = trust_of(to);
  return to;
}

// What the record of an earlier version does not say of what is asked for; empty: it says all.
std::string why_unseen(const Snapshot& snapshot, const std::string& netdev, const DcbState& now, bool asks_buffers) {
  if (now.is_older)
    return fmt::format(
        "the record does not say who negotiates the priorities of {}, nor what traffic classes it has, since an earlier "
        "version made it: {}",
        netdev, snapshot.who_sees());
  if (asks_buffers && now.is_before_buffers)
    return fmt::format("the record does not say what receive buffers {} has, since an earlier version made it: {}",
                       netdev, snapshot.who_sees());
  return {};
}

// Takes out of `to` what the port cannot have, and `gap` says why.
void hold_back(const DcbPort& port, const QosPortState& asked, const QosPortState& from, QosPortState& to, Gap& gap) {
  if (asked.trust && asked.trust != to.trust)
    block(gap,
          fmt::format("{} trusts DSCP while its table gives one a priority, and it is empty: name one in dscp",
                      port.netdev),
          {"trust"});
  hold_back_dscp(port, from, to, gap);
  hold_back_pfc(port.netdev, from, to, gap);
  hold_back_classes(port, asked, from, to, gap);
  hold_back_buffers(port, asked, from, to, gap);
  hold_back_many(port.now, port.netdev, asked, from, to, gap);
  hold_back_early_flow(port, from, to, gap);
}

// The gap of a port that has priorities.
Gap changed(const Snapshot& snapshot, const RdmaDevice& device, const std::string& netdev, const State& wanted,
            const State& present) {
  Gap gap;
  const auto& asked = wanted.as<QosPortState>();
  QosPortState from = present.as<QosPortState>();
  if (!has_buffers(asked)) forget_buffers(from);
  QosPortState to = as_asked(from, asked);
  const DcbPort port = managed_port(netdev, device, snapshot.dcb(netdev).value_or(DcbState{}));
  if (to != from) gap.unseen = why_unseen(snapshot, netdev, port.now, has_buffers(asked));
  if (!gap.unseen.empty()) return gap;
  hold_back(port, asked, from, to, gap);
  if (to == from) return gap;
  DcbOwner owner = other_dcb_owner(snapshot, device, netdev, port.now);
  gap.unseen = std::move(owner.unseen);
  if (!owner.other.empty())
    block(gap, std::move(owner.other), {});
  else if (gap.unseen.empty())
    gap.move = Gap::Move{State(qos_port_kind, std::move(from)), State(qos_port_kind, std::move(to))};
  return gap;
}

}  // namespace

void block(Gap& gap, std::string sentence, const std::vector<std::string_view>& never) {
  gap.blocked += (gap.blocked.empty() ? "" : "; ") + std::move(sentence);
  if (never.empty()) return;
  if (!gap.never) gap.never.emplace();
  gap.never->insert(gap.never->end(), never.begin(), never.end());
}

Gap qos_port_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  if (wanted == nullptr) return {};
  const PortId id = port_id_from(key);
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), id.device);
  if (device == nullptr) return gap_without_device(scene, id.device);
  if (auto after = gap_of_changing(scene, *device)) return std::move(*after);
  if (const State* present = state_of(observed); present != nullptr)
    return changed(scene.snapshot, *device, netdev_of(scene.snapshot, id), *wanted, *present);
  return gap_without_priorities(scene.snapshot, *device, id.port);
}

}  // namespace rdmastate
