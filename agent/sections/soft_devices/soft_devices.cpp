// SPDX-License-Identifier: Apache-2.0
// The Section `soft_devices`. expand_soft_devices() wants each device, its driver's module where section `modules` does
// not load that, and the udev rules by which rdmastate makes a device again when its network device or driver comes
// back.
#include "sections/soft_devices/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/module.hpp"
#include "resources/soft_device.hpp"
#include "sections/boot_file.hpp"
#include "sections/device_names.hpp"
#include "sections/interface_name.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

std::string path_of(std::size_t index, std::string_view field) {
  return fmt::format("soft_devices[{}]{}{}", index, field.empty() ? "" : ".", field);
}

// udev takes an RDMA device for rxe only by its name, rxe* (75-rdma-description.rules): with another name the modules
// for RoCE are not loaded.
void check_roce_name(const SoftDeviceRecord& record, std::size_t i, Report& report) {
  if (report.is_unread(path_of(i, "type")) || record.type != SoftType::rxe) return;
  if (record.name.value.empty() || record.name.value.starts_with("rxe")) return;
  warn(report, path_of(i, "name"),
       fmt::format("udev takes an rxe device for RoCE (ID_RDMA_ROCE) only when its name starts with rxe, and {} does "
                   "not: nothing that waits for a RoCE device is started for it",
                   record.name.value),
       "call it rxe_" + record.name.value);
}

void check_soft_devices(const Spec& spec, Report& report) {
  std::map<std::string, std::size_t> index_by_key;
  for (std::size_t i = 0; i < spec.soft_devices.size(); ++i) {
    const auto& record = spec.soft_devices[i];
    check_roce_name(record, i, report);
    if (record.netdev.value.empty()) continue;
    check_interface_name(record.netdev, path_of(i, "netdev"), report);
    if (report.is_unread(path_of(i, "type"))) continue;
    const auto [earlier, is_new] = index_by_key.emplace(soft_device_key(record.type, record.netdev), i);
    if (!is_new)
      complain(report, path_of(i, "netdev"),
               fmt::format("{} has an {} device already, soft_devices[{}], and the kernel makes one of each type",
                           record.netdev.value, to_text(record.type), earlier->second));
  }
  check_device_names(spec, report);
}

void add_device(const SoftDeviceRecord& record, std::size_t i, Desired& desired) {
  Wanted one{&soft_device_kind,
             soft_device_key(record.type, record.netdev),
             State(soft_device_kind, SoftDeviceState{record.type, record.netdev, record.name}),
             path_of(i, /*field=*/""),
             /*awaited_from=*/"",
             {boot_twin()}};
  desired.add(std::move(one));
}

void add_driver(const std::string& driver, std::size_t i, Desired& desired) {
  Wanted one{&module_kind,        driver,       State(module_kind, ModuleState{{driver}}), path_of(i, "type"),
             /*awaited_from=*/"", {boot_twin()}};
  desired.add(std::move(one));
}

// The udev rules that start rdmastate-event@.service when a network device or a driver comes back: rdmastate makes the
// soft devices again.
void add_rules(const Spec& spec, const std::set<std::string>& drivers, Desired& desired) {
  std::vector<Values> netdevs;
  std::vector<Values> modules;
  std::set<std::string> seen;
  for (const auto& record : spec.soft_devices)
    if (seen.insert(record.netdev.value).second) netdevs.push_back(Values{{{"name", record.netdev.value}}});
  for (const auto& driver : drivers) modules.push_back(Values{{{"name", driver}}});
  const Template rules("soft.rules", escape_udev);
  desired.add({&file_kind, std::string(common_layout().soft_rules),
               State(file_kind, regular_file(rules.render({{{"netdevs", netdevs}, {"modules", modules}}}))),
               "soft_devices"});
}

void expand_soft_devices(const Spec& spec, const Facts&, Backend, Desired& desired, Report&) {
  if (spec.purges(PurgeDomain::soft_devices)) desired.purged.push_back(&soft_device_kind);
  if (spec.soft_devices.empty()) return;
  std::set<std::string> drivers;
  for (std::size_t i = 0; i < spec.soft_devices.size(); ++i) {
    const std::string driver = soft_device_module(spec.soft_devices[i].type);
    if (drivers.insert(driver).second && !loads(spec, driver)) add_driver(driver, i, desired);
    add_device(spec.soft_devices[i], i, desired);
  }
  add_rules(spec, drivers, desired);
}

void adopt_one(Adopted& to, const SoftDevice& device, const std::string& source) {
  to.came_from(path_of(to.spec.soft_devices.size(), /*field=*/""), source);
  to.spec.soft_devices.push_back({{device.name}, device.type, {device.netdev}});
}

// Takes the device of the same type on the same network device out of `live`, and returns `device` by its live name;
// where `live` has none, `device` as it is.
SoftDevice taken_from(std::vector<SoftDevice>& live, SoftDevice device) {
  const auto found = std::find_if(live.begin(), live.end(), [&](const SoftDevice& one) {
    return one.type == device.type && one.netdev == device.netdev;
  });
  if (found == live.end()) return device;
  device.name = found->name;
  live.erase(found);
  return device;
}

// Adopts the soft devices of boot.json, even those whose network device is missing now (they come back with it), and
// the other live ones. Where the applied spec holds the section, its devices are in the spec already, and boot.json is
// not read for them.
void adopt_soft_devices(const Adoption& from, Adopted& to) {
  auto not_adopted = from.snapshot.soft_devices();
  const bool is_applied = from.applied.holds("soft_devices");
  std::erase_if(not_adopted, [&](const SoftDevice& one) {
    return is_applied &&
           from.applied.resources.contains({soft_device_kind.name, soft_device_key(one.type, {one.netdev})});
  });
  for (std::size_t i = 0; !is_applied && i < from.boot.wanted.size(); ++i) {
    const auto& one = from.boot.wanted[i];
    if (one.kind != &soft_device_kind) continue;
    const auto& state = one.state->as<SoftDeviceState>();
    const SoftDevice device{state.type, state.netdev.value, state.name.value};
    adopt_one(to, taken_from(not_adopted, device), from.boot_line(i));
  }
  for (const auto& device : not_adopted) adopt_one(to, device, "/sys/class/infiniband/" + device.name);
}

FilePlaces soft_devices_places() { return whole_files({common_layout().soft_rules}); }

}  // namespace

constinit const Section soft_devices_section{"soft_devices", check_soft_devices, expand_soft_devices,
                                             adopt_soft_devices, soft_devices_places};

}  // namespace rdmastate
