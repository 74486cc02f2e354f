// SPDX-License-Identifier: Apache-2.0
// Reads files of interfaces(5): which interfaces their stanzas configure, and what these name of addresses and routes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace rdmastate {

/// All that a file's stanzas of one interface say.
struct InterfaceStanzas {
  std::string name;
  std::vector<IpInterface> addresses;  ///< of static stanzas; without a prefix length it is the address's own length
  std::vector<IpNetwork> routes;       ///< that rdmastate's own stanzas make, without gateways
  bool has_gateway = false;

  /// Whether they name the address, of whatever prefix length.
  bool names(const IpAddress& address) const;
  /// Whether they make a route to there.
  bool leads_to(const IpNetwork& network) const;
};

/// The interfaces of a file, in its order.
std::vector<InterfaceStanzas> read_interfaces_text(std::string_view text);

}  // namespace rdmastate
