// SPDX-License-Identifier: Apache-2.0
// A step renames a device that is there. The gap of one that is not there says which module of the plan may bring it
// (bringer_of_device), or why it is missing.
#include "resources/rdma_device/rdma_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "host/recorded/model.hpp"
#include "resources/module.hpp"
#include "resources/rdma_device/mentions.hpp"
#include "resources/roce_port.hpp"
#include "resources/virtual_functions/bringer.hpp"

namespace rdmastate {
namespace {

std::vector<std::string> rdma_device_list(const Snapshot& snapshot) {
  std::vector<std::string> keys;
  for (const auto& device : snapshot.devices()) keys.push_back(to_text(stable_id(snapshot.devices(), device)));
  return keys;
}

std::string rdma_device_resolve(const Snapshot& snapshot, const std::string& key) {
  return to_text(resolve(snapshot, device_id_from(key)));
}

Observation rdma_device_observe(const Snapshot& snapshot, const std::string& key) {
  const DeviceId id = device_id_from(key);
  const RdmaDevice* device = only_meant(snapshot.devices(), id);
  if (device == nullptr) return Absent{};
  return State(rdma_device_kind, RdmaDeviceState{id, DeviceName{device->name}});
}

// The gap where the key selects no device, or several.
Gap missing(const Scene& scene, const std::string& key) {
  Gap gap;
  const auto& devices = scene.snapshot.devices();
  if (const auto meant = meant_of(devices, device_id_from(key)); meant.size() > 1) {
    gap.blocked = fmt::format("{} fits {} devices by now, {} and {} among them: add a selector that tells them apart",
                              key, meant.size(), meant[0]->name, meant[1]->name);
  } else if (gap.after = bringer_of_device(scene, device_id_from(key)); gap.after.empty()) {
    gap.blocked = fmt::format(
        "there is no RDMA device with {} (devices: {}): see whether lspci shows the adapter and its driver "
        "is loaded, or mark the record optional: true",
        key, names_of(devices));
    gap.comes_late = true;
  }
  return gap;
}

// A name that another device has is free when this plan renames that one too.
bool is_taken(const Scene& scene, const std::string& name) {
  const auto& devices = scene.snapshot.devices();
  const auto holder =
      std::find_if(devices.begin(), devices.end(), [&](const RdmaDevice& device) { return device.name == name; });
  if (holder == devices.end()) return false;
  const auto* wanted = scene.plan.wanted(rdma_device_kind, to_text(stable_id(devices, *holder)));
  if (wanted == nullptr || !*wanted) return true;
  const auto& becomes = (*wanted)->as<RdmaDeviceState>().name;
  return !becomes || becomes->value == name;
}

Gap renamed(const Scene& scene, const State& present, const State& wanted) {
  Gap gap;
  const auto& name = wanted.as<RdmaDeviceState>().name;
  const auto& now = present.as<RdmaDeviceState>();
  if (!name || name == now.name) return gap;
  if (is_taken(scene, name->value)) {
    gap.blocked =
        fmt::format("another RDMA device is called {}: give that one another name in this spec too", name->value);
    gap.never = {"name"};
    return gap;
  }
  gap.move = Gap::Move{present, State(rdma_device_kind, RdmaDeviceState{now.id, name})};
  return gap;
}

Gap rdma_device_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  if (wanted == nullptr) return {};
  const State* present = state_of(observed);
  return present == nullptr ? missing(scene, key) : renamed(scene, *present, *wanted);
}

std::vector<Ref> rdma_device_needs(const std::string&, const State*) { return {}; }

std::string spare_name(const std::vector<RdmaDevice>& devices) {
  for (std::size_t i = 0;; ++i) {
    std::string name = fmt::format("rdmastate_{}", i);
    if (std::none_of(devices.begin(), devices.end(), [&](const RdmaDevice& one) { return one.name == name; }))
      return name;
  }
}

// Devices may swap names: the one that has the wanted name gets a spare name, and its own step in the same plan gives
// it the right one.
void rdma_device_move(Tools& tools, const std::string& key, const State*, const State* to) {
  Rdma& rdma = *tools.host.rdma;
  const auto devices = rdma.devices();
  const RdmaDevice* device = only_meant(devices, device_id_from(key));
  if (device == nullptr || to == nullptr || !to->as<RdmaDeviceState>().name)
    throw Error(fmt::format("there is no RDMA device with {} to be named", key));
  const std::string& name = to->as<RdmaDeviceState>().name->value;
  if (device->name == name) return;
  if (std::any_of(devices.begin(), devices.end(), [&](const RdmaDevice& one) { return one.name == name; }))
    rdma.rename(name, spare_name(devices));
  rdma.rename(device->name, name);
}

std::vector<std::string> rdma_device_mentioned_by(const Snapshot& snapshot, const std::string& key) {
  std::vector<std::string> files;
  const RdmaDevice* device = only_meant(snapshot.devices(), device_id_from(key));
  if (device == nullptr) return files;
  for (const auto& path : files_that_mention(snapshot, device->name))
    files.push_back(fmt::format("{}, which says {}", path, device->name));
  return files;
}

bool rdma_device_has_come(const Snapshot& snapshot, const std::string& key, const State*, bool) {
  return state_of(rdma_device_observe(snapshot, key)) != nullptr;
}

std::string rdma_device_short_name(const State& state) {
  const auto& name = state.as<RdmaDeviceState>().name;
  return name ? name->value : std::string();
}

std::string rdma_device_title(const std::string& key, const State* state) {
  if (state == nullptr || !state->as<RdmaDeviceState>().name) return key;
  return fmt::format("{} ({})", state->as<RdmaDeviceState>().name->value, key);
}

void rdma_device_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  for (const auto& device : model.devices)
    if (auto users = snapshot.users(device.name); !users.empty()) model.users.emplace(device.name, std::move(users));
}

}  // namespace

constinit const Kind rdma_device_kind = [] {
  Kind kind = kind_of<RdmaDeviceState>("rdma_device");
  kind.verbs = {"make", "rename", "remove"};
  kind.rank = 22;  // after modules (20) and port types (20), before what stands on a device
  kind.list = rdma_device_list;
  kind.resolve = rdma_device_resolve;
  kind.observe = rdma_device_observe;
  kind.gap = rdma_device_gap;
  kind.needs = rdma_device_needs;
  kind.move = rdma_device_move;
  kind.mentioned_by = rdma_device_mentioned_by;
  kind.has_come = rdma_device_has_come;
  kind.short_name = rdma_device_short_name;
  kind.present_name = device_name_now;
  kind.title = rdma_device_title;
  kind.places = places_of_mentions;
  kind.keep = rdma_device_keep;
  return kind;
}();

namespace {

// Modules that use RDMA devices and bring none: of the kernel's drivers/infiniband/core and ulp, of net, nvme and file
// systems.
constexpr std::array<std::string_view, 25> users_of_devices{
    "ib_core", "ib_cm",    "ib_mad",    "ib_sa",      "ib_addr",     "iw_cm",       "ib_umad", "ib_uverbs", "ib_ucm",
    "rdma_cm", "rdma_ucm", "ib_ipoib",  "ib_iser",    "ib_isert",    "ib_srp",      "ib_srpt", "rpcrdma",   "xprtrdma",
    "svcrdma", "rds_rdma", "nvme_rdma", "nvmet_rdma", "rtrs_client", "rtrs_server", "smc"};

// A soft device has no PCI function.
bool may_bring(std::string_view module, const DeviceId& id) {
  if (id.pci && (module == "rdma_rxe" || module == "siw")) return false;
  return std::find(users_of_devices.begin(), users_of_devices.end(), module) == users_of_devices.end();
}

}  // namespace

std::string bringer_of_device(const Scene& scene, const DeviceId& id) {
  for (const auto& module : coming_modules(scene))
    if (may_bring(module, id)) return "module " + module;
  const std::string by_node = bringer_of_guid(scene, id.node_guid.value_or(Guid{}));
  return by_node.empty() ? bringer_of_guid(scene, id.port_guid.value_or(Guid{})) : by_node;
}

Gap gap_without_device(const Scene& scene, const DeviceId& id) {
  Gap gap;
  gap.after = bringer_of_device(scene, id);
  if (!gap.after.empty()) return gap;
  const auto& devices = scene.snapshot.devices();
  gap.blocked = fmt::format("not one RDMA device is {} (devices: {})", to_text(id), names_of(devices));
  gap.comes_late = meant_of(devices, id).empty();
  return gap;
}

}  // namespace rdmastate
