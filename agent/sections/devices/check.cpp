// SPDX-License-Identifier: Apache-2.0
// The check of section `devices`: refuses what no host could have.
#include <fmt/format.h>

#include <map>

#include "base/ascii.hpp"
#include "sections/devices/devices.hpp"

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

}  // namespace

void check_devices(const Spec& spec, Report& report) {
  std::map<std::string, std::size_t> index_by_match;
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    check_match(spec.devices[i], i, report);
    check_every(spec.devices[i], i, report);
    check_name(spec.devices[i], i, report);
    check_link_types(spec.devices[i], i, report);
    check_ports(spec.devices[i], i, report);
    check_sriov(spec.devices[i], i, report);
    const std::string match = to_text<DeviceId>(spec.devices[i].match);
    const auto [earlier, is_new] = index_by_match.emplace(match, i);
    if (!is_new && !match.empty())
      complain(report, devices_path(i, "match"), fmt::format("devices[{}] means {} already", earlier->second, match),
               "say all of one device in one record");
  }
  check_vf_guids(spec, report);
}

}  // namespace rdmastate
