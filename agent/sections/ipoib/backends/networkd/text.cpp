// SPDX-License-Identifier: Apache-2.0
// Tables say which keys of networkd's files stand for which fields, in both directions.
#include "sections/ipoib/backends/networkd/text.hpp"

#include <algorithm>
#include <functional>

#include "base/lines.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

using Texts = std::vector<std::string>;
using Came = std::function<void(const std::string& field)>;  ///< called with the field that has the text now

/// A key and its field; a line for each text that is not empty. Without `take` it is read together with others.
struct Key {
  std::string_view section;
  std::string_view key;
  Texts (*print)(const Profile&);
  void (*take)(const std::string&, IpoibRecord&, const Came&);
};

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }
template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Gives `use` the block of that family, when there is one.
template <class Use>
void in_block(IpoibRecord& record, Family family, Use&& use) {
  if (family == Family::v4 && record.ipv4) use(*record.ipv4);
  if (family == Family::v6 && record.ipv6) use(*record.ipv6);
}

std::string field_of(Family family, std::string_view field) {
  return (family == Family::v4 ? "ipv4." : "ipv6.") + std::string(field);
}

Texts dns_servers(const Profile& profile) {
  Texts servers = texts_of(profile.made.ipv4->dns);
  append(servers, texts_of(profile.made.ipv6->dns));
  return servers;
}

void take_dns(const std::string& text, IpoibRecord& record, const Came& came) {
  for (const auto& part : split(text, " "))
    if (const auto server = value_from<IpAddress>(part))
      in_block(record, server->family, [&](auto& block) {
        block.dns.push_back(*server);
        came(field_of(server->family, "dns"));
      });
}

// networkd has one list for both families.
Texts domains(const Profile& profile) {
  Texts names = texts_of(profile.made.ipv4->search);
  append(names, texts_of(profile.made.ipv6->search));
  std::string line;
  for (const auto& name : names) line += (line.empty() ? "" : " ") + name;
  return {line};
}

void take_domains(const std::string& text, IpoibRecord& record, const Came& came) {
  const Family family = record.ipv4 ? Family::v4 : Family::v6;
  for (const auto& part : split(text, " "))
    if (const auto domain = value_from<DomainName>(part))
      in_block(record, family, [&](auto& block) { block.search.push_back(*domain); });
  came(field_of(family, "search"));
}

void take_gateway(const std::string& text, IpoibRecord& record, const Came&) {
  if (const auto via = value_from<IpAddress>(text))
    in_block(record, via->family, [&](auto& block) { block.gateway = via; });
}

void take_address(const std::string& text, IpoibRecord& record, const Came& came) {
  const auto address = value_from<IpInterface>(text);
  if (!address) return;
  in_block(record, address->address.family, [&](auto& block) {
    block.addresses.push_back(*address);
    came(field_of(address->address.family, "addresses"));
  });
}

constexpr Key network_keys[] = {
    {"Link", "MTUBytes", [](const Profile& profile) { return Texts{text_or_none(profile.made.mtu)}; },
     [](const std::string& text, IpoibRecord& record, const Came& came) {
       record.mtu = value_from<std::uint32_t>(text);
       came("mtu");
     }},
    {"Network", "ConfigureWithoutCarrier", [](const Profile&) { return Texts{"yes"}; }, nullptr},
    {"Network", "DHCP",
     [](const Profile& profile) { return Texts{profile.made.ipv4->method == Ipv4Method::automatic ? "ipv4" : "no"}; },
     nullptr},
    {"Network", "LinkLocalAddressing",
     [](const Profile& profile) { return Texts{profile.made.ipv6->method == Ipv6Method::disabled ? "no" : "ipv6"}; },
     nullptr},
    {"Network", "IPv6AcceptRA",
     [](const Profile& profile) { return Texts{yes_or_no(profile.made.ipv6->method == Ipv6Method::automatic)}; },
     nullptr},
    {"Network", "IPoIB", [](const Profile& profile) { return profile.children; }, nullptr},
    {"Network", "DNS", dns_servers, take_dns},
    {"Network", "Domains", domains, take_domains},
    {"Network", "Gateway", [](const Profile&) { return Texts(); }, take_gateway},
    {"Network", "Address", [](const Profile&) { return Texts(); }, take_address},
    {"Address", "Address", [](const Profile&) { return Texts(); }, take_address},
};

constexpr Key netdev_keys[] = {
    {"IPoIB", "PartitionKey", [](const Profile& profile) { return Texts{to_text(*profile.made.pkey)}; },
     [](const std::string& text, IpoibRecord& record, const Came& came) {
       record.pkey = networkd_pkey(text);
       came("pkey");
     }},
    {"IPoIB", "Mode", [](const Profile& profile) { return Texts{to_text(*profile.made.mode)}; },
     [](const std::string& text, IpoibRecord& record, const Came& came) {
       record.mode = value_from<IpoibMode>(text);
       came("mode");
     }},
    {"IPoIB", "IgnoreUserspaceMulticastGroups",
     [](const Profile& profile) {
       return Texts{profile.made.umcast ? yes_or_no(*profile.made.umcast) : std::string()};
     },
     [](const std::string& text, IpoibRecord& record, const Came& came) {
       record.umcast = is_yes(text);
       came("umcast");
     }},
};

template <std::size_t N>
KeyLines lines_of(const Key (&keys)[N], std::string_view section, const Profile& profile) {
  KeyLines lines;
  for (const auto& row : keys)
    if (row.section == section)
      for (auto& text : row.print(profile)) lines.add(std::string(row.key), std::move(text));
  return lines;
}

Values address_section(const std::string& address) {
  KeyLines lines;
  lines.add("Address", address);
  return lines.take_as("Address");
}

Values route_section(const ProfileRoute& route) {
  KeyLines lines;
  lines.add("Destination", to_text(route.to));
  lines.add("Gateway", text_or_none(route.via));
  lines.add("Metric", text_or_none(route.metric));
  return lines.take_as("Route");
}

std::vector<Values> sections_of(const Profile& profile) {
  const Ipv4Block& four = *profile.made.ipv4;
  const Ipv6Block& six = *profile.made.ipv6;
  std::vector<Values> sections;
  KeyLines link = lines_of(network_keys, "Link", profile);
  if (!link.empty()) sections.push_back(link.take_as("Link"));
  sections.push_back(lines_of(network_keys, "Network", profile).take_as("Network"));
  for (const auto& address : texts_of(four.addresses)) sections.push_back(address_section(address));
  for (const auto& address : texts_of(six.addresses)) sections.push_back(address_section(address));
  for (const auto& route : all_routes_of(four, Family::v4)) sections.push_back(route_section(route));
  for (const auto& route : all_routes_of(six, Family::v6)) sections.push_back(route_section(route));
  return sections;
}

// One .network file, and a child's .netdev file, become one record.
class NetworkFile {
 public:
  NetworkFile(const Ini& file, Adopted& to) : file_(file), to_(to), index_(to.spec.ipoib.size()) {}

  void add(const Adoption& from, const std::string& name, const Ini* netdev, const std::string& parent) {
    IpoibRecord& made = to_.spec.ipoib.emplace_back();
    made.name = IfName{name};
    note("name", file_, "Match", "Name");
    if (netdev != nullptr) {
      made.parent = IfName{parent};
      take(netdev_keys, *netdev, made);
      if (made.pkey && child_name(parent, *made.pkey) == name) made.name.reset();
    } else {
      made.match = match_for(from, name);
    }
    begin_blocks(made);
    take(network_keys, file_, made);
    for (const std::size_t instance : instances("Route")) take_route(instance, made);
  }

 private:
  void note(const std::string& field, const Ini& file, std::string_view section, std::string_view key) {
    if (const ini::Entry* line = file.find(section, key)) to_.came_from(ipoib_path(index_, field), file.place(*line));
  }
  std::string taken(const std::string& field, const Ini& file, std::string_view section, std::string_view key) {
    note(field, file, section, key);
    return file.value(section, key);
  }

  bool has_address(Family family) const {
    return std::any_of(file_.entries().begin(), file_.entries().end(), [&](const ini::Entry& line) {
      const auto address = value_from<IpInterface>(line.value);
      return line.counts && line.key == "Address" && address && address->address.family == family;
    });
  }

  void begin_blocks(IpoibRecord& made) {
    const std::string dhcp = taken("ipv4.method", file_, "Network", "DHCP");
    if (has_address(Family::v4)) made.ipv4.emplace().method = Ipv4Method::manual;
    if (dhcp == "ipv4" || is_yes(dhcp)) made.ipv4.emplace().method = Ipv4Method::automatic;
    const std::string local = taken("ipv6.method", file_, "Network", "LinkLocalAddressing");
    const bool has_none = local == "no" || local == "false" || local == "ipv4";
    if (has_address(Family::v6)) {
      made.ipv6.emplace().method = Ipv6Method::manual;
    } else if (is_yes(file_.value("Network", "IPv6AcceptRA"))) {
      made.ipv6.emplace().method = Ipv6Method::automatic;
    } else if (has_none) {
      made.ipv6.emplace().method = Ipv6Method::disabled;
    }
  }

  template <std::size_t N>
  void take(const Key (&keys)[N], const Ini& file, IpoibRecord& made) {
    for (const auto& line : file.entries())
      for (const auto& row : keys) {
        const bool is_it = line.key == row.key && file.section(line) == row.section;
        if (!is_it || row.take == nullptr || !line.counts || line.value.empty()) continue;
        row.take(line.value, made,
                 [&](const std::string& field) { to_.came_from(ipoib_path(index_, field), file.place(line)); });
      }
  }

  std::vector<std::size_t> instances(std::string_view section) const {
    std::vector<std::size_t> found;
    for (const auto& line : file_.entries())
      if (file_.section(line) == section && (found.empty() || found.back() != line.instance))
        found.push_back(line.instance);
    return found;
  }

  const ini::Entry* in_instance(std::size_t instance, std::string_view key) const {
    for (const auto& line : file_.entries())
      if (line.instance == instance && line.key == key) return &line;
    return nullptr;
  }

  void take_route(std::size_t instance, IpoibRecord& made) {
    const ini::Entry* gateway = in_instance(instance, "Gateway");
    const ini::Entry* destination = in_instance(instance, "Destination");
    const ini::Entry* metric = in_instance(instance, "Metric");
    const auto via = gateway != nullptr ? value_from<IpAddress>(gateway->value) : std::nullopt;
    auto to = destination != nullptr ? value_from<IpNetwork>(destination->value) : std::nullopt;
    if (!to && !via) return;
    if (!to) to.emplace().address.family = via->family;
    in_block(made, to->address.family, [&](auto& block) {
      const auto priority = metric != nullptr ? value_from<std::uint32_t>(metric->value) : std::nullopt;
      const std::string field = field_of(to->address.family, add_route(block, *to, via, priority));
      to_.came_from(ipoib_path(index_, field), file_.place(destination != nullptr ? *destination : *gateway));
    });
  }

  const Ini& file_;
  Adopted& to_;
  std::size_t index_;
};

}  // namespace

std::vector<Values> child_values(const Profile& profile) {
  std::vector<Values> children;
  for (const auto& child : profile.children) children.emplace_back().set("child", child);
  return children;
}

std::string network_text(const Template& text, const Profile& profile) {
  Values values;
  values.set("name", profile.name);
  values.set("parent", text_or_no(text_or_none(profile.made.parent)));
  values.set("sections", sections_of(profile));
  return text.render(values);
}

std::string netdev_text(const Template& text, const Profile& profile) {
  Values values;
  values.set("name", profile.name);
  values.set("lines", lines_of(netdev_keys, "IPoIB", profile).take());
  return text.render(values);
}

void adopt_network_file(const Adoption& from, const Ini& network, const std::string& name, const Ini* netdev,
                        const std::string& parent, Adopted& to) {
  NetworkFile(network, to).add(from, name, netdev, parent);
}

}  // namespace rdmastate
