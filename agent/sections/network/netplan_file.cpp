// SPDX-License-Identifier: Apache-2.0
#include "sections/network/netplan_file.hpp"

#include "yaml/writer.hpp"

namespace rdmastate {
namespace {

template <class List>
void add_texts(Json& to, const List& list) {
  for (const auto& one : list) to.push_back(to_text(one));
}

// "0.0.0.0/0" is read by every netplan, "default" since 0.102.
Json route(Family family, const std::optional<IpNetwork>& to, const std::optional<IpAddress>& via,
           const std::optional<std::uint32_t>& metric) {
  IpNetwork anywhere;
  anywhere.address.family = family;
  Json made{{"to", to_text(to.value_or(anywhere))}};
  if (via) made["via"] = to_text(*via);
  if (!via) made["scope"] = "link";
  if (metric) made["metric"] = *metric;
  return made;
}

// What both families put into one definition.
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
    if (block.gateway) routes.push_back(route(family, std::nullopt, block.gateway, std::nullopt));
    for (const auto& one : block.routes) routes.push_back(route(family, one.to.network, one.via, one.metric));
  }
  void put_into(Json& made) const {
    if (!addresses.empty()) made["addresses"] = addresses;
    if (!routes.empty()) made["routes"] = routes;
    if (!servers.empty()) made["nameservers"]["addresses"] = servers;
    if (!search.empty()) made["nameservers"]["search"] = search;
  }
};

// In a file that is wholly ours an absent field takes what a created interface gets.
Json definition(const IpoibRecord& record, bool by_networkd) {
  const Ipv4Method four = record.ipv4 ? record.ipv4->method : Ipv4Method::disabled;
  const Ipv6Method six = record.ipv6 ? record.ipv6->method : Ipv6Method::link_local;
  Json made = Json::object();
  if (!by_networkd && record.mode) made["infiniband-mode"] = to_text(*record.mode);
  if (record.mtu) made["mtu"] = *record.mtu;
  made["dhcp4"] = four == Ipv4Method::automatic;
  if (by_networkd) {
    made["link-local"] = six == Ipv6Method::disabled ? Json::array() : Json::array({"ipv6"});
    made["accept-ra"] = six == Ipv6Method::automatic;
  } else {
    made["networkmanager"]["passthrough"] = {{"ipv4.method", to_text(four)}, {"ipv6.method", to_text(six)}};
  }
  Lists lists;
  if (record.ipv4) lists.add(*record.ipv4, Family::v4);
  if (record.ipv6) lists.add(*record.ipv6, Family::v6);
  lists.put_into(made);
  return made;
}

}  // namespace

std::string netplan_file(const Spec& spec, bool by_networkd) {
  Json file;
  file["network"]["version"] = 2;
  for (const auto& record : spec.ipoib)
    if (!record.is_child()) file["network"]["ethernets"][record.interface_name()] = definition(record, by_networkd);
  return "# Managed by rdmastate: edit the host's spec, not this file.\n" + yaml::to_yaml(file);
}

}  // namespace rdmastate
