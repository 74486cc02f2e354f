// SPDX-License-Identifier: Apache-2.0
// A step tells the driver each port's type; the driver then removes the device and makes it anew. So the gap of a
// device that is there (changed) is pending while the device has configured interfaces. What other kinds ask is at the
// end.
#include "resources/link_types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

std::string link_types_resolve(const Snapshot& snapshot, const std::string& key) {
  return to_text(resolve(snapshot, device_id_from(key)));
}

std::map<PortNumber, LinkType> types_of(const RdmaDevice& device) {
  std::map<PortNumber, LinkType> types;
  for (const auto& port : device.ports)
    if (port.link_type) types.emplace(PortNumber{port.number}, *port.link_type);
  return types;
}

Observation link_types_observe(const Snapshot& snapshot, const std::string& key) {
  const DeviceId id = device_id_from(key);
  const RdmaDevice* device = only_meant(snapshot.devices(), id);
  if (device == nullptr) return Absent{};
  return State(link_types_kind, LinkTypesState{id, types_of(*device)});
}

const RdmaPort* port_at(const RdmaDevice& device, PortNumber number) {
  const auto found = std::find_if(device.ports.begin(), device.ports.end(),
                                  [&](const RdmaPort& one) { return one.number == number.value; });
  return found == device.ports.end() ? nullptr : &*found;
}

bool has_type(const RdmaPort& port, LinkType type) {
  if (port.link_type) return *port.link_type == type;
  return (type == LinkType::infiniband && port.link_layer == LinkLayer::infiniband) ||
         (type == LinkType::ethernet && port.link_layer == LinkLayer::ethernet);
}

// Why the ports can never be as asked, as a sentence; empty: they can. A port without a choice may be asked to be what
// it is.
std::string why_never(const RdmaDevice& device, const LinkTypesState& asked, const LinkTypesState& to) {
  for (const auto& [number, type] : asked.ports) {
    const RdmaPort* port = port_at(device, number);
    if (port == nullptr) return no_such_port_text(device, number);
    if (!port->link_type && !has_type(*port, type)) return no_choice_text(device.driver, device.name);
  }
  const auto before = ethernet_before_infiniband(to.ports);
  if (!before) return {};
  return fmt::format(
      "port {} of {} would be Ethernet and a later one InfiniBand, which the adapter cannot be: make port {} InfiniBand, or "
      "both Ethernet",
      before->value, device.name, before->value);
}

bool is_ipoib_of(const RdmaDevice& device, const Link& link) {
  return link.is_ipoib() && std::any_of(device.ports.begin(), device.ports.end(), [&](const RdmaPort& port) {
           return port.guid.value != 0 && port.guid == link.port_guid();
         });
}

// Whether something would be lost with the interface: the driver makes it anew, down and without addresses or children.
bool is_configured(const Snapshot& snapshot, const Link& link) {
  return link.up || link.is_child() || !snapshot.addresses(link.index).empty();
}

// The names of the device's interfaces of which something would be lost.
std::vector<std::string> configured_on(const Snapshot& snapshot, const RdmaDevice& device) {
  std::vector<std::string> names;
  for (const Link* link : snapshot.links())
    if (is_ipoib_of(device, *link) && is_configured(snapshot, *link)) names.push_back(link->name);
  for (const auto& port : device.ports) {
    const std::string netdev = port.link_layer == LinkLayer::ethernet ? snapshot.netdev(device.name, port.number) : "";
    const Link* link = netdev.empty() ? nullptr : snapshot.link(netdev);
    if (link != nullptr && is_configured(snapshot, *link)) names.push_back(netdev);
  }
  return names;
}

// As Gap::after names this kind's step: "link_types node_guid ...".
std::string step_name(const std::string& key) { return fmt::format("{} {}", link_types_kind.name, key); }

// The type of a port before a step. Every state that this program writes has all ports; a record that somebody changed
// may lack one.
LinkType type_in(const LinkTypesState& from, PortNumber number) {
  const auto found = from.ports.find(number);
  if (found != from.ports.end()) return found->second;
  throw Error(fmt::format("{}: the state before the step has no ports.{}, which the one after it has",
                          step_name(to_text(from.device)), number.value));
}

// Whether the step leaves every port what it is. One that is told to be what it is stays; one that is left to the
// driver (automatic) may change at once.
bool changes_no_port(const RdmaDevice& device, const LinkTypesState& from, const LinkTypesState& to) {
  return std::all_of(to.ports.begin(), to.ports.end(), [&](const auto& one) {
    const RdmaPort* port = port_at(device, one.first);
    const auto layer = one.second == LinkType::infiniband ? LinkLayer::infiniband : LinkLayer::ethernet;
    return type_in(from, one.first) == one.second ||
           (one.second != LinkType::automatic && port != nullptr && port->link_layer == layer);
  });
}

// `from` with the types that are asked for; ports without a choice have none.
LinkTypesState laid_over_ports(const LinkTypesState& from, const LinkTypesState& asked) {
  LinkTypesState to = from;
  for (auto& [number, type] : to.ports)
    if (const auto wanted = asked.ports.find(number); wanted != asked.ports.end()) type = wanted->second;
  return to;
}

// The gap of a device that is there. It is pending while the device carries configured interfaces, which would be lost.
Gap changed(const Snapshot& snapshot, const RdmaDevice& device, const State& wanted, const State& present) {
  Gap gap;
  const auto& from = present.as<LinkTypesState>();
  const LinkTypesState to = laid_over_ports(from, wanted.as<LinkTypesState>());
  gap.blocked = why_never(device, wanted.as<LinkTypesState>(), to);
  if (!gap.blocked.empty()) gap.never.emplace();
  if (!gap.blocked.empty() || to == from) return gap;
  const auto busy = changes_no_port(device, from, to) ? std::vector<std::string>() : configured_on(snapshot, device);
  if (busy.empty()) {
    gap.move = Gap::Move{present, State(link_types_kind, to)};
  } else {
    gap.pending = {
        fmt::format(
            "the driver takes {} and all its interfaces away to change a port's type, and {} {} configured: this waits for a "
            "boot, or until {} down and without addresses",
            device.name, fmt::join(busy, ", "), busy.size() == 1 ? "is" : "are",
            busy.size() == 1 ? "it is" : "they are"),
        Until::reboot};
  }
  return gap;
}

Gap link_types_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  if (wanted == nullptr) return {};
  const DeviceId id = device_id_from(key);
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), id);
  const State* present = state_of(observed);
  if (device == nullptr || present == nullptr) return gap_without_device(scene, id);
  return changed(scene.snapshot, *device, *wanted, *present);
}

// The driver makes the device anew, and it is only done where no interface of it is configured.
Loss link_types_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  Loss loss;
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), device_id_from(key));
  if (device == nullptr || from == nullptr || to == nullptr) return loss;
  if (!changes_no_port(*device, from->as<LinkTypesState>(), to->as<LinkTypesState>())) loss.devices = {device->name};
  return loss;
}

bool link_types_has_come(const Snapshot& snapshot, const std::string& key, const State*, bool) {
  return state_of(link_types_observe(snapshot, key)) != nullptr;
}

// Whether the step that follows from `wanted` may change what a port is.
bool plan_changes_a_port(const Scene& scene, const std::string& key, const std::optional<State>& wanted) {
  if (!wanted) return false;
  const Gap gap = link_types_kind.gap(scene, key, &*wanted, link_types_observe(scene.snapshot, key));
  return gap.move && !link_types_loses(scene, key, &*gap.move->from, &*gap.move->to).is_nothing();
}

std::vector<Ref> link_types_needs(const std::string&, const State*) { return {}; }

// The ports in the order of their moves: InfiniBand ones ascending, then the others descending, so that at no time an
// Ethernet port is before an InfiniBand one.
std::vector<std::pair<PortNumber, LinkType>> in_order(const LinkTypesState& to) {
  std::vector<std::pair<PortNumber, LinkType>> order;
  for (const auto& one : to.ports)
    if (one.second == LinkType::infiniband) order.push_back(one);
  for (auto one = to.ports.rbegin(); one != to.ports.rend(); ++one)
    if (one->second != LinkType::infiniband) order.push_back(*one);
  return order;
}

// Uses the PCI address, not the name: the driver makes the device anew for each port, and udev renames it some time
// later.
void link_types_move(Tools& tools, const std::string& key, const State*, const State* to) {
  Rdma& rdma = *tools.host.rdma;
  const auto devices = rdma.devices();
  const RdmaDevice* device = only_meant(devices, device_id_from(key));
  if (device == nullptr || to == nullptr) throw Error(fmt::format("not one RDMA device is {}", key));
  for (const auto& [number, type] : in_order(to->as<LinkTypesState>())) {
    const RdmaPort* port = port_at(*device, number);
    if (port != nullptr && port->link_type && *port->link_type != type)
      rdma.set_link_type(device->pci, number.value, type);
  }
}

std::string link_types_title(const std::string& key, const State* state) {
  std::string text = key;
  if (state != nullptr)
    for (const auto& [number, type] : state->as<LinkTypesState>().ports)
      text += fmt::format("{}port {} {}", text == key ? " " : ", ", number.value, to_text(type));
  return text;
}

}  // namespace

constinit const Kind link_types_kind = [] {
  Kind kind = kind_of<LinkTypesState>("link_types");
  kind.rank = 20;  // with modules (20): the driver makes the device anew, which others stand on
  kind.brings_others = true;
  kind.resolve = link_types_resolve;
  kind.observe = link_types_observe;
  kind.gap = link_types_gap;
  kind.needs = link_types_needs;
  kind.move = link_types_move;
  kind.loses = link_types_loses;
  kind.has_come = link_types_has_come;
  kind.present_name = device_name_now;
  kind.title = link_types_title;
  return kind;
}();

std::optional<Gap> gap_of_changing(const Scene& scene, const RdmaDevice& device) {
  if (scene.snapshot.is_tree()) return std::nullopt;
  const std::string key = to_text(stable_id(scene.snapshot.devices(), device));
  const auto* wanted = scene.plan.wanted(link_types_kind, key);
  if (wanted == nullptr || !plan_changes_a_port(scene, key, *wanted)) return std::nullopt;
  Gap gap;
  gap.after = step_name(key);
  return gap;
}

std::string bringer_of_ports(const Scene& scene) {
  if (scene.snapshot.is_tree()) return {};
  for (const auto& [key, wanted] : scene.plan.wanted(link_types_kind))
    if (plan_changes_a_port(scene, key, wanted)) return step_name(key);
  return {};
}

std::string no_choice_text(std::string_view driver, std::string_view device) {
  if (driver == "mlx5_core")
    return fmt::format(
        "what a port of {} is stands in its firmware (mlx5): mlxconfig -d PCI set LINK_TYPE_P1=1 (InfiniBand) or 2 "
        "(Ethernet), mstconfig in distributions, and a cold reboot",
        device);
  return fmt::format("the driver of {}{}{} cannot choose what a port is: only mlx4's can", device,
                     driver.empty() ? "" : ", ", driver);
}

std::optional<PortNumber> ethernet_before_infiniband(const std::map<PortNumber, LinkType>& ports) {
  std::optional<PortNumber> before;
  for (const auto& [number, type] : ports) {
    if (type == LinkType::infiniband && before) return before;
    if (type == LinkType::ethernet && !before) before = number;
  }
  return std::nullopt;
}

}  // namespace rdmastate
