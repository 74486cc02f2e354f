// SPDX-License-Identifier: Apache-2.0
// networkd's files of IPoIB interfaces as records: systemd.network(5), systemd.netdev(5), whoever wrote them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/lines.hpp"
#include "sections/ipoib_adopt.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/ini.hpp"

namespace rdmastate {
namespace {

bool is_yes(std::string_view text) { return text == "yes" || text == "true" || text == "on" || text == "1"; }

using IniFiles = std::vector<Ini>;

const Ini* netdev_of(const IniFiles& files, const std::string& name) {
  for (const auto& file : files)
    if (file.value("NetDev", "Name") == name && file.value("NetDev", "Kind") == "ipoib") return &file;
  return nullptr;
}

// In the order in which the parents' files name them, since expand writes them so.
std::vector<std::string> children_of(const Ini& file) { return file.values("Network", "IPoIB"); }

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
      made.pkey = value_from<PKey>(taken("pkey", *netdev, "IPoIB", "PartitionKey"));
      made.mode = value_from<IpoibMode>(taken("mode", *netdev, "IPoIB", "Mode"));
      if (const std::string umcast = taken("umcast", *netdev, "IPoIB", "IgnoreUserspaceMulticastGroups");
          !umcast.empty())
        made.umcast = is_yes(umcast);
      if (made.pkey && child_name(parent, *made.pkey) == name) made.name.reset();
    } else {
      made.match = match_for(from, name);
    }
    made.mtu = value_from<std::uint32_t>(taken("mtu", file_, "Link", "MTUBytes"));
    begin_blocks(made);
    for (const auto& line : file_.entries()) take(line, made);
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

  // Gives `use` the block of that family, when there is one.
  template <class Use>
  static void in_block(IpoibRecord& made, Family family, Use&& use) {
    if (family == Family::v4 && made.ipv4) use(*made.ipv4);
    if (family == Family::v6 && made.ipv6) use(*made.ipv6);
  }

  void take(const ini::Entry& line, IpoibRecord& made) {
    if (!line.counts || line.value.empty()) return;
    if (line.key == "Address" && (file_.section(line) == "Address" || file_.section(line) == "Network")) {
      const auto address = value_from<IpInterface>(line.value);
      if (!address) return;
      in_block(made, address->address.family, [&](auto& block) {
        block.addresses.push_back(*address);
        came("addresses", address->address.family, line);
      });
    } else if (file_.section(line) == "Network" && line.key == "DNS") {
      for (const auto& part : split(line.value, " ")) take_dns(part, line, made);
    } else if (file_.section(line) == "Network" && line.key == "Domains") {
      take_domains(line, made);
    } else if (file_.section(line) == "Network" && line.key == "Gateway") {
      if (const auto via = value_from<IpAddress>(line.value))
        in_block(made, via->family, [&](auto& block) { block.gateway = via; });
    }
  }

  void came(const std::string& field, Family family, const ini::Entry& line) {
    to_.came_from(ipoib_path(index_, (family == Family::v4 ? "ipv4." : "ipv6.") + field), file_.place(line));
  }

  void take_dns(const std::string& text, const ini::Entry& line, IpoibRecord& made) {
    const auto server = value_from<IpAddress>(text);
    if (!server) return;
    in_block(made, server->family, [&](auto& block) {
      block.dns.push_back(*server);
      came("dns", server->family, line);
    });
  }

  // networkd has one list for both families.
  void take_domains(const ini::Entry& line, IpoibRecord& made) {
    const Family family = made.ipv4 ? Family::v4 : Family::v6;
    for (const auto& part : split(line.value, " "))
      if (const auto domain = value_from<DomainName>(part))
        in_block(made, family, [&](auto& block) { block.search.push_back(*domain); });
    came("search", family, line);
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
      came(add_route(block, *to, via, priority), to->address.family, destination != nullptr ? *destination : *gateway);
    });
  }

  const Ini& file_;
  Adopted& to_;
  std::size_t index_;
};

// Ports in the order of our rules, then children as their parents have them.
std::vector<std::pair<std::string, std::string>> names_and_parents(const Adoption& from, const IniFiles& files) {
  std::vector<std::pair<std::string, std::string>> ports, children;
  std::set<std::string> made;
  for (const auto& port : ports_named_by_rules(from.snapshot)) ports.emplace_back(port.name, "");
  for (const auto& file : files)
    for (const auto& child : children_of(file))
      if (made.insert(child).second) children.emplace_back(child, file.value("Match", "Name"));
  for (const auto& [child, parent] : children) ports.emplace_back(parent, "");
  for (const auto& file : files) {
    const Link* link = from.snapshot.is_tree() ? nullptr : from.snapshot.link(file.value("Match", "Name"));
    if (link != nullptr && link->is_ipoib() && !made.contains(link->name)) ports.emplace_back(link->name, "");
  }
  ports.insert(ports.end(), children.begin(), children.end());
  return ports;
}

const Ini* network_file_of(const IniFiles& files, const std::string& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const Ini& file) { return file.value("Match", "Name") == name; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

void adopt_networkd_child(const Adoption& from, Adopted& to, const std::string& name, const std::string& parent,
                          const std::string& stem) {
  const Ini network(stem + ".network", ini::systemd, from.snapshot.read(stem + ".network").value_or(""));
  const Ini netdev(stem + ".netdev", ini::systemd, from.snapshot.read(stem + ".netdev").value_or(""));
  if (!network.entries().empty() && !netdev.entries().empty())
    NetworkFile(network, to).add(from, name, &netdev, parent);
}

void adopt_networkd_files(const Adoption& from, Adopted& to) {
  IniFiles files;
  std::set<std::string> paths;
  for (const auto& claim : from.facts.claims)
    if (claim.manager == "networkd" && paths.insert(claim.path).second)
      files.emplace_back(claim.path, ini::systemd, from.snapshot.read(claim.path).value_or(""));
  std::set<std::string> said;
  for (const auto& [name, parent] : names_and_parents(from, files)) {
    const Ini* file = network_file_of(files, name);
    const Ini* netdev = parent.empty() ? nullptr : netdev_of(files, name);
    if (file == nullptr || (!parent.empty() && netdev == nullptr) || !said.insert(name).second) continue;
    NetworkFile(*file, to).add(from, name, netdev, parent);
  }
}

}  // namespace rdmastate
