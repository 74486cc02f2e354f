// SPDX-License-Identifier: Apache-2.0
// The first half prints, by the tables of keys.hpp; the second half reads: class NetworkFile makes one record of an
// interface's files. `four` and `six` are IPv4 and IPv6.
#include "sections/ipoib/backends/networkd/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "resources/networkd_file/networkd_file.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/networkd/keys.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

KeyLines lines_of(std::span<const NetworkdKey> keys, std::string_view section, const NetworkdSaid& said) {
  KeyLines lines;
  for (const auto& row : keys)
    if (row.section == section)
      for (auto& text : row.print(said)) lines.add(std::string(row.key), std::move(text));
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
  lines.add("Gateway", text_or_empty(route.via));
  lines.add("Metric", text_or_empty(route.metric));
  return lines.take_as("Route");
}

std::vector<Values> section_values(const NetworkdSaid& said) {
  const Ipv4Block& four = *said.record.ipv4;
  const Ipv6Block& six = *said.record.ipv6;
  std::vector<Values> sections;
  KeyLines link = lines_of(network_keys(), "Link", said);
  if (!link.empty()) sections.push_back(link.take_as("Link"));
  sections.push_back(lines_of(network_keys(), "Network", said).take_as("Network"));
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
      take(netdev_keys(), *netdev, made);
      if (made.pkey && child_name(parent, *made.pkey) == name) made.name.reset();
    } else {
      made.match = match_for(from, name);
    }
    if (file_.value("Network", "Bond").empty()) begin_blocks(made);
    take(network_keys(), file_, made);
    for (const std::size_t instance : instances("Route")) take_route(instance, made);
  }

 private:
  void note(const std::string& field, const Ini& file, std::string_view section, std::string_view key) {
    if (const ini::Entry* line = file.find(section, key)) to_.came_from(ipoib_path(index_, field), file.place(*line));
  }
  // The key's value, which becomes the field's source.
  std::string noted_value(const std::string& field, const Ini& file, std::string_view section, std::string_view key) {
    note(field, file, section, key);
    return file.value(section, key);
  }

  bool has_address(Family family) const {
    return std::any_of(file_.entries().begin(), file_.entries().end(), [&](const ini::Entry& line) {
      const auto address = value_from<IpInterface>(line.value);
      return line.counts && line.key == "Address" && address && address->address.family == family;
    });
  }

  // Makes the blocks `ipv4` and `ipv6` with their methods, which follow from several keys.
  void begin_blocks(IpoibRecord& made) {
    const std::string dhcp = noted_value("ipv4.method", file_, "Network", "DHCP");
    if (has_address(Family::v4)) made.ipv4.emplace().method = Ipv4Method::manual;
    if (networkd_dhcp(dhcp).four) made.ipv4.emplace().method = Ipv4Method::automatic;
    const std::string local = noted_value("ipv6.method", file_, "Network", "LinkLocalAddressing");
    if (has_address(Family::v6)) {
      made.ipv6.emplace().method = Ipv6Method::manual;
    } else if (is_yes(file_.value("Network", "IPv6AcceptRA"))) {
      made.ipv6.emplace().method = Ipv6Method::automatic;
    } else if (!networkd_link_local_six(local)) {
      made.ipv6.emplace().method = Ipv6Method::disabled;
    }
  }

  void take(std::span<const NetworkdKey> keys, const Ini& file, IpoibRecord& made) {
    for (const auto& line : file.entries())
      for (const auto& row : keys) {
        const bool is_it = line.key == row.key && file.section(line) == row.section;
        if (!is_it || row.take == nullptr || !line.counts || line.value.empty()) continue;
        const auto came = [&](const std::string& field) { to_.came_from(ipoib_path(index_, field), file.place(line)); };
        row.take(line.value, made, came);
        if (!row.field.empty()) came(std::string(row.field));
      }
  }

  // The sections of that name; each is an index into ini::File::sections().
  std::vector<std::size_t> instances(std::string_view section) const {
    std::vector<std::size_t> found;
    for (const auto& line : file_.entries())
      if (file_.section(line) == section && (found.empty() || found.back() != line.instance))
        found.push_back(line.instance);
    return found;
  }

  // The key's last line in the section: that one counts.
  const ini::Entry* in_instance(std::size_t instance, std::string_view key) const {
    const ini::Entry* found = nullptr;
    for (const auto& line : file_.entries())
      if (line.instance == instance && line.key == key) found = &line;
    return found;
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
  values.set("parent", text_or_false(text_or_empty(profile.made.parent)));
  values.set("kind", false);
  values.set("sections", section_values({profile.made, profile.children, profile.bond, profile.is_primary}));
  return text.render(values);
}

std::string bond_network_text(const Template& text, const BondRecord& bond) {
  const IpoibRecord made = made_of(bond);
  Values values;
  values.set("name", bond.name.value);
  values.set("parent", false);
  values.set("kind", std::string(networkd_bond));
  values.set("sections", section_values({made, /*children=*/{}}));
  return text.render(values);
}

// ARP monitoring takes the place of MII monitoring.
std::string bond_netdev_text(const Template& text, const BondRecord& bond, std::uint32_t mtu) {
  const auto milliseconds = [](std::uint32_t value) { return std::to_string(value) + "ms"; };
  KeyLines lines;
  lines.add("Mode", to_text(BondMode::active_backup));
  lines.add("FailOverMACPolicy", "active");
  if (bond.arp_interval)
    lines.add("ARPIntervalSec", milliseconds(*bond.arp_interval));
  else
    lines.add("MIIMonitorSec", milliseconds(bond.miimon.value_or(usual_miimon)));
  if (bond.arp_targets) lines.add("ARPIPTargets", fmt::format("{}", fmt::join(texts_of(*bond.arp_targets), " ")));
  Values values;
  values.set("name", bond.name.value);
  values.set("mtu", std::to_string(mtu));
  values.set("lines", lines.take());
  return text.render(values);
}

std::string netdev_text(const Template& text, const Profile& profile) {
  Values values;
  values.set("name", profile.name);
  values.set("lines", lines_of(netdev_keys(), "IPoIB", {profile.made, profile.children}).take());
  return text.render(values);
}

void adopt_network_file(const Adoption& from, const Ini& network, const std::string& name, const Ini* netdev,
                        const std::string& parent, Adopted& to) {
  NetworkFile(network, to).add(from, name, netdev, parent);
}

}  // namespace rdmastate
