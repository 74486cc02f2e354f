// SPDX-License-Identifier: Apache-2.0
#include "sections/devices/match.hpp"

#include <fmt/format.h>

#include "sections/section.hpp"

namespace rdmastate {
namespace {

using Meant = std::vector<const RdmaDevice*>;

std::string listed(const Meant& meant) {
  std::string names;
  for (const auto* device : meant) names += (names.empty() ? "" : ", ") + device->name;
  return names;
}

void refuse_several(const Meant& meant, const DeviceRecord& record, std::size_t index, Report& report) {
  complain(report, devices_path(index, "match"),
           fmt::format("{} fits {} devices: {}", to_text<DeviceId>(record.match), meant.size(), listed(meant)),
           "add a selector that only one of them has, or every: true");
}

void refuse_virtual(const Meant& fitting, const DeviceRecord& record, std::size_t index, Report& report) {
  complain(report, devices_path(index, "match"),
           fmt::format("{} fits virtual functions alone, which every leaves out: {}", to_text<DeviceId>(record.match),
                       listed(fitting)),
           "say virtual: true beside every, or match their physical functions");
}

}  // namespace

std::vector<const RdmaDevice*> meant_by(const DeviceRecord& record, const std::vector<RdmaDevice>& devices) {
  auto meant = meant_of(devices, record.match);
  if (record.is_physical_only()) std::erase_if(meant, [](const RdmaDevice* device) { return device->is_virtual; });
  return meant;
}

std::vector<MatchedDevice> match_devices(const DeviceRecord& record, std::size_t index, const Facts& facts,
                                         Report& report) {
  const auto meant = meant_by(record, facts.devices);
  std::vector<MatchedDevice> found;
  // meant_of() does not leave virtual functions out.
  if (const auto fitting = meant_of(facts.devices, record.match); meant.empty() && !fitting.empty()) {
    if (!record.is_optional()) refuse_virtual(fitting, record, index, report);
    return found;
  }
  if (meant.size() > 1 && !record.is_every()) {
    refuse_several(meant, record, index, report);
    return found;
  }
  for (const auto* device : meant) found.push_back({stable_id(facts.devices, *device), device});
  if (found.empty()) found.push_back({record.match, nullptr});
  return found;
}

}  // namespace rdmastate
