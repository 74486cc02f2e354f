// SPDX-License-Identifier: Apache-2.0
// A record's interface as it shall be live: its link, addresses and routes, whoever moves them.
#include <fmt/format.h>

#include <unordered_map>

#include "resources/address.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/route.hpp"
#include "sections/ipoib_check.hpp"
#include "sections/network/backend.hpp"

namespace rdmastate {
namespace {

LinkId port_link_id(const IpoibRecord& record) {
  LinkId id;
  if (record.match && record.match->port_guid) {
    id.guid = *record.match->port_guid;
  } else if (record.match) {
    id.device = record.match->device.value_or("");
    id.port = record.match->port.value_or(0);
  } else {
    id.name = record.interface_name();
  }
  return id;
}

Ipv6Conf conf_of(Ipv6Method method) {
  switch (method) {
    case Ipv6Method::disabled:
      return Ipv6Conf::disabled;
    case Ipv6Method::automatic:
      return Ipv6Conf::automatic;
    case Ipv6Method::manual:
    case Ipv6Method::link_local:
      return Ipv6Conf::link_local;
  }
  return Ipv6Conf::link_local;
}

// Who else takes router advertisements does that itself and turns the kernel's part off.
std::optional<Ipv6Conf> awaited_conf(Ipv6Method method) {
  if (method == Ipv6Method::automatic) return std::nullopt;
  return conf_of(method);
}

IpoibLink link_state(const IpoibRecord& record, const LinkId& id, bool is_awaited) {
  IpoibLink link;
  link.id = id;
  link.name = IfName{record.interface_name()};
  link.mode = record.mode;
  link.mtu = record.mtu;
  link.umcast = record.umcast;
  if (record.ipv6) link.ipv6 = is_awaited ? awaited_conf(record.ipv6->method) : conf_of(record.ipv6->method);
  link.up = true;
  return link;
}

// Builds Wanteds that share one record's path and mover.
struct Maker {
  std::size_t index;
  LinkId id;
  std::string awaited_from;
  std::vector<Wanted> made;

  void add(const Kind& kind, std::string key, State state, const std::string& field) {
    made.push_back({&kind, std::move(key), std::move(state), ipoib_path(index, field), awaited_from, {}});
  }
  void add_route(const IpNetwork& to, const std::optional<IpAddress>& via, std::optional<std::uint32_t> metric,
                 const std::string& field) {
    const std::uint32_t unnamed = awaited_from.empty() ? default_metric(to.address.family) : any_metric;
    RouteState route{id, to, metric.value_or(unnamed), via};
    std::string key = route_key(route);
    add(route_kind, std::move(key), State(route_kind, std::move(route)), field);
  }
  template <class Block>
  void add_block(const Block& block, Family family, const std::string& field) {
    IpNetwork anywhere;
    anywhere.address.family = family;
    for (std::size_t n = 0; n < block.addresses.size(); ++n)
      add(address_kind, address_key(id, block.addresses[n]), State(address_kind, AddressState{id, block.addresses[n]}),
          fmt::format("{}.addresses[{}]", field, n));
    if (block.gateway) add_route(anywhere, block.gateway, std::nullopt, field + ".gateway");
    for (std::size_t n = 0; n < block.routes.size(); ++n)
      add_route(block.routes[n].to.network.value_or(anywhere), block.routes[n].via, block.routes[n].metric,
                fmt::format("{}.routes[{}]", field, n));
  }
};

}  // namespace

std::vector<LinkId> link_ids(const Spec& spec) {
  std::unordered_map<std::string, LinkId> ports;
  for (const auto& record : spec.ipoib)
    if (!record.is_child() && record.name) ports.try_emplace(record.name->value, port_link_id(record));
  std::vector<LinkId> ids;
  ids.reserve(spec.ipoib.size());
  for (const auto& record : spec.ipoib) {
    if (!record.is_child()) {
      ids.push_back(port_link_id(record));
      continue;
    }
    const auto parent = ports.find(record.parent->value);
    ids.push_back(parent == ports.end() ? LinkId{} : parent->second);
    ids.back().pkey = record.pkey;
  }
  return ids;
}

bool is_renamed(const IpoibRecord& record) { return !record.is_child() && record.match.has_value(); }

std::vector<Wanted> live_resources(const Spec& spec, std::size_t index, const LinkId& id,
                                   const std::string& awaited_from) {
  const IpoibRecord& record = spec.ipoib[index];
  Maker maker{index, id, awaited_from, {}};
  const std::string key = to_text(maker.id);
  if (record.is_absent()) {
    maker.made.push_back({&ipoib_link_kind, key, std::nullopt, ipoib_path(index), awaited_from, {}});
    return std::move(maker.made);
  }
  maker.add(ipoib_link_kind, key, State(ipoib_link_kind, link_state(record, maker.id, !awaited_from.empty())), "");
  if (record.ipv4) maker.add_block(*record.ipv4, Family::v4, "ipv4");
  if (record.ipv6) maker.add_block(*record.ipv6, Family::v6, "ipv6");
  return std::move(maker.made);
}

}  // namespace rdmastate
