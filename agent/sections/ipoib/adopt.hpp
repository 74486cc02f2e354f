// SPDX-License-Identifier: Apache-2.0
// Interfaces of a host as records of section `ipoib`: by back end.
#pragma once

#include <functional>

#include "sections/adopt.hpp"

namespace rdmastate {

/// Which port interfaces our udev rules name, and in which order: expand wrote them in the spec's.
struct NamedPort {
  std::string name;
  Guid guid;
};
/// All of them; empty where rdmastate has no such rules here.
std::vector<NamedPort> ports_named_by_rules(const Snapshot& snapshot);

/// How a port's interface of this name is found: by its GUID where our rules or .link file name it so, or where there
/// are none of rdmastate's and the name is not one that the kernel gives by itself.
std::optional<PortMatch> match_for(const Adoption& from, const std::string& name);

/// Adds the route to a block: as gateway where that means the same. Gives the field that has it now.
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

/// The records of what boot.json makes and of what else is live and somebody gave: of a host whose interfaces nobody
/// configures.
void adopt_links(const Adoption& from, Adopted& to);

}  // namespace rdmastate
