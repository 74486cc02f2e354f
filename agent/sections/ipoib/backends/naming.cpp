// SPDX-License-Identifier: Apache-2.0
// The udev rules of a spec's own interfaces: their names at boot, and the call of rdmastate when they appear.
#include <fmt/format.h>

#include "base/lines.hpp"
#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/link_file.hpp"

namespace rdmastate {
namespace {

// sysfs prints hardware addresses in pairs: f4:52:14:03:00:7b:cb:a1.
std::string address_bytes(Guid guid) {
  std::string text;
  for (int shift = 56; shift >= 0; shift -= 8)
    text += fmt::format("{}{:02x}", text.empty() ? "" : ":", guid.value >> shift & 0xffU);
  return text;
}

Guid guid_from(const Facts& facts, const PortMatch& match) {
  if (match.port_guid) return *match.port_guid;
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (device.name == match.device && port.number == match.port) return port.guid;
  return {};
}

std::string known_devices(const Facts& facts) {
  std::string names;
  for (const auto& device : facts.devices) names += (names.empty() ? "" : ", ") + device.name;
  return names.empty() ? "none" : names;
}

Values rule(const Profile& profile, Guid guid) {
  return Values{{{"guid", address_bytes(guid)}, {"name", profile.name}, {"by_guid", guid.value != 0}}};
}

std::string rules_text(const std::vector<Values>& renamed, const std::vector<Values>& watched) {
  return Template("ipoib.rules", escape_udev).render({{{"renamed", renamed}, {"watched", watched}}});
}

}  // namespace

Twin name_twin(const Profile& profile, const Facts& facts) {
  const IpoibRecord& record = profile.asked;
  if (is_named_by_link_file(record)) return {{file_kind.name, link_file_path(record)}, TwinForm::whole_file, {"name"}};
  const std::string line = without_comment_lines(rules_text({rule(profile, guid_from(facts, *record.match))}, {}));
  return {{file_kind.name, std::string(common_layout().udev_rules)}, TwinForm::line, {"name"}, line};
}

void add_udev_rules(const Expansion& to, bool watch) {
  const Facts& facts = to.facts;
  std::vector<Values> renamed;
  std::vector<Values> watched;
  for (const auto& profile : to.profiles) {
    const IpoibRecord& record = profile.asked;
    if (profile.is_child()) continue;
    const Guid guid = record.match ? guid_from(facts, *record.match) : Guid{};
    if (profile.is_renamed() && guid.value == 0) {
      complain(to.report, profile.path("match"),
               facts.live || !facts.devices.empty()
                   ? fmt::format("there is no {} port {} here (devices: {})", *record.match->device,
                                 *record.match->port, known_devices(facts))
                   : std::string("a tree has no devices, so a device's name and port cannot be told apart there"),
               facts.live ? "match by port_guid, which ibstat prints"
                          : "match by port_guid, which ibstat prints, or give the hardware with --facts");
      continue;
    }
    if (is_named_by_link_file(record)) {
      add_link_file(to.spec, profile.index, guid, facts, to.desired, to.report);
    } else if (profile.is_renamed()) {
      renamed.push_back(rule(profile, guid));
    }
    watched.push_back(rule(profile, guid));
  }
  if (!watch) watched.clear();
  if (renamed.empty() && watched.empty()) return;
  to.desired.add({&file_kind,
                  std::string(common_layout().udev_rules),
                  State(file_kind, regular_file(rules_text(renamed, watched))),
                  "ipoib",
                  "",
                  {}});
}

}  // namespace rdmastate
