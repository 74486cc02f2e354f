// SPDX-License-Identifier: Apache-2.0
// The Section `devices`. expand_devices() wants, of each device that a record matches, its name, its port types and the
// settings of its ports, and then the udev rules for names and ports.
#include "sections/devices/devices.hpp"

#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

// What gives the device its name at the next boot: the udev rule, and boot.json where devices swap names.
void give_twins(const DeviceId& id, const DeviceName& name, Wanted& wanted) {
  wanted.twins.push_back(name_rule_twin(id, name));
  wanted.twins.push_back({{file_kind.name, std::string(common_layout().boot_file)}, TwinForm::boot_entry, {"name"}});
}

void add_device(const DeviceRecord& record, std::size_t i, const MatchedDevice& matched, DeviceNames& named,
                Desired& desired) {
  Wanted wanted{&rdma_device_kind, to_text(matched.id),
                State(rdma_device_kind, RdmaDeviceState{matched.id, record.name}), devices_path(i)};
  wanted.optional = record.is_optional();
  if (record.name) {
    give_twins(matched.id, *record.name, wanted);
    named.emplace_back(matched.id, *record.name);
  }
  if (record.expect && matched.device != nullptr) wanted.unmet = unmet(*record.expect, *matched.device);
  desired.add(std::move(wanted));
}

void expand_devices(const Spec& spec, const Facts& facts, Backend, Desired& desired, Report& report) {
  DeviceNames named;
  std::vector<MatchedDevice> with_netdevs;
  bool has_roce = false;
  for (std::size_t i = 0; i < spec.devices.size(); ++i)
    for (const auto& matched : match_devices(spec.devices[i], i, facts, report)) {
      add_device(spec.devices[i], i, matched, named, desired);
      add_link_types(spec.devices[i], i, matched, facts, desired);
      add_ports(spec, i, matched.id, desired);
      add_sriov(spec, i, matched, facts, desired, report);
      if (needs_netdevs(spec.devices[i]) || has_vfs_of_netdev(spec.devices[i], matched))
        with_netdevs.push_back(matched);
      has_roce = has_roce || needs_rdma_cm(spec.devices[i]);
    }
  if (!named.empty()) add_name_rules(named, desired);
  if (has_roce || !with_netdevs.empty()) add_port_rules(with_netdevs, has_roce, desired);
}

FilePlaces devices_places() {
  const Layout& layout = common_layout();
  return whole_files({layout.name_rules, layout.port_rules, layout.mlx4_ports});
}

}  // namespace

constinit const Section devices_section{"devices", check_devices, expand_devices, adopt_devices, devices_places};

}  // namespace rdmastate
