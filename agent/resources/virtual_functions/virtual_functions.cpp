// SPDX-License-Identifier: Apache-2.0
// A step goes in an order in which no driver binds a function before it has its GUIDs: autoprobe off, the number
// (through 0), what each is told, autoprobe as it is to be, and only then each is bound. It looks again who has the
// functions: in an undo nothing else does.
#include "resources/virtual_functions/virtual_functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "host/recorded/kernel.hpp"
#include "resources/link_types.hpp"
#include "resources/module.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

const RdmaPort* port_at(const RdmaDevice& device, PortNumber number) {
  const auto found = std::find_if(device.ports.begin(), device.ports.end(),
                                  [&](const RdmaPort& one) { return one.number == number.value; });
  return found == device.ports.end() ? nullptr : &*found;
}

Observation virtual_functions_observe(const Snapshot& snapshot, const std::string& key) {
  const PortId id = port_id_from(key);
  const RdmaDevice* device = only_meant(snapshot.devices(), id.device);
  if (device == nullptr) return Absent{};
  auto now = observe_functions(snapshot, *device, id);
  return now ? Observation(State(virtual_functions_kind, std::move(*now))) : Observation(Absent{});
}

std::vector<Ref> virtual_functions_needs(const std::string& key, const State*) {
  return {{module_kind.name, std::string(vf_module)},
          {link_types_kind.name, to_text(port_id_from(key).device)},
          {rdma_device_kind.name, to_text(port_id_from(key).device)}};
}

Loss virtual_functions_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  Loss loss;
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), port_id_from(key).device);
  if (device == nullptr || from == nullptr || to == nullptr) return loss;
  loss.holders = holders_of(scene.snapshot, *device,
                            disturbed_by(from->as<VirtualFunctionsState>(), to->as<VirtualFunctionsState>()));
  return loss;
}

// What one step does, on one PCI function.
class Mover {
 public:
  Mover(Tools& tools, const RdmaDevice& device, const PortId& id)
      : host_(tools.host), rdma_(*tools.host.rdma), device_(device), id_(id) {}

  void make(const VirtualFunctionsState& to) {
    const VirtualFunctionsState from = now();
    refuse_to_take(from, to);
    if (from.vfs != to.vfs) change_count(from, to);
    tell(now(), to);
    bind(to);
    if (to.autoprobe && now().autoprobe != to.autoprobe) rdma_.set_vf_autoprobe(device_.pci, *to.autoprobe);
  }

 private:
  VirtualFunctionsState now() {
    const auto found = observe_functions(Snapshot(host_), device_, id_);
    if (!found) throw Error(fmt::format("{} can have no virtual functions any more", device_.name));
    return *found;
  }

  void refuse_to_take(const VirtualFunctionsState& from, const VirtualFunctionsState& to) {
    const auto holders = holders_of(Snapshot(host_), device_, disturbed_by(from, to));
    if (!holders.empty())
      throw Error(fmt::format("virtual functions of {} are in use: {}", device_.name, fmt::join(holders, ", ")));
  }

  void change_count(const VirtualFunctionsState& from, const VirtualFunctionsState& to) {
    if (to.vfs.value != 0 && from.autoprobe != false) rdma_.set_vf_autoprobe(device_.pci, /*on=*/false);
    if (from.vfs.value != 0) rdma_.set_vf_count(device_.pci, 0);
    if (to.vfs.value != 0) rdma_.set_vf_count(device_.pci, to.vfs.value);
  }

  std::string pci_of(VfNumber number) { return rdma_.sriov(device_.pci).value().functions.at(number.value).pci; }

  // A driver reads GUIDs when it is bound, so it gives the function back before they change.
  void tell(const VirtualFunctionsState& from, const VirtualFunctionsState& to) {
    const auto anew = disturbed_by(from, to);
    for (const auto& [number, function] : to.functions) {
      if (std::find(anew.begin(), anew.end(), number) != anew.end()) rdma_.unbind_vf(pci_of(number));
      const auto present = from.functions.find(number);
      const VfSettings differing =
          settings_to_change(present == from.functions.end() ? VfState{} : present->second, function);
      if (differing != VfSettings{}) host_.links->change_vf(link(), number.value, differing);
    }
  }

  static VfSettings settings_to_change(const VfState& from, const VfState& to) {
    VfSettings change;
    if (to.node_guid && to.node_guid != from.node_guid) change.node_guid = to.node_guid;
    if (to.port_guid && to.port_guid != from.port_guid) change.port_guid = to.port_guid;
    if (to.link_state && to.link_state != from.link_state) change.link_state = to.link_state;
    return change;
  }

  Link link() {
    const Snapshot snapshot(host_);
    const Link* found = telling_link(snapshot, device_, id_.port);
    if (found == nullptr)
      throw Error(fmt::format("{} port {} has no interface any more", device_.name, id_.port.value));
    return *found;
  }

  // No driver can take a function while autoprobe is off.
  void bind(const VirtualFunctionsState& to) {
    const auto sriov = rdma_.sriov(device_.pci).value();
    bool is_on = sriov.autoprobe;
    for (const auto& [number, function] : to.functions) {
      const VirtualFunction& one = sriov.functions.at(number.value);
      if (function.bound == false && !one.driver.empty()) rdma_.unbind_vf(one.pci);
      if (function.bound != true || !one.driver.empty()) continue;
      if (!is_on) rdma_.set_vf_autoprobe(device_.pci, /*on=*/true);
      is_on = true;
      rdma_.bind_vf(one.pci);
    }
  }

  Host& host_;
  Rdma& rdma_;
  const RdmaDevice& device_;
  const PortId& id_;
};

void virtual_functions_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const PortId id = port_id_from(key);
  const auto devices = tools.host.rdma->devices();
  const RdmaDevice* device = only_meant(devices, id.device);
  if (device == nullptr || to == nullptr) throw Error(fmt::format("not one RDMA device is {}", to_text(id.device)));
  Mover(tools, *device, id).make(to->as<VirtualFunctionsState>());
}

bool virtual_functions_has_come(const Snapshot& snapshot, const std::string& key, const State*, bool) {
  return state_of(virtual_functions_observe(snapshot, key)) != nullptr;
}

std::string virtual_functions_title(const std::string& key, const State*) { return key; }

RecordedSriov recorded(const Snapshot& snapshot, const RdmaDevice& device, const Sriov& sriov) {
  RecordedSriov kept{sriov.total, sriov.autoprobe, {}, sriov.offset, sriov.stride};
  for (const auto& function : sriov.functions) kept.functions.push_back({{}, function.driver});
  for (const auto& port : device.ports)
    if (const Link* link = telling_link(snapshot, device, {port.number})) {
      const auto settings = snapshot.vf_settings(*link);
      for (std::size_t i = 0; i < settings.size() && i < kept.functions.size(); ++i)
        kept.functions[i].settings = settings[i];
      if (!settings.empty()) break;
    }
  return kept;
}

void virtual_functions_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  for (const auto& device : model.devices)
    if (const auto sriov = snapshot.sriov(device.pci); sriov && sriov->total != 0)
      model.sriov.emplace(device.pci, recorded(snapshot, device, *sriov));
}

}  // namespace

const Link* telling_link(const Snapshot& snapshot, const RdmaDevice& device, PortNumber number) {
  const RdmaPort* port = port_at(device, number);
  if (port == nullptr) return nullptr;
  if (port->link_layer == LinkLayer::infiniband)
    return port->guid.value == 0 ? nullptr : snapshot.port_link(port->guid);
  const std::string netdev = snapshot.netdev(device.name, number.value);
  return netdev.empty() ? nullptr : snapshot.link(netdev);
}

std::optional<VirtualFunctionsState> observe_functions(const Snapshot& snapshot, const RdmaDevice& device,
                                                       const PortId& id) {
  const auto sriov = snapshot.sriov(device.pci);
  if (!sriov || sriov->total == 0) return std::nullopt;
  VirtualFunctionsState state{
      id.device, id.port, {static_cast<std::uint32_t>(sriov->functions.size())}, sriov->autoprobe, {}};
  const Link* link = sriov->functions.empty() ? nullptr : telling_link(snapshot, device, id.port);
  const auto settings = link == nullptr ? std::vector<VfSettings>() : snapshot.vf_settings(*link);
  for (std::uint32_t i = 0; i < sriov->functions.size(); ++i) {
    VfState& one = state.functions[{i}];
    if (i < settings.size()) static_cast<VfSettings&>(one) = settings[i];
    one.bound = !sriov->functions[i].driver.empty();
  }
  return state;
}

constinit const Kind virtual_functions_kind = [] {
  Kind kind = kind_of<VirtualFunctionsState>("virtual_functions");
  kind.rank = 27;  // after devices have their names (22)
  kind.brings_others = true;
  kind.resolve = resolve_port_key;
  kind.observe = virtual_functions_observe;
  kind.gap = gap_of_functions;
  kind.needs = virtual_functions_needs;
  kind.move = virtual_functions_move;
  kind.loses = virtual_functions_loses;
  kind.has_come = virtual_functions_has_come;
  kind.title = virtual_functions_title;
  kind.keep = virtual_functions_keep;
  return kind;
}();

}  // namespace rdmastate
