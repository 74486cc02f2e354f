// SPDX-License-Identifier: Apache-2.0
// What the back ends share in making records of section `ipoib` from a host's interfaces.
#pragma once

#include <functional>

#include "sections/adopt.hpp"

namespace rdmastate {

/// A port's interface that our udev rules name.
struct NamedPort {
  std::string name;
  Guid guid;
};
/// All of them, in the order of the rules, which is the spec's; empty where rdmastate has no such rules on the host.
std::vector<NamedPort> ports_named_by_rules(const Snapshot& snapshot);

/// The `match` of a record for the port's interface of this name: the port's GUID where our rules or .link file give
/// the name, or where the host runs, has that interface but no rules of rdmastate, and the name is not one of the
/// kernel's (ib0). Else nullopt: the record has the name alone.
std::optional<PortMatch> match_for(const Adoption& from, const std::string& name);

/// Adds the route to a block: as `gateway` where that means the same. Returns the field that has it now.
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

/// Adds records for the interfaces of boot.json, unless the applied spec holds this section, and for the others that
/// are up. For back end none, and for netplan and ifupdown where they have no file of rdmastate.
void adopt_links(const Adoption& from, Adopted& to);

}  // namespace rdmastate
