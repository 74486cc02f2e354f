// SPDX-License-Identifier: Apache-2.0
// First what keeps the port from having virtual functions as asked, now or for good; then the difference, where one
// that is made new gets its defaults.
#include <fmt/format.h>

#include <algorithm>

#include "resources/link_types.hpp"
#include "resources/module.hpp"
#include "resources/rdma_device/rdma_device.hpp"
#include "resources/virtual_functions/virtual_functions.hpp"

namespace rdmastate {
namespace {

bool has_guids(const VirtualFunctionsState& wanted) {
  return std::any_of(wanted.functions.begin(), wanted.functions.end(),
                     [](const auto& one) { return one.second.node_guid || one.second.port_guid; });
}

// Why the port can never have them as asked, as a sentence; empty: it can.
std::string why_never(const RdmaDevice& device, const VirtualFunctionsState& wanted) {
  if (device.is_virtual)
    return fmt::format("{} is a virtual function itself, and has none: match the physical one", device.name);
  const auto port = std::find_if(device.ports.begin(), device.ports.end(),
                                 [&](const RdmaPort& one) { return one.number == wanted.port.value; });
  if (port == device.ports.end()) return no_such_port_text(device, wanted.port);
  if (port->link_layer != LinkLayer::infiniband && has_guids(wanted))
    return fmt::format(
        "{} port {} has link layer {}, where virtual functions have MAC addresses and no GUIDs: take sriov.guids out",
        device.name, port->number, to_text(port->link_layer));
  return {};
}

// Why there cannot be as many now, as a sentence; empty: there can.
std::string why_not_so_many(const Scene& scene, const RdmaDevice& device, std::uint32_t count) {
  const auto sriov = scene.snapshot.sriov(device.pci);
  if (sriov && sriov->functions.size() == count) return {};
  if (device.driver == "mlx4_core")
    return fmt::format(
        "{} has driver mlx4_core, which makes virtual functions when it is loaded and not by sriov_numvfs: say "
        "modules.options: {{mlx4_core: {{num_vfs: {}}}}}",
        device.name, count);
  const std::uint32_t total = sriov ? sriov->total : 0;
  if (count <= total) return {};
  const std::string firmware =
      device.driver == "mlx5_core"
          ? fmt::format("mlxconfig -d {} set SRIOV_EN=1 NUM_OF_VFS={} (mstconfig in distributions)", device.pci, count)
          : std::string("the adapter's own tool");
  return fmt::format(
      "{} can have {} virtual functions (sriov_totalvfs), and vfs says {}: {} gives it more at the next cold boot, where "
      "the BIOS has SR-IOV on",
      device.name, total, count, firmware);
}

bool is_infiniband(const RdmaDevice& device, PortNumber number) {
  return std::any_of(device.ports.begin(), device.ports.end(), [&](const RdmaPort& one) {
    return one.number == number.value && one.link_layer == LinkLayer::infiniband;
  });
}

// Whether an interface of the port is needed: on InfiniBand always, since a new one is told `auto`.
bool tells_something(const VirtualFunctionsState& wanted, bool infiniband) {
  return wanted.vfs.value != 0 && (infiniband || wanted.functions.begin()->second.link_state);
}

// What to do where ib_ipoib has made no interface of the port.
std::string why_no_ipoib(const Scene& scene) {
  const std::string name(vf_module);
  switch (scene.snapshot.module({name})) {
    case ModuleStatus::loadable:
      return fmt::format("add {} to modules.load", name);
    case ModuleStatus::missing:
      return fmt::format("the running kernel has no module {}", name);
    default:
      return fmt::format("{} is loaded, so it is in another network namespace", name);
  }
}

// The gap of functions that cannot be told anything, because the port has no interface.
Gap gap_without_interface(const Scene& scene, const RdmaDevice& device, PortNumber number, bool infiniband) {
  Gap gap;
  gap.comes_late = true;  // rdma-core loads ib_ipoib, and a driver its network device's part, after an adapter has come
  if (!infiniband) {
    gap.blocked = fmt::format(
        "{} port {} has no network device here, by which the kernel tells virtual functions their link state",
        device.name, number.value);
  } else if (is_coming(scene, std::string(vf_module))) {
    gap.comes_late = false;
    gap.after = fmt::format("module {}", vf_module);
  } else {
    gap.comes_late = scene.snapshot.module({std::string(vf_module)}) != ModuleStatus::missing;
    gap.blocked = fmt::format(
        "{} port {} has no IPoIB interface here, by which the kernel tells virtual functions their GUIDs and link state: {}",
        device.name, number.value, why_no_ipoib(scene));
  }
  return gap;
}

// A function after the step. One that is made new on InfiniBand would have no link otherwise (mlx5).
VfState after_step(const VfState* present, const VfState& wanted, bool infiniband) {
  VfState to = present != nullptr ? *present : VfState{};
  if (present == nullptr && infiniband) to.link_state = VfLinkState::automatic;
  if (wanted.node_guid) to.node_guid = wanted.node_guid;
  if (wanted.port_guid) to.port_guid = wanted.port_guid;
  if (wanted.link_state) to.link_state = wanted.link_state;
  if (wanted.bound) to.bound = wanted.bound;
  return to;
}

VirtualFunctionsState after_step(const VirtualFunctionsState& from, const VirtualFunctionsState& wanted,
                                 bool infiniband) {
  VirtualFunctionsState to = from;
  to.vfs = wanted.vfs;
  if (wanted.autoprobe) to.autoprobe = wanted.autoprobe;
  to.functions.clear();
  for (const auto& [number, function] : wanted.functions) {
    const auto present = from.functions.find(number);
    to.functions[number] =
        after_step(present == from.functions.end() ? nullptr : &present->second, function, infiniband);
  }
  return to;
}

// Why functions that are there cannot become as asked, as a sentence: what a driver does not tell can never be in sync
// (Linux tells GUIDs since 5.5, and the link state where the driver has it). Empty: they can.
std::string why_not_told(const RdmaDevice& device, const VirtualFunctionsState& from,
                         const VirtualFunctionsState& wanted) {
  for (const auto& [number, asked] : wanted.functions) {
    const auto present = from.functions.find(number);
    if (present == from.functions.end()) continue;
    const VfState& is = present->second;
    const bool no_guids = (asked.node_guid && !is.node_guid) || (asked.port_guid && !is.port_guid);
    if (no_guids || (asked.link_state && !is.link_state))
      return fmt::format("{} and its driver {} do not tell {} of virtual function {}: take it out of the spec",
                         device.name, device.driver, no_guids ? "the GUIDs" : "the link state", to_text(number));
  }
  return {};
}

}  // namespace

std::vector<VfNumber> disturbed_by(const VirtualFunctionsState& from, const VirtualFunctionsState& to) {
  std::vector<VfNumber> numbers;
  for (const auto& [number, present] : from.functions) {
    const auto then = to.functions.find(number);
    const bool goes = from.vfs != to.vfs || then == to.functions.end();
    const bool has_other_guids = !goes && ((then->second.node_guid && then->second.node_guid != present.node_guid) ||
                                           (then->second.port_guid && then->second.port_guid != present.port_guid));
    if (goes || (has_other_guids && present.bound == true) ||
        (!goes && present.bound == true && then->second.bound == false))
      numbers.push_back(number);
  }
  return numbers;
}

Gap gap_of_functions(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  if (wanted == nullptr) return {};
  const PortId id = port_id_from(key);
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), id.device);
  if (device == nullptr) return gap_without_device(scene, id.device);
  if (auto after = gap_of_changing(scene, *device)) return std::move(*after);
  const auto& asked = wanted->as<VirtualFunctionsState>();
  Gap gap;
  gap.blocked = why_never(*device, asked);
  if (!gap.blocked.empty()) gap.never.emplace();
  if (gap.blocked.empty()) gap.blocked = why_not_so_many(scene, *device, asked.vfs.value);
  const State* present = state_of(observed);
  if (!gap.blocked.empty() || present == nullptr) return gap;
  const bool infiniband = is_infiniband(*device, id.port);
  if (tells_something(asked, infiniband) && telling_link(scene.snapshot, *device, id.port) == nullptr)
    return gap_without_interface(scene, *device, id.port, infiniband);
  const auto& from = present->as<VirtualFunctionsState>();
  gap.blocked = why_not_told(*device, from, asked);
  if (!gap.blocked.empty()) return gap;
  const VirtualFunctionsState to = after_step(from, asked, infiniband);
  if (to != from) gap.move = Gap::Move{*present, State(virtual_functions_kind, to)};
  return gap;
}

}  // namespace rdmastate
