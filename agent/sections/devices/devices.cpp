// SPDX-License-Identifier: Apache-2.0
// The Section `devices`. check() refuses what no host could have. expand_devices() wants, of each device that a record
// matches, its name, its port types and the settings of its ports, and then the udev rules for names and ports.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/rdma_device/rdma_device.hpp"
#include "sections/devices/expand.hpp"

namespace rdmastate {
namespace {

// Whether the value of a selector is one word: a resource's key holds all selectors in one line, and a udev rule reads
// '*' and '?' as patterns.
bool is_word(const std::string& value) {
  constexpr std::size_t longest = 64;  // of a board id in firmware; a driver's name is mostly a module's, and shorter
  const bool is_a_name = !value.empty() && value.size() <= longest && value != "." && value != "..";
  return is_a_name && ascii::holds_only(value, "_-.");
}

void check_word(const std::optional<std::string>& value, const std::string& path, Report& report) {
  if (value && !is_word(*value))
    complain(report, path,
             fmt::format("'{}' is not one word of at most 64 letters, digits, '_', '-' and '.'", printable(*value)));
}

void check_match(const DeviceRecord& record, std::size_t i, Report& report) {
  const std::string path = devices_path(i, "match");
  if (record.match == DeviceMatch{})
    complain(report, path, "a device is found by node_guid, port_guid, pci, board_id, driver or name",
             "give one of them: node_guid is the one that stays");
  check_word(record.match.board_id, path + ".board_id", report);
  check_word(record.match.driver, path + ".driver", report);
}

void check_every(const DeviceRecord& record, std::size_t i, Report& report) {
  if (record.with_virtual && !record.is_every())
    complain(report, devices_path(i, "virtual"), "virtual says what every takes, and this record means one device",
             "take it out: one device is meant whether it is a virtual function or not");
}

void check_name(const DeviceRecord& record, std::size_t i, Report& report) {
  if (!record.name) return;
  if (record.is_every())
    complain(report, devices_path(i, "name"), "one name cannot be given to every device",
             "take every out, and match one device");
  if (record.match.name && *record.match.name != *record.name)
    complain(report, devices_path(i, "match.name"),
             fmt::format("a device that is found by the name {} is not found any more once it is called {}",
                         record.match.name->value, record.name->value),
             "match by node_guid, which ibstat prints");
}

void check(const Spec& spec, Report& report) {
  std::map<std::string, std::size_t> index_by_match;
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    check_match(spec.devices[i], i, report);
    check_every(spec.devices[i], i, report);
    check_name(spec.devices[i], i, report);
    check_link_types(spec.devices[i], i, report);
    check_ports(spec.devices[i], i, report);
    const std::string match = to_text<DeviceId>(spec.devices[i].match);
    const auto [earlier, is_new] = index_by_match.emplace(match, i);
    if (!is_new && !match.empty())
      complain(report, devices_path(i, "match"), fmt::format("devices[{}] means {} already", earlier->second, match),
               "say all of one device in one record");
  }
}

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
      if (needs_netdevs(spec.devices[i])) with_netdevs.push_back(matched);
      has_roce = has_roce || needs_rdma_cm(spec.devices[i]);
    }
  if (!named.empty()) add_name_rules(named, desired);
  if (has_roce || !with_netdevs.empty()) add_port_rules(with_netdevs, has_roce, desired);
}

FilePlaces places() {
  const Layout& layout = common_layout();
  return whole_files({layout.name_rules, layout.port_rules, layout.mlx4_ports});
}

}  // namespace

constinit const Section devices_section{"devices", check, expand_devices, adopt_devices, places};

}  // namespace rdmastate
