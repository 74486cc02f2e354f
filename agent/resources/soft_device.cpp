// SPDX-License-Identifier: Apache-2.0
// A step makes, renames or removes a device. gap_of_missing() and the why_...() say what the kernel would refuse; then
// the gap is blocked.
#include "resources/soft_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "host/recorded/model.hpp"
#include "resources/module.hpp"

namespace rdmastate {
namespace {

SoftDeviceState state_from(const SoftDevice& device) { return {device.type, {device.netdev}, {device.name}}; }

SoftDevice device_from(const SoftDeviceState& state) { return {state.type, state.netdev.value, state.name.value}; }

// What the key says; the device's own name is no part of it.
SoftDeviceState identity_from(const std::string& key) {
  SoftDeviceState state;
  const std::size_t space = key.find(' ');
  if (space == std::string::npos || Text<SoftType>::read(Scalar{key.substr(0, space)}, state.type))
    throw Error(fmt::format("'{}' is not a soft device's identity", key));
  state.netdev.value = key.substr(space + 1);
  return state;
}

const SoftDevice* find(const Snapshot& snapshot, const SoftDeviceState& id) {
  const auto& all = snapshot.soft_devices();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SoftDevice& one) {
    return one.type == id.type && one.netdev == id.netdev.value;
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> soft_device_list(const Snapshot& snapshot) {
  std::vector<std::string> keys;
  for (const auto& one : snapshot.soft_devices()) keys.push_back(soft_device_key(one.type, {one.netdev}));
  return keys;
}

Observation soft_device_observe(const Snapshot& snapshot, const std::string& key) {
  const SoftDevice* device = find(snapshot, identity_from(key));
  if (device == nullptr) return Absent{};
  return State(soft_device_kind, state_from(*device));
}

// Why the driver refuses this network device, as a sentence; empty: it takes it (rxe_newlink(), siw_newlink()).
std::string why_netdev_unfit(const Snapshot& snapshot, const SoftDeviceState& wanted, const Link& netdev) {
  constexpr std::uint32_t arphrd_ether = 1;
  constexpr std::uint32_t arphrd_loopback = 772;
  const std::string& name = netdev.name;
  if (wanted.type == SoftType::rxe && netdev.kind == "vlan") {
    const Link* below = netdev.parent != 0 ? snapshot.link(netdev.parent) : nullptr;
    return fmt::format(
        "{} is a VLAN, on which the kernel makes no rxe device: make it on {}, and it serves the VLAN's addresses too",
        name, below != nullptr ? below->name : "the interface below it");
  }
  if (wanted.type == SoftType::siw && netdev.type != arphrd_ether && netdev.type != arphrd_loopback)
    return fmt::format(
        "{} is neither an Ethernet interface nor the loopback, on which alone the kernel makes siw devices", name);
  return {};
}

// Two RDMA devices never have one name, adapters and soft devices alike.
std::string why_name_taken(const Snapshot& snapshot, const DeviceName& name) {
  for (const auto& device : snapshot.devices())
    if (device.name == name.value)
      return fmt::format("another RDMA device is called {}: choose another name, or rename or remove that one first",
                         name.value);
  return {};
}

Gap gap_of_missing(const Scene& scene, const State& wanted) {
  const auto& asked = wanted.as<SoftDeviceState>();
  Gap gap;
  const Link* netdev = scene.snapshot.link(asked.netdev.value);
  if (scene.snapshot.module({soft_device_module(asked.type)}) == ModuleStatus::missing) {
    gap.blocked = no_module_text(scene.facts, soft_device_module(asked.type));
  } else if (netdev == nullptr) {
    gap.blocked = fmt::format("there is no network device {}: once it is there, the next apply makes {}",
                              asked.netdev.value, asked.name.value);
    gap.comes_late = true;
  } else {
    gap.blocked = why_netdev_unfit(scene.snapshot, asked, *netdev);
    if (gap.blocked.empty()) gap.blocked = why_name_taken(scene.snapshot, asked.name);
    if (!gap.blocked.empty()) gap.never.emplace();
  }
  if (gap.blocked.empty()) gap.move = Gap::Move{std::nullopt, wanted};
  return gap;
}

Gap soft_device_gap(const Scene& scene, const std::string&, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted != nullptr && present == nullptr) return gap_of_missing(scene, *wanted);
  Gap gap;
  if (present == nullptr) return gap;
  if (wanted == nullptr) {
    gap.move = Gap::Move{*present, std::nullopt};
  } else if (!soft_device_kind.equal(*present, *wanted)) {  // in its name: the rest is its key
    gap.blocked = why_name_taken(scene.snapshot, wanted->as<SoftDeviceState>().name);
    if (gap.blocked.empty())
      gap.move = Gap::Move{*present, *wanted};
    else
      gap.never.emplace();
  }
  return gap;
}

std::vector<Ref> soft_device_needs(const std::string& key, const State*) {
  return {{module_kind.name, soft_device_module(identity_from(key).type)}};
}

// The soft drivers cannot take a device away from a process (no disassociate_ucontext): RDMA_NLDEV_CMD_DELLINK
// sleeps until the last one has closed it. So the plan refuses a removal while a process has the device open.
Loss soft_device_loses(const Scene& scene, const std::string&, const State* from, const State* to) {
  Loss loss;
  if (from == nullptr || to != nullptr) return loss;
  const auto& state = from->as<SoftDeviceState>();
  if (const Link* netdev = scene.snapshot.link(state.netdev.value); netdev != nullptr)
    loss.links.push_back(netdev->index);
  loss.rdma_alone = true;  // the network device stays
  loss.devices = {state.name.value};
  loss.waits_for_users = true;
  return loss;
}

void soft_device_move(Tools& tools, const std::string&, const State* from, const State* to) {
  Rdma& rdma = *tools.host.rdma;
  if (to == nullptr) return rdma.remove(device_from(from->as<SoftDeviceState>()));
  const SoftDevice wanted = device_from(to->as<SoftDeviceState>());
  if (from == nullptr) return rdma.add(wanted);
  rdma.rename(from->as<SoftDeviceState>().name.value, wanted.name);
}

std::string soft_device_interface(const State& state) { return state.as<SoftDeviceState>().netdev.value; }

std::string soft_device_title(const std::string& key, const State* state) {
  if (state == nullptr) return key;
  const auto& device = state->as<SoftDeviceState>();
  return fmt::format("{} ({} over {})", device.name.value, to_text(device.type), device.netdev.value);
}

void soft_device_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  for (const auto& soft : snapshot.soft_devices()) model.soft.emplace(soft.name, soft);
}

}  // namespace

constinit const Kind soft_device_kind = [] {
  Kind kind = kind_of<SoftDeviceState>("soft_device");
  kind.rank = 24;  // after modules (20), which make such devices
  kind.verbs = {"create", "rename", "remove"};
  kind.made_late = true;  // boot.json makes it later, so the ledger lists it as made
  kind.list = soft_device_list;
  kind.observe = soft_device_observe;
  kind.gap = soft_device_gap;
  kind.needs = soft_device_needs;
  kind.move = soft_device_move;
  kind.loses = soft_device_loses;
  kind.interface = soft_device_interface;
  kind.title = soft_device_title;
  kind.keep = soft_device_keep;
  return kind;
}();

std::string soft_device_key(SoftType type, const IfName& netdev) {
  return fmt::format("{} {}", to_text(type), netdev.value);
}

std::string soft_device_module(SoftType type) { return type == SoftType::rxe ? "rdma_rxe" : "siw"; }

}  // namespace rdmastate
