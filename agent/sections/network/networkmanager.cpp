// SPDX-License-Identifier: Apache-2.0
// Back end networkmanager: one keyfile per interface (nm-settings-keyfile(5)); what is live is awaited from it.
#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/template.hpp"
#include "base/uuid.hpp"
#include "platform/layout.hpp"
#include "platform/platform.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/nm_profile.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/backend.hpp"
#include "sections/network/link_file.hpp"
#include "sections/network/renderers.hpp"

namespace rdmastate {
namespace {

template <class List>
std::string joined(const List& list) {
  std::string text;
  for (const auto& item : list) text += to_text(item) + ";";
  return text;
}

Values::Value text_or_no(std::string text) {
  if (text.empty()) return false;
  return text;
}

std::string route_line(const RouteRecord& route, Family family) {
  IpNetwork anywhere;
  anywhere.address.family = family;
  std::string line = to_text(route.to.network.value_or(anywhere));
  IpAddress none;
  none.family = family;
  if (route.via || route.metric) line += "," + to_text(route.via.value_or(none));
  if (route.metric) line += fmt::format(",{}", *route.metric);
  return line;
}

template <class Block>
Values family_values(std::string_view section, Family family, const Block& block, std::string gen_mode) {
  std::vector<Values> addresses;
  for (const auto& address : block.addresses) {
    auto& line = addresses.emplace_back();
    line.set("number", std::to_string(addresses.size()));
    line.set("address", to_text(address));
  }
  std::vector<Values> routes;
  for (const auto& route : block.routes) {
    auto& line = routes.emplace_back();
    line.set("number", std::to_string(routes.size()));
    line.set("route", route_line(route, family));
  }
  Values values;
  values.set("family", std::string(section));
  values.set("method", to_text(block.method));
  values.set("addresses", std::move(addresses));
  values.set("gateway", text_or_no(block.gateway ? to_text(*block.gateway) : ""));
  values.set("dns", text_or_no(joined(block.dns)));
  values.set("search", text_or_no(joined(block.search)));
  values.set("routes", std::move(routes));
  values.set("gen_mode", text_or_no(std::move(gen_mode)));
  return values;
}

// How NetworkManager makes the interface's own half of IPv6 addresses. A profile without the key is one of before 1.40
// to it, and gets another value than nmcli gives a new one: the same is written here (nm-setting-ip6-config.c).
std::string gen_mode(const Platform& platform) {
  return platform.versions.networkmanager < Version{1, 40} ? "stable-privacy" : "default";
}

constexpr std::size_t digest_length = 16;  // of what two profiles of one interface may differ in

}  // namespace

// In a file that is wholly ours an absent field takes what a created interface gets.
std::string nm_profile_text(const Template& text, const IpoibRecord& record, const Platform& platform) {
  Ipv4Block no_ipv4;
  no_ipv4.method = Ipv4Method::disabled;
  Ipv6Block local_ipv6;
  local_ipv6.method = Ipv6Method::link_local;
  const std::string name = record.interface_name();
  std::vector<Values> families;
  families.push_back(family_values("ipv4", Family::v4, record.ipv4 ? *record.ipv4 : no_ipv4, ""));
  families.push_back(family_values("ipv6", Family::v6, record.ipv6 ? *record.ipv6 : local_ipv6, gen_mode(platform)));
  Values values;
  values.set("name", name);
  values.set("uuid", uuid_of(name));
  values.set("mode", to_text(record.judged_mode().value_or(IpoibMode::datagram)));
  values.set("mtu", text_or_no(record.mtu ? std::to_string(*record.mtu) : ""));
  values.set("pkey", text_or_no(record.pkey ? std::to_string(record.pkey->value) : ""));
  values.set("parent", text_or_no(record.parent ? record.parent->value : ""));
  values.set("families", std::move(families));
  values.set("digest_key", std::string(nm_digest_key));
  values.set("digest", std::string());
  const std::string digest = sha256_hex(text.render(values));
  values.set("digest", digest.substr(0, digest_length));
  return text.render(values);
}

std::string nm_profile_path(const IpoibRecord& record) {
  return fmt::format("{}/{}.nmconnection", common_layout().nm_profiles, record.interface_name());
}

// NetworkManager writes the mode of every profile it activates, so one that the spec leaves open would be changed.
void check_nm_mode(const Spec& spec, std::size_t i, Report& report) {
  const auto& record = spec.ipoib[i];
  if (record.is_child() || record.mode) return;
  complain(report, ipoib_path(i),
           fmt::format("NetworkManager sets the mode of every interface it activates, so {} needs one",
                       record.interface_name()),
           "add mode: as it is now (cat /sys/class/net/IF/mode), or as you want it: datagram or connected");
}

void expand_networkmanager(const Spec& spec, const Facts& facts, Desired& desired, Report& report) {
  const Template text("ipoib.nmconnection", escape_line);
  desired.wanted.reserve(desired.wanted.size() +
                         4 * spec.ipoib.size());  // a profile, a link and one or two addresses each
  const auto ids = link_ids(spec);
  const Platform platform = platform_of(facts);
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    check_nm_mode(spec, i, report);
    const std::string path = nm_profile_path(record);
    for (auto& one : live_resources(spec, i, ids[i], "NetworkManager")) {
      if (one.state && one.kind->name == "ipoib_link" && is_renamed(record)) one.twins.push_back(name_twin(record));
      if (one.state) one.twins.push_back({{nm_profile_kind.name, path}, TwinForm::whole_file, {}});
      desired.add(std::move(one));
    }
    if (record.is_absent()) continue;
    desired.add({&nm_profile_kind,
                 path,
                 State(nm_profile_kind, wanted_nm_profile(nm_profile_text(text, record, platform))),
                 ipoib_path(i),
                 "",
                 {}});
  }
  if (!spec.ipoib.empty()) add_udev_rules(spec, facts, false, desired, report);
}

}  // namespace rdmastate
