// SPDX-License-Identifier: Apache-2.0
// How the priorities are observed and moved; qos_port/gap.cpp compares them.
#include "resources/qos_port/qos_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "host/recorded/model.hpp"
#include "resources/link_types.hpp"
#include "resources/port_netdev.hpp"
#include "resources/qos_port/buffers.hpp"
#include "resources/qos_port/classes.hpp"
#include "resources/qos_port/drivers.hpp"
#include "resources/qos_port/gap.hpp"
#include "resources/qos_port/owner.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

QosPortState state_from(const PortId& id, const DcbState& now) {
  QosPortState state{id.device, id.port, /*trust=*/{}, /*pfc=*/{}, /*dscp=*/std::map<Dscp, Priority>{}};
  if (now.flow_control) state.pfc = priorities_of(now.flow_control->priorities);
  for (const auto& [dscp, priority] : now.dscp) state.dscp->insert_or_assign(Dscp{dscp}, Priority{priority});
  state.trust = trust_of(state);
  if (now.classes) observe_classes(*now.classes, state);
  if (now.buffers) observe_buffers(*now.buffers, state);
  return state;
}

Observation qos_port_observe(const Snapshot& snapshot, const std::string& key) {
  const PortId id = port_id_from(key);
  const std::string netdev = netdev_of(snapshot, id);
  const RdmaDevice* device = only_meant(snapshot.devices(), id.device);
  const auto now = device == nullptr || netdev.empty() ? std::nullopt : snapshot.dcb(netdev);
  if (!now) return Absent{};
  return State(qos_port_kind, state_from(id, managed_port(netdev, *device, *now).now));
}

std::vector<Ref> qos_port_needs(const std::string& key, const State*) {
  return {{link_types_kind.name, to_text(port_id_from(key).device)},
          {rdma_device_kind.name, to_text(port_id_from(key).device)}};
}

// mlx5 takes the DSCP's old entry away itself, and would change what it trusts, and back, if the only entry went first.
// ice refuses an entry of a DSCP that has one.
void add_dscp(Dcb& dcb, const DcbPort& port, DscpEntry entry) {
  for (const auto& old : port.now.dscp)
    if (port.driver.keeps_entries && old.first == entry.first) dcb.remove_dscp(port.netdev, old);
  dcb.add_dscp(port.netdev, entry);
}

// New entries first: without any, trust would change and change back.
void move_dscp(Dcb& dcb, const DcbPort& port, const QosPortState& to) {
  if (!to.dscp) return;
  std::set<DscpEntry> wanted;
  for (const auto& [dscp, priority] : *to.dscp)
    wanted.emplace(static_cast<std::uint8_t>(dscp.value), static_cast<std::uint8_t>(priority.value));
  if (wanted == port.now.dscp) return;
  for (const auto& entry : wanted)
    if (!port.now.dscp.contains(entry)) add_dscp(dcb, port, entry);
  const auto after = dcb.dcb(port.netdev).value_or(DcbState{});
  for (const auto& entry : after.dscp)
    if (!wanted.contains(entry)) dcb.remove_dscp(port.netdev, entry);
}

// One set for both: a driver judges the whole.
void move_classes(Dcb& dcb, const std::string& netdev, const DcbState& now, const QosPortState& to) {
  if (!now.classes) return;
  const TrafficClasses next = with_classes(*now.classes, to);
  if (next != with_classes(*now.classes, {})) dcb.set_classes(netdev, next);
}

void move_flow(Dcb& dcb, const std::string& netdev, const DcbState& now, const QosPortState& to) {
  if (!to.pfc || !now.flow_control || mask_of(*to.pfc) == now.flow_control->priorities) return;
  FlowControl flow = *now.flow_control;
  flow.priorities = mask_of(*to.pfc);
  dcb.set_flow_control(netdev, flow);
}

// What keeps a driver from it, in words: the errno says little.
std::string why_no_buffers(const SystemError& error) {
  if (error.number() != ENOMEM) return error.what();
  return fmt::format(
      "{}: a buffer of a priority with flow control is too small for what comes after the partner was asked to pause, by "
      "the link's speed, the cable's length and the MTU: give it more in buffers",
      error.what());
}

// Priorities that lose flow control lose it first, and those that get it come last: a driver judges their buffers.
void move_buffers(Dcb& dcb, const std::string& netdev, const DcbState& now, const QosPortState& to) try {
  const std::uint8_t present = now.flow_control ? now.flow_control->priorities : std::uint8_t{0};
  const auto keeps = static_cast<std::uint8_t>(to.pfc ? present & mask_of(*to.pfc) : present);
  const auto sets = now.buffers ? sets_of_buffers(*now.buffers, to, keeps) : std::vector<PortBuffers>();
  if (sets.empty()) return;
  if (keeps != present) {
    FlowControl less = *now.flow_control;
    less.priorities = keeps;
    dcb.set_flow_control(netdev, less);
  }
  for (const PortBuffers& one : sets) dcb.set_buffers(netdev, one);
} catch (const SystemError& error) {
  throw Error(why_no_buffers(error));
}

void qos_port_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const PortId id = port_id_from(key);
  const auto devices = tools.host.rdma->devices();
  const RdmaDevice* device = only_meant(devices, id.device);
  const std::string netdev = device == nullptr ? "" : tools.host.rdma->netdev(device->name, id.port.value);
  const auto now = netdev.empty() ? std::nullopt : tools.host.dcb->dcb(netdev);
  if (!now || to == nullptr) throw Error(fmt::format("{} has no network device with DCB any more", key));
  const auto& wanted = to->as<QosPortState>();
  move_classes(*tools.host.dcb, netdev, *now, wanted);  // bnxt_en refuses flow control before it has classes (EINVAL)
  move_buffers(*tools.host.dcb, netdev, *now, wanted);
  move_flow(*tools.host.dcb, netdev, tools.host.dcb->dcb(netdev).value_or(*now), wanted);
  const DcbPort port = managed_port(netdev, *device, *now);
  move_dscp(*tools.host.dcb, port, wanted);
  if (port.driver.makes_classes)  // ice takes flow control away with the last DSCP
    move_flow(*tools.host.dcb, netdev, tools.host.dcb->dcb(netdev).value_or(DcbState{}), wanted);
}

// Where a driver may take the link down and up: for flow control mlx5 and ice, for another trust ice and some of mlx5's
// devices, for traffic classes ice and bnxt_en. New buffers lose what is in them. For one more or another DSCP:
// DcbDriver says.
bool may_bounce(const RdmaDevice* device, const QosPortState& was, const QosPortState& becomes) {
  if (was.pfc != becomes.pfc || was.trust != becomes.trust) return true;
  if (was.priorities != becomes.priorities || was.classes != becomes.classes) return true;
  if (was.priority_buffers != becomes.priority_buffers || was.buffers != becomes.buffers) return true;
  return device != nullptr && dcb_driver(device->driver).dscp_bounces && was.dscp != becomes.dscp;
}

Loss qos_port_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  if (from == nullptr || to == nullptr) return {};
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), port_id_from(key).device);
  if (!may_bounce(device, from->as<QosPortState>(), to->as<QosPortState>())) return {};
  return loss_of_netdev(scene, key);
}

// Traffic classes and buffers count only where `from` has them: a run that an earlier version made has none, nor one
// whose spec asked for no buffers.
bool qos_port_is_back(const State& now, const State& from) {
  const auto& before = from.as<QosPortState>();
  QosPortState after = now.as<QosPortState>();
  if (!before.priorities) after.priorities.reset();
  if (!before.classes) after.classes.reset();
  if (!has_buffers(before)) forget_buffers(after);
  return after == before;
}

bool qos_port_is_as_left(const State& now, const State& to) {
  QosPortState there = now.as<QosPortState>();
  const auto& left = to.as<QosPortState>();
  if (may_be_sizes(there, left)) there.buffers = left.buffers;
  return diff(qos_port_kind.record(), State(qos_port_kind, there).raw(), to.raw()).empty();
}

bool qos_port_has_come(const Snapshot& snapshot, const std::string& key, const State*, bool) {
  return state_of(qos_port_observe(snapshot, key)) != nullptr;
}

std::string qos_port_title(const std::string& key, const State*) { return key; }

// Only a port with flow control is asked: the device asks its firmware for each counter. One that refuses tells none.
FlowCounters counters_of(const Snapshot& snapshot, const std::string& netdev, const std::optional<DcbState>& dcb) try {
  return dcb && dcb->uses_flow_control() ? snapshot.flow_counters(netdev) : FlowCounters();
} catch (const Error&) {
  return {};
}

void qos_port_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::ethernet && !model.soft.contains(device.name))
        if (auto netdev = snapshot.netdev(device.name, port.number); !netdev.empty())
          model.netdevs.emplace(HostModel::Port{device.name, port.number}, std::move(netdev));
  for (const auto& [port, netdev] : model.netdevs)
    if (RecordedLink* link = model.find(netdev)) {
      link->dcb = snapshot.dcb(netdev);
      link->pause = snapshot.pause(netdev);
      link->flow_counters = counters_of(snapshot, netdev, link->dcb);
    }
  if (!model.systemd || model.netdevs.empty()) return;
  if (const UnitLook* lldpad = snapshot.unit(std::string(lldpad_unit)); lldpad != nullptr && lldpad->active)
    model.systemd->units[std::string(lldpad_unit)] = recorded_unit(*lldpad);
}

}  // namespace

constinit const Kind qos_port_kind = [] {
  Kind kind = kind_of<QosPortState>("qos_port");
  kind.rank = 28;  // after devices have their names (22)
  kind.resolve = resolve_port_key;
  kind.observe = qos_port_observe;
  kind.gap = qos_port_gap;
  kind.needs = qos_port_needs;
  kind.move = qos_port_move;
  kind.is_back = qos_port_is_back;
  kind.is_as_left = qos_port_is_as_left;
  kind.loses = qos_port_loses;
  kind.has_come = qos_port_has_come;
  kind.title = qos_port_title;
  kind.places = lldpad_places;
  kind.keep = qos_port_keep;
  return kind;
}();

std::vector<Priority> priorities_of(std::uint8_t mask) {
  std::vector<Priority> priorities;
  for (std::uint32_t priority = PriorityBounds::least; priority <= PriorityBounds::most; ++priority)
    if ((mask >> priority & 1U) != 0) priorities.push_back({priority});
  return priorities;
}

std::uint8_t mask_of(const std::vector<Priority>& priorities) {
  unsigned mask = 0;
  for (const auto& one : priorities) mask |= 1U << one.value;
  return static_cast<std::uint8_t>(mask);
}

QosTrust trust_of(const QosPortState& state) {
  return !state.dscp || state.dscp->empty() ? QosTrust::pcp : QosTrust::dscp;
}

}  // namespace rdmastate
