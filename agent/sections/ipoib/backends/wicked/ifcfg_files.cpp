// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/backends/wicked/ifcfg_files.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"
#include "base/template.hpp"
#include "platform/layout.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/backends/print.hpp"

namespace rdmastate {
namespace {

std::string path_of(std::string_view what, std::string_view interface) {
  return fmt::format("{}/{}-{}", common_layout().wicked_files, what, interface);
}

constexpr std::string_view allowed = "allowed";
constexpr std::string_view disallowed = "disallowed";

std::string umcast_word(const IpoibRecord& record) {
  if (!record.umcast) return {};
  return std::string(*record.umcast ? allowed : disallowed);
}

// wicked takes the numbers, too.
void take_umcast(const std::string& text, IpoibRecord& record) {
  if (text == allowed || text == "1") record.umcast = true;
  if (text == disallowed || text == "0") record.umcast = false;
}

constexpr IfcfgKey keys[] = {
    {"MTU", "mtu", [](const IpoibRecord& record) { return text_or_empty(record.mtu); },
     [](const std::string& text, IpoibRecord& record) { record.mtu = value_from<std::uint32_t>(text); }},
    {"IPOIB_MODE", "mode", [](const IpoibRecord& record) { return text_or_empty(record.mode); },
     [](const std::string& text, IpoibRecord& record) { record.mode = value_from<IpoibMode>(text); }},
    {"IPOIB_UMCAST", "umcast", umcast_word, take_umcast},
};

// "8002"
std::string hex_digits(PKey pkey) {
  std::string text;
  append_hex(text, pkey.value, 4);
  return text;
}

// wicked before 0.6.76 goes by the child's name alone, and a later one by these keys alone where the port's name is not
// one of the kernel's (ib0): both read the same.
void add_identity(const IpoibRecord& record, KeyLines& lines) {
  lines.add("IPOIB", "yes");
  if (!record.is_child()) return;
  lines.add("IPOIB_DEVICE", record.parent->value);
  lines.add("IPOIB_PKEY", hex_digits(*record.pkey));
}

void add_addresses(const IpoibRecord& record, KeyLines& lines) {
  std::size_t count = 0;
  for (const auto& address : addresses_of(record)) lines.add(fmt::format("IPADDR_{}", count++), to_text(address));
}

Values route_line(std::string_view interface, const ProfileRoute& route) {
  Values line;
  line.set("to", route.to.is_default() && route.via ? std::string("default") : to_text(route.to));
  line.set("via", route.via ? to_text(*route.via) : std::string("-"));
  line.set("name", std::string(interface));
  line.set("metric", text_or_false(text_or_empty(route.metric)));
  return line;
}

std::vector<ProfileRoute> routes_of_both(const IpoibRecord& made) {
  std::vector<ProfileRoute> routes = all_routes_of(*made.ipv4, Family::v4);
  for (auto& route : all_routes_of(*made.ipv6, Family::v6)) routes.push_back(std::move(route));
  return routes;
}

// The first lines of ifcfg-NAME. Static addresses and routes count with any BOOTPROTO but none, with which wicked turns
// IP off.
KeyLines begun_by(const IpoibRecord& made) {
  KeyLines lines;
  lines.add("STARTMODE", "auto");
  lines.add("BOOTPROTO", made.ipv4->method == Ipv4Method::automatic ? "dhcp4" : "static");
  return lines;
}

// As wicked itself makes up for a port without a file (ifcfg-bonding(5)): it waits for no port, and the bond takes each
// that is there.
KeyLines begun_as_port() {
  KeyLines lines;
  lines.add("STARTMODE", "hotplug");
  lines.add("BOOTPROTO", "none");
  return lines;
}

std::vector<Values> with_commas(const std::vector<IpAddress>& targets) {
  std::vector<Values> list;
  for (const IpAddress& one : targets) {
    Values& value = list.emplace_back();
    value.set("comma", &one != &targets.front());
    value.set("target", to_text(one));
  }
  return list;
}

}  // namespace

std::string ifcfg_path(std::string_view interface) { return path_of("ifcfg", interface); }
std::string ifroute_path(std::string_view interface) { return path_of("ifroute", interface); }
std::string ifsysctl_path(std::string_view interface) { return path_of("ifsysctl", interface); }

std::span<const IfcfgKey> ifcfg_keys() { return keys; }

std::string ifcfg_text(const Profile& profile) {
  KeyLines lines = profile.bond.empty() ? begun_by(profile.made) : begun_as_port();
  add_identity(profile.made, lines);
  for (const auto& row : keys) lines.add(std::string(row.key), row.print(profile.made));
  add_addresses(profile.made, lines);
  return Template("ipoib.ifcfg", escape_interfaces).render({{{"lines", lines.take()}}});
}

// ARP monitoring takes the place of MII monitoring: wicked refuses a bond with both, or with none.
std::string ifcfg_bond_text(const BondRecord& bond, std::uint32_t mtu) {
  const IpoibRecord made = made_of(bond);
  KeyLines lines = begun_by(made);
  lines.add("BONDING_MASTER", "yes");
  for (std::size_t n = 0; n < bond.ports.size(); ++n)
    lines.add(fmt::format("BONDING_SLAVE_{}", n), bond.ports[n].value);
  lines.add("MTU", std::to_string(mtu));
  add_addresses(made, lines);
  Values values{{{"lines", lines.take()}}};
  values.set("miimon",
             text_or_false(bond.arp_interval ? std::string() : std::to_string(bond.miimon.value_or(usual_miimon))));
  values.set("arp_interval", text_or_false(text_or_empty(bond.arp_interval)));
  values.set("targets", with_commas(bond.arp_targets.value_or(std::vector<IpAddress>())));
  values.set("primary", text_or_false(bond.primary ? bond.primary->value : std::string()));
  return Template("bond.ifcfg", escape_interfaces).render(values);
}

std::string ifroute_text(std::string_view interface, const IpoibRecord& made) {
  std::vector<Values> routes;
  for (const auto& route : routes_of_both(made)) routes.push_back(route_line(interface, route));
  return Template("ipoib.ifroute", escape_interfaces).render({{{"routes", std::move(routes)}}});
}

// A sysctl stays when the file has changed, so each is set on as well as off.
std::string ifsysctl_text(std::string_view interface, const IpoibRecord& made) {
  const Ipv6Method method = made.ipv6->method;
  Values values;
  values.set("name", std::string(interface));
  values.set("no_ipv6", std::string(method == Ipv6Method::disabled ? "1" : "0"));
  values.set("advertisements", std::string(method == Ipv6Method::automatic ? "1" : "0"));
  return Template("ipoib.ifsysctl", escape_interfaces).render(values);
}

bool has_routes(const IpoibRecord& made) { return !routes_of_both(made).empty(); }

}  // namespace rdmastate
