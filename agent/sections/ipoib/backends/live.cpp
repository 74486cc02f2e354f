// SPDX-License-Identifier: Apache-2.0
// The live state of a record's interface as resources: its link, addresses and routes, whichever program moves them.
#include <fmt/format.h>

#include "resources/address.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/route.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {
namespace {

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

// An owner such as NetworkManager takes router advertisements itself and turns the kernel's part off, so the kernel's
// setting is left open then: nullopt.
std::optional<Ipv6Conf> awaited_conf(Ipv6Method method) {
  if (method == Ipv6Method::automatic) return std::nullopt;
  return conf_of(method);
}

IpoibLink link_state(const Profile& profile, bool is_awaited) {
  const IpoibRecord& record = profile.asked;
  IpoibLink link;
  link.id = profile.id;
  link.name = IfName{profile.name};
  link.settings() = record.settings();
  link.mtu = record.mtu;
  if (record.ipv6) link.ipv6 = is_awaited ? awaited_conf(record.ipv6->method) : conf_of(record.ipv6->method);
  link.up = true;
  return link;
}

// Adds wanted resources of one profile: they share its path, and who makes them (LiveBy).
struct WantedMaker {
  const Profile& profile;
  const LiveBy& by;
  const Expansion& to;

  // What shall be there gets `by.twin` (a route `by.of_routes`) as its last twin, which the plan takes for the file
  // that the owner reads. Before it a link has twins for the settings that the owner has no key for, for its new name,
  // and those of `by.of_link`.
  void add(const Kind& kind, std::string key, std::optional<State> state, std::string_view field) {
    Wanted& one = to.desired.add({&kind, std::move(key), std::move(state), profile.path(field), by.owner});
    one.waits = by.waits;
    if (!one.state) return;
    const bool is_link = &kind == &ipoib_link_kind;
    if (is_link && !profile.is_child()) {
      one.unset_by_owner = by.unset_by_owner;
      one.twins = settings_twins(profile, by.unset_by_owner, to.facts);
    }
    if (is_link && profile.is_renamed()) one.twins.push_back(name_twin(profile, to.facts));
    if (is_link) one.twins.insert(one.twins.end(), by.of_link.begin(), by.of_link.end());
    one.twins.push_back(&kind == &route_kind && by.of_routes ? *by.of_routes : by.twin);
  }
  void add_route(const ProfileRoute& one, const std::string& field) {
    // An owner such as NetworkManager chooses a metric that the spec leaves out.
    const std::uint32_t unnamed = by.owner.empty() ? default_metric(one.to.address.family) : any_metric;
    RouteState route{profile.id, one.to, one.metric.value_or(unnamed), one.via};
    std::string key = route_key(route);
    add(route_kind, std::move(key), State(route_kind, std::move(route)), field);
  }
  template <class Block>
  void add_block(const Block& block, Family family, const std::string& field) {
    const LinkId& id = profile.id;
    for (std::size_t n = 0; n < block.addresses.size(); ++n)
      add(address_kind, address_key(id, block.addresses[n]), State(address_kind, AddressState{id, block.addresses[n]}),
          fmt::format("{}.addresses[{}]", field, n));
    for (const auto& route : all_routes_of(block, family)) add_route(route, field + "." + route.field);
  }
};

}  // namespace

void add_live(const Profile& profile, const LiveBy& by, const Expansion& to) {
  WantedMaker maker{profile, by, to};
  const IpoibRecord& record = profile.asked;
  if (record.is_absent()) return maker.add(ipoib_link_kind, to_text(profile.id), std::nullopt, "");
  maker.add(ipoib_link_kind, to_text(profile.id), State(ipoib_link_kind, link_state(profile, !by.owner.empty())), "");
  if (record.ipv4) maker.add_block(*record.ipv4, Family::v4, "ipv4");
  if (record.ipv6) maker.add_block(*record.ipv6, Family::v6, "ipv6");
}

}  // namespace rdmastate
