// SPDX-License-Identifier: Apache-2.0
#include "sections/devices_match.hpp"

#include <fmt/format.h>

#include "sections/section.hpp"

namespace rdmastate {
namespace {

void refuse_several(const std::vector<const RdmaDevice*>& meant, const DeviceRecord& record, std::size_t index,
                    Report& report) {
  std::string names;
  for (const auto* device : meant) names += (names.empty() ? "" : ", ") + device->name;
  complain(report, devices_path(index, "match"),
           fmt::format("{} fits {} devices: {}", to_text<DeviceId>(record.match), meant.size(), names),
           "add a selector that only one of them has, or every: true");
}

}  // namespace

std::vector<MatchedDevice> match_devices(const DeviceRecord& record, std::size_t index, const Facts& facts,
                                         Report& report) {
  const auto meant = meant_of(facts.devices, record.match);
  std::vector<MatchedDevice> found;
  if (meant.size() > 1 && !record.is_every()) {
    refuse_several(meant, record, index, report);
    return found;
  }
  for (const auto* device : meant) found.push_back({stable_id(facts.devices, *device), device});
  if (found.empty()) found.push_back({record.match, nullptr});
  return found;
}

}  // namespace rdmastate
