// SPDX-License-Identifier: Apache-2.0
// netplan calls what it says of one interface a definition. Printing: definition_of() makes one of a record. Reading:
// class Definition makes a record of one. `four` and `six` are IPv4 and IPv6.
#include "sections/ipoib/backends/netplan/netplan_file.hpp"

#include "platform/layout.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/check.hpp"
#include "yaml/load.hpp"
#include "yaml/writer.hpp"

namespace rdmastate {
namespace {

template <class List>
void add_texts(Json& to, const List& list) {
  for (const auto& one : list) to.push_back(to_text(one));
}

// "0.0.0.0/0" is read by every netplan, "default" since 0.102.
Json route_json(const ProfileRoute& route) {
  Json made{{"to", to_text(route.to)}};
  if (route.via) made["via"] = to_text(*route.via);
  if (!route.via) made["scope"] = "link";
  if (route.metric) made["metric"] = *route.metric;
  return made;
}

// The lists of a definition: each has the entries of both families.
struct Lists {
  Json addresses = Json::array();
  Json routes = Json::array();
  Json servers = Json::array();
  Json search = Json::array();

  template <class Block>
  void add(const Block& block, Family family) {
    add_texts(addresses, block.addresses);
    add_texts(servers, block.dns);
    add_texts(search, block.search);
    for (const auto& route : all_routes_of(block, family)) routes.push_back(route_json(route));
  }
  void put_into(Json& made) const {
    if (!addresses.empty()) made["addresses"] = addresses;
    if (!routes.empty()) made["routes"] = routes;
    if (!servers.empty()) made["nameservers"]["addresses"] = servers;
    if (!search.empty()) made["nameservers"]["search"] = search;
  }
};

// The port of a bond has no addresses.
Json definition_of(const Profile& profile, bool by_networkd) {
  const IpoibRecord& record = profile.made;
  const Ipv4Method four = record.ipv4->method;
  const Ipv6Method six = record.ipv6->method;
  Json made = Json::object();
  if (!by_networkd && record.mode) made["infiniband-mode"] = to_text(*record.mode);
  if (record.mtu) made["mtu"] = *record.mtu;
  made["dhcp4"] = four == Ipv4Method::automatic;
  if (by_networkd) {
    const bool has_none = six == Ipv6Method::disabled || !profile.bond.empty();
    made["link-local"] = has_none ? Json::array() : Json::array({"ipv6"});
    made["accept-ra"] = six == Ipv6Method::automatic;
  } else {
    made["networkmanager"]["passthrough"] = {{"ipv4.method", to_text(four)}, {"ipv6.method", to_text(six)}};
  }
  Lists lists;
  lists.add(*record.ipv4, Family::v4);
  lists.add(*record.ipv6, Family::v6);
  lists.put_into(made);
  return made;
}

const yaml::Node no_node;

// The value of a key; an empty node where there is none.
const yaml::Node& under(const yaml::Node& node, std::string_view key) {
  const yaml::Node* found = node.value(key);
  return found == nullptr ? no_node : *found;
}

std::string text_of(const yaml::Node& node) {
  return node.type() == yaml::NodeType::scalar ? std::string(node.as_scalar().text) : std::string();
}

// One definition becomes one record.
class Definition {
 public:
  Definition(const yaml::Node& node, Adopted& to) : node_(node), to_(to), index_(to.spec.ipoib.size()) {}

  void add(const Adoption& from, const std::string& name) {
    IpoibRecord& made = to_.spec.ipoib.emplace_back();
    made.name = IfName{name};
    made.match = match_for(from, name);
    to_.came_from(ipoib_path(index_), std::string(common_layout().netplan_file));
    made.mode = value_from<IpoibMode>(text_of(under(node_, "infiniband-mode")));
    made.mtu = value_from<std::uint32_t>(text_of(under(node_, "mtu")));
    begin_blocks(made);
    take_addresses(made);
    for (const auto& route : under(node_, "routes").items()) take_route(route, made);
    for (const auto& server : under(under(node_, "nameservers"), "addresses").items())
      if (const auto one = value_from<IpAddress>(text_of(server)))
        in_block(made, one->family, [&](auto& block) { block.dns.push_back(*one); });
    for (const auto& domain : under(under(node_, "nameservers"), "search").items())
      if (const auto one = value_from<DomainName>(text_of(domain)))
        in_block(made, made.ipv4 ? Family::v4 : Family::v6, [&](auto& block) { block.search.push_back(*one); });
  }

 private:
  bool is_true(std::string_view key) const { return text_of(under(node_, key)) == "true"; }

  // What netplan_text() writes for a block that the spec leaves out makes no block here.
  void begin_blocks(IpoibRecord& made) {
    const yaml::Node& passed = under(under(node_, "networkmanager"), "passthrough");
    if (is_true("dhcp4")) made.ipv4.emplace().method = Ipv4Method::automatic;
    if (is_true("accept-ra") || text_of(under(passed, "ipv6.method")) == "auto")
      made.ipv6.emplace().method = Ipv6Method::automatic;
    const yaml::Node* local = node_.value("link-local");
    if ((local != nullptr && local->items().empty()) || text_of(under(passed, "ipv6.method")) == "disabled")
      made.ipv6.emplace().method = Ipv6Method::disabled;
  }

  void take_addresses(IpoibRecord& made) {
    for (const auto& node : under(node_, "addresses").items()) {
      const auto address = value_from<IpInterface>(text_of(node));
      if (!address) continue;
      const bool four = address->address.family == Family::v4;
      if (four && !made.ipv4) made.ipv4.emplace().method = Ipv4Method::manual;
      if (!four && !made.ipv6) made.ipv6.emplace().method = Ipv6Method::manual;
      in_block(made, address->address.family, [&](auto& block) { block.addresses.push_back(*address); });
    }
  }

  static void take_route(const yaml::Node& node, IpoibRecord& made) {
    const auto to = value_from<IpNetwork>(text_of(under(node, "to")));
    if (!to) return;
    const auto via = value_from<IpAddress>(text_of(under(node, "via")));
    const auto metric = value_from<std::uint32_t>(text_of(under(node, "metric")));
    in_block(made, to->address.family, [&](auto& block) { add_route(block, *to, via, metric); });
  }

  // Gives `use` the record's block of that family, where there is one.
  template <class Use>
  static void in_block(IpoibRecord& made, Family family, Use&& use) {
    if (family == Family::v4 && made.ipv4) use(*made.ipv4);
    if (family == Family::v6 && made.ipv6) use(*made.ipv6);
  }

  const yaml::Node& node_;
  Adopted& to_;
  std::size_t index_;
};

}  // namespace

std::string netplan_text(std::span<const Profile> profiles, bool by_networkd) {
  Json file;
  file["network"]["version"] = 2;
  for (const auto& profile : profiles)
    if (!profile.is_child()) file["network"]["ethernets"][profile.name] = definition_of(profile, by_networkd);
  return "# Managed by rdmastate: edit the host's spec, not this file.\n" + yaml::to_yaml(file);
}

void adopt_netplan_ports(const Adoption& from, Adopted& to) {
  const std::string path(common_layout().netplan_file);
  Report ignored;
  const auto document = yaml::load(path, from.snapshot.read(path).value_or(""), ignored);
  if (!document) return;
  for (const auto& entry : under(under(document->root, "network"), "ethernets").entries())
    Definition(entry.value, to).add(from, text_of(entry.key));
}

}  // namespace rdmastate
