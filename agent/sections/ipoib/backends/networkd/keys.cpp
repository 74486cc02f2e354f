// SPDX-License-Identifier: Apache-2.0
// First the functions that print and read one key's values, then the two tables that name them, then what asks the
// tables.
#include "sections/ipoib/backends/networkd/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/lines.hpp"
#include "platform/platform.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

using Texts = std::vector<std::string>;

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Texts dns_servers(const NetworkdSaid& said) {
  Texts servers = texts_of(said.record.ipv4->dns);
  append(servers, texts_of(said.record.ipv6->dns));
  return servers;
}

void take_dns(const std::string& text, IpoibRecord& record, const NetworkdCame& came) {
  for (const auto& part : split(text, " "))
    if (const auto server = value_from<IpAddress>(part))
      in_block(record, server->family, [&](auto& block) {
        block.dns.push_back(*server);
        came(field_of(server->family, "dns"));
      });
}

// networkd has one list for both families: it is printed from both blocks, and read into the first that is there.
Texts domains(const NetworkdSaid& said) {
  Texts names = texts_of(said.record.ipv4->search);
  append(names, texts_of(said.record.ipv6->search));
  std::string line;
  for (const auto& name : names) line += (line.empty() ? "" : " ") + name;
  return {line};
}

void take_domains(const std::string& text, IpoibRecord& record, const NetworkdCame& came) {
  const Family family = record.ipv4 ? Family::v4 : Family::v6;
  for (const auto& part : split(text, " "))
    if (const auto domain = value_from<DomainName>(part))
      in_block(record, family, [&](auto& block) { block.search.push_back(*domain); });
  came(field_of(family, "search"));
}

void take_gateway(const std::string& text, IpoibRecord& record, const NetworkdCame& came) {
  if (const auto via = value_from<IpAddress>(text))
    in_block(record, via->family, [&](auto& block) {
      block.gateway = via;
      came(field_of(via->family, "gateway"));
    });
}

void take_address(const std::string& text, IpoibRecord& record, const NetworkdCame& came) {
  const auto address = value_from<IpInterface>(text);
  if (!address) return;
  in_block(record, address->address.family, [&](auto& block) {
    block.addresses.push_back(*address);
    came(field_of(address->address.family, "addresses"));
  });
}

// Written for every interface; no field stands for it.
constexpr std::string_view always_said = "ConfigureWithoutCarrier";

// Section, key, field (empty: none, or more than one), print, take (nullptr: text.cpp reads the key, or nothing does).
constexpr NetworkdKey of_network[] = {
    {"Link", "MTUBytes", "mtu", [](const NetworkdSaid& said) { return Texts{text_or_empty(said.record.mtu)}; },
     [](const std::string& text, IpoibRecord& record, const NetworkdCame&) {
       record.mtu = value_from<std::uint32_t>(text);
     }},
    {"Network", always_said, "", [](const NetworkdSaid&) { return Texts{"yes"}; }, nullptr},
    {"Network", "DHCP", "",
     [](const NetworkdSaid& said) { return Texts{said.record.ipv4->method == Ipv4Method::automatic ? "ipv4" : "no"}; },
     nullptr},
    {"Network", "LinkLocalAddressing", "",
     [](const NetworkdSaid& said) {
       const bool has_none = said.record.ipv6->method == Ipv6Method::disabled || !said.bond.empty();
       return Texts{has_none ? "no" : "ipv6"};
     },
     nullptr},
    {"Network", "IPv6AcceptRA", "",
     [](const NetworkdSaid& said) { return Texts{yes_or_no(said.record.ipv6->method == Ipv6Method::automatic)}; },
     nullptr},
    {"Network", "IPoIB", "", [](const NetworkdSaid& said) { return said.children; }, nullptr},
    {"Network", "Bond", "", [](const NetworkdSaid& said) { return Texts{std::string(said.bond)}; }, nullptr},
    {"Network", "PrimarySlave", "", [](const NetworkdSaid& said) { return Texts{said.is_primary ? "yes" : ""}; },
     nullptr},
    {"Network", "DNS", "", dns_servers, take_dns},
    {"Network", "Domains", "", domains, take_domains},
    // Read, and printed in sections of their own (text.cpp).
    {"Network", "Gateway", "", [](const NetworkdSaid&) { return Texts(); }, take_gateway},
    {"Network", "Address", "", [](const NetworkdSaid&) { return Texts(); }, take_address},
    {"Address", "Address", "", [](const NetworkdSaid&) { return Texts(); }, take_address},
};

// The same columns.
constexpr NetworkdKey of_netdev[] = {
    {"IPoIB", "PartitionKey", "pkey", [](const NetworkdSaid& said) { return Texts{text_or_empty(said.record.pkey)}; },
     [](const std::string& text, IpoibRecord& record, const NetworkdCame&) { record.pkey = networkd_pkey(text); }},
    {"IPoIB", "Mode", "mode", [](const NetworkdSaid& said) { return Texts{text_or_empty(said.record.mode)}; },
     [](const std::string& text, IpoibRecord& record, const NetworkdCame&) {
       record.mode = value_from<IpoibMode>(text);
     }},
    {"IPoIB", "IgnoreUserspaceMulticastGroups", "umcast",
     [](const NetworkdSaid& said) {
       return Texts{said.record.umcast ? yes_or_no(*said.record.umcast) : std::string()};
     },
     [](const std::string& text, IpoibRecord& record, const NetworkdCame&) { record.umcast = is_yes(text); }},
};

}  // namespace

NetworkdDhcp networkd_dhcp(const std::string& text) {
  const bool both = text == "both" || is_yes(text);
  return {.four = both || text == "ipv4" || text == "v4", .six = both || text == "ipv6" || text == "v6"};
}

bool networkd_link_local_six(const std::string& text) {
  return !is_no(text) && text != "ipv4" && text != "ipv4-fallback";
}

std::string field_of(Family family, std::string_view field) {
  return (family == Family::v4 ? "ipv4." : "ipv6.") + std::string(field);
}

std::span<const NetworkdKey> network_keys() { return of_network; }
std::span<const NetworkdKey> netdev_keys() { return of_netdev; }

void check_networkd_child(const Facts& facts, const Profile& child, Report& report) {
  constexpr Version first_with_ipoib{250};
  if (platform_of(facts).versions.systemd >= first_with_ipoib) return;
  complain(report, child.path("parent"),
           "systemd-networkd makes children since systemd 250, and this host has an older one",
           "use network: {backend: networkmanager} or {backend: none}");
}

std::vector<std::string_view> unset_by_networkd() {
  std::vector<std::string_view> unset;
  for (const auto& setting : record_of<IpoibSettings>().fields) {
    const bool has_key = std::any_of(std::begin(of_network), std::end(of_network),
                                     [&](const NetworkdKey& row) { return row.field == setting.name; });
    if (!has_key) unset.push_back(setting.name);
  }
  return unset;
}

Texts netdev_twin_fields() {
  Texts fields{"name"};
  for (const auto& row : of_netdev)
    if (record_of<IpoibSettings>().find(row.field) != nullptr) fields.emplace_back(row.field);
  return fields;
}

Texts known_networkd_keys() {
  Texts known;
  for (const auto keys : {network_keys(), netdev_keys()})
    for (const auto& row : keys)
      if (row.key != always_said) known.push_back(fmt::format("{}.{}", row.section, row.key));
  return known;
}

void lay_values(std::span<const NetworkdKey> keys, const IpoibRecord& asked, ini::Editor& edit) {
  const Texts none;
  for (const auto& row : keys) {
    if (row.field.empty()) continue;
    // Compared as this table prints them: the wanted value, and the one that `take` reads from the present line.
    const std::string wanted = row.print({asked, none}).front();
    IpoibRecord of_file;
    if (const std::string now = edit.file().value(row.section, row.key); !now.empty())
      row.take(now, of_file, [](const std::string&) {});
    if (!wanted.empty() && row.print({of_file, none}).front() != wanted) edit.set(row.section, row.key, wanted);
  }
}

}  // namespace rdmastate
