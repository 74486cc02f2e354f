// SPDX-License-Identifier: Apache-2.0
// Udev rules and .link files for ports' interfaces, not for children. They give an interface its name at boot, set what
// its owner has no key for, and start rdmastate-event@.service when it appears. add_port_rules() writes them;
// name_twin() and settings_twins() name them as twins.
#include <fmt/format.h>

#include "base/lines.hpp"
#include "base/template.hpp"
#include "platform/layout.hpp"
#include "platform/platform.hpp"
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

// The GUID of the port that a match names; nullopt: the facts know no such port, or not its GUID.
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
  complain_of_absent(
      facts, report, profile.path("match"),
      facts.live || !facts.devices.empty()
          ? fmt::format("there is no {} port {} here (devices: {})", *match.device, *match.port, known_devices(facts))
          : std::string("a tree has no devices, so the GUID of a device's port cannot be looked up there"),
      facts.live ? "match by port_guid, which ibstat prints"
                 : "match by port_guid, which ibstat prints, or give the hardware with --facts");
}

// What one rule has in the template. Without a GUID the rule goes by the interface's name.
Values rule_values(const Profile& profile, std::optional<Guid> guid) {
  return Values{
      {{"guid", address_bytes(guid.value_or(Guid{}))}, {"name", profile.name}, {"by_guid", guid.has_value()}}};
}

// What the udev rules of one or more ports have in each section of their template.
struct RuleLines {
  std::vector<Values> renamed{}, modes{}, umcasts{}, watched{};

  bool empty() const { return renamed.empty() && modes.empty() && umcasts.empty() && watched.empty(); }
  std::string text() const {
    return Template("ipoib.rules", escape_udev)
        .render({{{"renamed", renamed}, {"modes", modes}, {"umcasts", umcasts}, {"watched", watched}}});
  }
  // The rules alone, as a twin of form `line` has them.
  std::string line() const { return without_comment_lines(text()); }
};

std::optional<Guid> guid_of(const Facts& facts, const Profile& profile) {
  return profile.asked.match ? guid_of(facts, *profile.asked.match) : std::nullopt;
}

// Adds the rule that writes one setting to its file in sysfs (ipoib_cm.c: set_mode; ipoib_main.c: umcast_store); none
// where the spec leaves the setting out, or gives the value that ib_ipoib begins with.
void add_setting(const Profile& profile, std::string_view setting, const Facts& facts, RuleLines& lines) {
  const IpoibSettings &asked = profile.asked.settings(), &at_first = new_ipoib_settings();
  Values values = rule_values(profile, guid_of(facts, profile));
  if (setting == "mode" && asked.mode && asked.mode != at_first.mode) {
    values.set("value", to_text(*asked.mode));
    lines.modes.push_back(std::move(values));
  } else if (setting == "umcast" && asked.umcast && asked.umcast != at_first.umcast) {
    values.set("value", *asked.umcast ? "1" : "0");
    lines.umcasts.push_back(std::move(values));
  }
}

// ib_ipoib takes a mode with a newline behind it alone, which a rule can write since systemd 247: e"connected\n".
void check_mode_rule(const Expansion& to, const Profile& profile) {
  constexpr Version first_with_escapes{247};
  if (platform_of(to.facts).versions.systemd >= first_with_escapes) return;
  complain(to.report, profile.path("mode"), "a udev rule cannot set the mode of an interface before systemd 247",
           "use network: {backend: networkmanager} or {backend: none}");
}

}  // namespace

Twin name_twin(const Profile& profile, const Facts& facts) {
  const IpoibRecord& record = profile.asked;
  if (is_named_by_link_file(record)) return {{file_kind.name, link_file_path(record)}, TwinForm::whole_file, {"name"}};
  const RuleLines rule{.renamed = {rule_values(profile, guid_of(facts, profile))}};
  return {{file_kind.name, std::string(common_layout().udev_rules)}, TwinForm::line, {"name"}, rule.line()};
}

std::vector<Twin> settings_twins(const Profile& profile, const std::vector<std::string_view>& settings,
                                 const Facts& facts) {
  std::vector<Twin> twins;
  for (const auto setting : settings) {
    RuleLines rule;
    add_setting(profile, setting, facts, rule);
    if (rule.empty()) continue;
    twins.push_back({{file_kind.name, std::string(common_layout().udev_rules)},
                     TwinForm::line,
                     {std::string(setting)},
                     rule.line()});
  }
  return twins;
}

void add_port_rules(const Expansion& to, const PortRules& rules) {
  RuleLines lines;
  for (const auto& profile : to.profiles) {
    const IpoibRecord& record = profile.asked;
    if (profile.is_child()) continue;
    const auto guid = guid_of(to.facts, profile);
    if (profile.is_renamed() && !guid) {
      complain_of_unknown_port(profile, to.facts, to.report);
    } else if (is_named_by_link_file(record)) {
      add_link_file(to.spec, profile.index, guid.value_or(Guid{}), to.facts, to.desired, to.report);
    } else if (profile.is_renamed()) {
      lines.renamed.push_back(rule_values(profile, guid));
    }
    const std::size_t modes_before = lines.modes.size();
    for (const auto setting : rules.settings) add_setting(profile, setting, to.facts, lines);
    if (lines.modes.size() > modes_before) check_mode_rule(to, profile);
    if (rules.watch) lines.watched.push_back(rule_values(profile, guid));
  }
  if (lines.empty()) return;
  to.desired.add(
      {&file_kind, std::string(common_layout().udev_rules), State(file_kind, regular_file(lines.text())), "ipoib"});
}

}  // namespace rdmastate
