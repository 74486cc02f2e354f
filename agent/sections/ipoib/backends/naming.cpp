// SPDX-License-Identifier: Apache-2.0
// The udev rules and .link files of ports' interfaces (children have none): their names at boot, and the rules that
// start rdmastate-event@.service when they appear.
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

// Of the port that a match names; nullopt: the facts know no such port, or not its GUID.
std::optional<Guid> guid_of(const Facts& facts, const PortMatch& match) {
  if (match.port_guid) return *match.port_guid;
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (device.name == match.device && port.number == match.port && port.guid.value != 0) return port.guid;
  return std::nullopt;
}

std::string known_devices(const Facts& facts) {
  std::string names;
  for (const auto& device : facts.devices) names += (names.empty() ? "" : ", ") + device.name;
  return names.empty() ? "none" : names;
}

void complain_of_unknown_port(const Profile& profile, const Facts& facts, Report& report) {
  const PortMatch& match = *profile.asked.match;
  complain(
      report, profile.path("match"),
      facts.live || !facts.devices.empty()
          ? fmt::format("there is no {} port {} here (devices: {})", *match.device, *match.port, known_devices(facts))
          : std::string("a tree has no devices, so the GUID of a device's port cannot be looked up there"),
      facts.live ? "match by port_guid, which ibstat prints"
                 : "match by port_guid, which ibstat prints, or give the hardware with --facts");
}

// Without a GUID a rule goes by the interface's name.
Values rule_values(const Profile& profile, std::optional<Guid> guid) {
  return Values{
      {{"guid", address_bytes(guid.value_or(Guid{}))}, {"name", profile.name}, {"by_guid", guid.has_value()}}};
}

std::string rules_text(const std::vector<Values>& renamed, const std::vector<Values>& watched) {
  return Template("ipoib.rules", escape_udev).render({{{"renamed", renamed}, {"watched", watched}}});
}

}  // namespace

Twin name_twin(const Profile& profile, const Facts& facts) {
  const IpoibRecord& record = profile.asked;
  if (is_named_by_link_file(record)) return {{file_kind.name, link_file_path(record)}, TwinForm::whole_file, {"name"}};
  const std::string line = without_comment_lines(rules_text({rule_values(profile, guid_of(facts, *record.match))}, {}));
  return {{file_kind.name, std::string(common_layout().udev_rules)}, TwinForm::line, {"name"}, line};
}

void add_naming_files(const Expansion& to, bool watch) {
  std::vector<Values> renamed;
  std::vector<Values> watched;
  for (const auto& profile : to.profiles) {
    const IpoibRecord& record = profile.asked;
    if (profile.is_child()) continue;
    const auto guid = record.match ? guid_of(to.facts, *record.match) : std::nullopt;
    if (profile.is_renamed() && !guid) {
      complain_of_unknown_port(profile, to.facts, to.report);
    } else if (is_named_by_link_file(record)) {
      add_link_file(to.spec, profile.index, guid.value_or(Guid{}), to.facts, to.desired, to.report);
    } else if (profile.is_renamed()) {
      renamed.push_back(rule_values(profile, guid));
    }
    if (watch) watched.push_back(rule_values(profile, guid));
  }
  if (renamed.empty() && watched.empty()) return;
  to.desired.add({&file_kind, std::string(common_layout().udev_rules),
                  State(file_kind, regular_file(rules_text(renamed, watched))), "ipoib"});
}

}  // namespace rdmastate
