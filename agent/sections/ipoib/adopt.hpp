// SPDX-License-Identifier: Apache-2.0
// The adopt() of section `ipoib`, and what the back ends share in making records from a host's interfaces.
#pragma once

#include <functional>

#include "resources/route.hpp"
#include "sections/adopt.hpp"

namespace rdmastate {

/// The section's adopt().
void adopt_ipoib(const Adoption& from, Adopted& to);

/// A port's interface that our udev rules name.
struct NamedPort {
  std::string name;
  Guid guid;
};
/// All of them, in the order of the rules, which is the spec's; empty where rdmastate has no such rules on the host.
std::vector<NamedPort> ports_named_by_rules(const Snapshot& snapshot);

/// The `match` of a record for the port's interface of this name: the port's GUID where a .link file or udev rule of
/// rdmastate gives the name; on a running host without such rules also that of an interface which somebody renamed (its
/// name is not one of the kernel's, such as ib0). Else nullopt: the record has the name alone.
std::optional<PortMatch> match_for(const Adoption& from, const std::string& name);

/// Adds a route to a block, as `gateway` where that means the same. `via` nullopt: the destination is on the link;
/// `metric` nullopt: the usual one. Returns the field that holds the route now, "gateway" or "routes".
template <class Block>
std::string add_route(Block& block, const IpNetwork& to, const std::optional<IpAddress>& via,
                      std::optional<std::uint32_t> metric) {
  if (to.is_default() && via && !metric && !block.gateway && block.routes.empty()) {
    block.gateway = via;
    return "gateway";
  }
  RouteRecord route;
  if (!to.is_default()) route.to.network = to;
  route.via = via;
  route.metric = metric;
  block.routes.push_back(route);
  return "routes";
}

/// The method that stands for what the kernel does about IPv6.
Ipv6Method method_of(Ipv6Conf conf);

/// Adds the address to a record of `ipoib` or of `bonds`. Returns the field that holds it now.
template <class Record>
std::string give_address(Record& record, const IpInterface& address) {
  const auto give = [&](auto& block, auto manual) {
    if (!block) block.emplace();
    block->method = manual;
    block->addresses.push_back(address);
  };
  if (address.address.family == Family::v4)
    give(record.ipv4, Ipv4Method::manual);
  else
    give(record.ipv6, Ipv6Method::manual);
  return address.address.family == Family::v4 ? "ipv4.addresses" : "ipv6.addresses";
}

/// Adds the route to such a record. Returns the field that holds it now; empty where the record has no block that can
/// hold it, so that a spec cannot express this route.
template <class Record>
std::string give_route(Record& record, const RouteState& route) {
  const Family family = route.to.address.family;
  std::optional<std::uint32_t> metric;
  if (route.metric != default_metric(family)) metric = route.metric;
  if (family == Family::v4 && record.ipv4 && record.ipv4->method == Ipv4Method::manual)
    return "ipv4." + add_route(*record.ipv4, route.to, route.via, metric);
  if (family == Family::v6 && record.ipv6 &&
      (record.ipv6->method == Ipv6Method::manual || record.ipv6->method == Ipv6Method::automatic))
    return "ipv6." + add_route(*record.ipv6, route.to, route.via, metric);
  return {};
}

/// Adds records for the interfaces of boot.json, unless the applied spec holds this section, and for the others that
/// are up. For back end none, and for netplan and ifupdown where they have no file of rdmastate.
void adopt_links(const Adoption& from, Adopted& to);

}  // namespace rdmastate
