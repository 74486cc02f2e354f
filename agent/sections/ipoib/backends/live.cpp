// SPDX-License-Identifier: Apache-2.0
// The live state of a record's interface as resources: its link, addresses and routes, whichever program moves them.
#include <fmt/format.h>

#include "resources/address.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/route.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {
namespace {

// Of a route's or an address's family.
constexpr Family family_of(const Ipv4Block&) { return Family::v4; }
constexpr Family family_of(const Ipv6Block&) { return Family::v6; }
constexpr std::string_view field_of(Family family) { return family == Family::v4 ? "ipv4" : "ipv6"; }

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

// Adds the wanted link of one profile.
struct LinkMaker {
  const Profile& profile;
  const LiveBy& by;
  const Expansion& to;

  // What shall be there gets `by.twin` as its last twin, which the plan takes for the file that the owner reads. Before
  // it a link has twins for the settings that the owner has no key for, for its new name, and those of `by.of_link`.
  void add_link(std::optional<State> state) {
    Wanted& one = to.desired.add({&ipoib_link_kind, to_text(profile.id), std::move(state), profile.path(), by.owner});
    one.waits = by.waits;
    if (!one.state) return;
    if (!profile.is_child()) {
      one.unset_by_owner = by.unset_by_owner;
      one.twins = settings_twins(profile, by.unset_by_owner, to.facts);
    }
    if (profile.is_renamed()) one.twins.push_back(name_twin(profile, to.facts));
    one.twins.insert(one.twins.end(), by.of_link.begin(), by.of_link.end());
    one.twins.push_back(by.twin);
  }
};

// The addresses and routes of one block: a route has `by.of_routes` for its twin where the owner reads it elsewhere.
template <class Block, class Path>
void add_block(const LinkId& id, const Block& block, const Path& path, const LiveBy& by, Desired& desired) {
  const Family family = family_of(block);
  const auto add = [&](const Kind& kind, std::string key, State state, const std::string& field) {
    Wanted& one = desired.add(
        {&kind, std::move(key), std::move(state), path(fmt::format("{}.{}", field_of(family), field)), by.owner});
    one.waits = by.waits;
    one.twins.push_back(&kind == &route_kind && by.of_routes ? *by.of_routes : by.twin);
  };
  for (std::size_t n = 0; n < block.addresses.size(); ++n)
    add(address_kind, address_key(id, block.addresses[n]), State(address_kind, AddressState{id, block.addresses[n]}),
        fmt::format("addresses[{}]", n));
  for (const auto& one : all_routes_of(block, family)) {
    // An owner such as NetworkManager chooses a metric that the spec leaves out.
    const std::uint32_t unnamed = by.owner.empty() ? default_metric(one.to.address.family) : any_metric;
    RouteState route{id, one.to, one.metric.value_or(unnamed), one.via};
    std::string key = route_key(route);
    add(route_kind, std::move(key), State(route_kind, std::move(route)), one.field);
  }
}

}  // namespace

Ipv6Conf kernel_conf(Ipv6Method method) { return conf_of(method); }

void add_addresses(const LinkId& id, const Ipv4Block& block, const std::function<std::string(std::string_view)>& path,
                   const LiveBy& by, Desired& desired) {
  add_block(id, block, path, by, desired);
}

void add_addresses(const LinkId& id, const Ipv6Block& block, const std::function<std::string(std::string_view)>& path,
                   const LiveBy& by, Desired& desired) {
  add_block(id, block, path, by, desired);
}

void add_live(const Profile& profile, const LiveBy& by, const Expansion& to) {
  LinkMaker maker{profile, by, to};
  const IpoibRecord& record = profile.asked;
  if (record.is_absent()) return maker.add_link(std::nullopt);
  maker.add_link(State(ipoib_link_kind, link_state(profile, !by.owner.empty())));
  const auto path = [&](std::string_view field) { return profile.path(field); };
  if (record.ipv4) add_block(profile.id, *record.ipv4, path, by, to.desired);
  if (record.ipv6) add_block(profile.id, *record.ipv6, path, by, to.desired);
}

}  // namespace rdmastate
