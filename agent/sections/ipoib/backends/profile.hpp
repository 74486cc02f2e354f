// SPDX-License-Identifier: Apache-2.0
// One interface of a spec with all defaults laid in: made once for each record, and what the back ends print.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "resources/link_id.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

/// One interface of a spec, resolved: what a back end prints. Refers to the Spec, which must outlive it.
struct Profile {
  const IpoibRecord& asked;  ///< what the spec says; what it leaves out, a live interface keeps
  /// What a file that is wholly ours says: `ipv4`, `ipv6` and a child's `mode` always have a value, by `on_create` of
  /// the field table where the spec leaves them out. Other fields that the spec leaves out stay empty: the interface
  /// keeps what it has, or what the kernel gives a new child.
  IpoibRecord made;
  std::size_t index;                    ///< of the record in `ipoib`
  LinkId id;                            ///< by the most stable selector that the spec gives
  std::string name;                     ///< that it has or is to get
  std::vector<std::string> children{};  ///< of a port: names of its children that shall be there, in the spec's order
  std::string bond{};                   ///< the bond that it is a port of; empty: none
  bool is_primary = false;              ///< it is that bond's primary

  bool is_child() const { return asked.is_child(); }
  bool is_absent() const { return asked.is_absent(); }
  /// Whether udev gives it its name, by a rule or a .link file.
  bool is_renamed() const { return !asked.is_child() && asked.match.has_value(); }
  /// "ipoib[1].ipv4"
  std::string path(std::string_view field = {}) const;
};

/// The profile of every record, in the spec's order. Refers to the spec, which must outlive it. Needs no host.
std::vector<Profile> profiles_of(const Spec& spec);

/// A bond's `ipv4` and `ipv6` with all defaults laid in, as Profile::made has an interface's. Nothing else has a value.
IpoibRecord made_of(const BondRecord& bond);

/// A route as a routing table has it.
struct ProfileRoute {
  IpNetwork to;
  std::optional<IpAddress> via;         ///< the gateway; nullopt: the destination is on the link
  std::optional<std::uint32_t> metric;  ///< nullopt: the usual one of the kernel or of the owner
  std::string field;                    ///< where the block says so: "gateway", "routes[0]"
};

/// The destination of a default route: 0.0.0.0/0 or ::/0.
IpNetwork anywhere(Family family);

/// A block's `routes`, without its gateway.
template <class Block>
std::vector<ProfileRoute> routes_of(const Block& block, Family family) {
  std::vector<ProfileRoute> routes;
  for (std::size_t n = 0; n < block.routes.size(); ++n) {
    const RouteRecord& one = block.routes[n];
    routes.push_back(
        {one.to.network.value_or(anywhere(family)), one.via, one.metric, "routes[" + std::to_string(n) + "]"});
  }
  return routes;
}

/// The same, with the default route by the block's gateway, where it has one, in front.
template <class Block>
std::vector<ProfileRoute> all_routes_of(const Block& block, Family family) {
  std::vector<ProfileRoute> routes = routes_of(block, family);
  if (block.gateway) routes.insert(routes.begin(), {anywhere(family), block.gateway, std::nullopt, "gateway"});
  return routes;
}

}  // namespace rdmastate
