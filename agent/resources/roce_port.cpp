// SPDX-License-Identifier: Apache-2.0
// roce_port_gap() first asks whether the port can have values at all: a device, an Ethernet port, the module rdma_cm;
// changed() then compares the values. A step writes those that differ.
#include "resources/roce_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "base/fields_overlay.hpp"
#include "host/recorded/kernel.hpp"
#include "resources/link_types.hpp"
#include "resources/module.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

Observation roce_port_observe(const Snapshot& snapshot, const std::string& key) {
  const PortId id = port_id_from(key);
  const RdmaDevice* device = only_meant(snapshot.devices(), id.device);
  if (device == nullptr) return Absent{};
  try {
    const auto now = snapshot.roce_defaults(device->name, id.port.value);
    if (!now) return Absent{};
    return State(roce_port_kind, RocePortState{id.device, id.port, now->mode, Tos{now->tos}});
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    return Unseen{
        fmt::format("the kernel tells only root what rdma_cm uses on {} port {}", device->name, id.port.value)};
  }
}

// Why no value can be set now, as a sentence: the running kernel lacks the module. Empty: it has it.
std::string why_not_now(const Scene& scene) {
  if (scene.snapshot.module({std::string(roce_module)}) == ModuleStatus::missing)
    return fmt::format(
        "the running kernel {} has no module {}, which keeps what connections use: install the package with its "
        "modules",
        scene.facts.kernel, roce_module);
  return {};
}

// Whether rdma_cm begins with these values: RoCE v2 where the port has such a GID, and ToS 0 (cma_add_one(), since
// Linux 4.14).
bool is_first(const Scene& scene, const RdmaDevice& device, const RocePortState& wanted) {
  const auto modes = scene.snapshot.roce_modes(device.name, wanted.port.value);
  const bool has_v2 = std::find(modes.begin(), modes.end(), RoceMode::v2) != modes.end();
  const bool is_first_mode = !modes.empty() && wanted.default_mode == (has_v2 ? RoceMode::v2 : modes.front());
  return (!wanted.default_mode || is_first_mode) && wanted.tos.value_or(Tos{0}).value == 0;
}

// The gap of a port for which rdma_cm keeps no values now.
Gap gap_without_values(const Scene& scene, const RdmaDevice& device, const RocePortState& wanted) {
  Gap gap;
  const PortNumber number = wanted.port;
  if (is_coming(scene, std::string(roce_module))) {
    gap.after = fmt::format("module {}", roce_module);
    gap.comes_along = is_first(scene, device, wanted);
  } else if (scene.snapshot.module({std::string(roce_module)}) == ModuleStatus::loadable) {
    gap.blocked = fmt::format("{} is not loaded, so nothing is kept for {} port {}: add it to modules.load",
                              roce_module, device.name, number.value);
    gap.comes_late = true;  // rdma-core loads it a moment after an adapter has come
  } else {
    gap.blocked = fmt::format(
        "{} keeps no RoCE defaults for {} port {}: its driver has no connection management, or the kernel is built "
        "without CONFIG_INFINIBAND_ADDR_TRANS_CONFIGFS",
        roce_module, device.name, number.value);
  }
  return gap;
}

// Why the kernel would refuse the mode (EINVAL, cma_set_default_gid_type()), as a sentence. Empty: it takes it, or the
// port has no GID yet to tell by.
std::string why_not_mode(const Scene& scene, const RdmaDevice& device, PortNumber number, RoceMode mode) {
  const auto modes = scene.snapshot.roce_modes(device.name, number.value);
  if (modes.empty() || std::find(modes.begin(), modes.end(), mode) != modes.end()) return {};
  std::string can;
  for (const RoceMode one : modes) can += fmt::format("{}\"{}\"", can.empty() ? "" : " and ", kernel_word(one));
  return fmt::format("{} port {} has no \"{}\" GID, only {}: take default_mode: {} out, or say {}", device.name,
                     number.value, kernel_word(mode), can, to_text(mode), to_text(modes.front()));
}

// The gap of a port for which rdma_cm keeps values. A mode that the kernel would refuse is taken out of the step.
Gap changed(const Scene& scene, const RdmaDevice& device, const State& wanted, const State& present) {
  Gap gap;
  const auto& from = present.as<RocePortState>();
  RocePortState to = laid_over(from, wanted.as<RocePortState>());
  to.device = from.device;
  if (to.default_mode != from.default_mode) gap.blocked = why_not_mode(scene, device, to.port, to.default_mode.value());
  if (!gap.blocked.empty()) {
    to.default_mode = from.default_mode;
    gap.never = {"default_mode"};
  }
  if (to != from) gap.move = Gap::Move{present, State(roce_port_kind, to)};
  return gap;
}

Gap roce_port_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  if (wanted == nullptr) return {};
  const PortId id = port_id_from(key);
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), id.device);
  if (device == nullptr) return gap_without_device(scene, id.device);
  if (auto after = gap_of_changing(scene, *device)) return std::move(*after);
  Gap gap;
  gap.blocked = why_not_ethernet(*device, id.port, "roce");
  if (!gap.blocked.empty()) gap.never.emplace();
  if (gap.blocked.empty()) gap.blocked = why_not_now(scene);
  if (!gap.blocked.empty()) return gap;
  const State* present = state_of(observed);
  return present == nullptr ? gap_without_values(scene, *device, wanted->as<RocePortState>())
                            : changed(scene, *device, *wanted, *present);
}

std::vector<Ref> roce_port_needs(const std::string& key, const State*) {
  return {{module_kind.name, std::string(roce_module)},
          {link_types_kind.name, to_text(port_id_from(key).device)},
          {rdma_device_kind.name, to_text(port_id_from(key).device)}};
}

// Looks up the device's present name: an earlier step may have renamed it.
void roce_port_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  const PortId id = port_id_from(key);
  Rdma& rdma = *tools.host.rdma;
  const auto devices = rdma.devices();
  const RdmaDevice* device = only_meant(devices, id.device);
  if (device == nullptr || to == nullptr) throw Error(fmt::format("not one RDMA device is {}", to_text(id.device)));
  const auto& wanted = to->as<RocePortState>();
  const RocePortState was = from != nullptr ? from->as<RocePortState>() : RocePortState{};
  if (wanted.default_mode && wanted.default_mode != was.default_mode)
    rdma.set_roce_mode(device->name, id.port.value, *wanted.default_mode);
  if (wanted.tos && wanted.tos != was.tos) rdma.set_roce_tos(device->name, id.port.value, wanted.tos->value);
}

bool roce_port_has_come(const Snapshot& snapshot, const std::string& key, const State*, bool) {
  return state_of(roce_port_observe(snapshot, key)) != nullptr;
}

std::string roce_port_title(const std::string& key, const State*) { return key; }

// A port without values, such as while rdma_cm is not loaded, is left out: a recorded host gives it the usual ones.
void keep_port(const Snapshot& snapshot, const HostModel::Port& port, HostModel& model) {
  RecordedRoce roce = kernel::usual_roce(model, port);
  if (auto modes = snapshot.roce_modes(port.first, port.second); !modes.empty()) roce.modes = std::move(modes);
  const auto now = snapshot.roce_defaults(port.first, port.second);
  if (!now) return;
  roce.defaults = *now;
  kernel::keep_roce(model, port, roce);
}

void roce_port_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::ethernet) keep_port(snapshot, {device.name, port.number}, model);
}

}  // namespace

constinit const Kind roce_port_kind = [] {
  Kind kind = kind_of<RocePortState>("roce_port");
  kind.rank = 26;  // after devices have their names (22)
  kind.resolve = resolve_port_key;
  kind.observe = roce_port_observe;
  kind.gap = roce_port_gap;
  kind.needs = roce_port_needs;
  kind.move = roce_port_move;
  kind.has_come = roce_port_has_come;
  kind.title = roce_port_title;
  kind.keep = roce_port_keep;
  return kind;
}();

}  // namespace rdmastate
