// SPDX-License-Identifier: Apache-2.0
// Reads a file of interfaces(5): the interfaces that it configures, and the addresses and routes that it gives them.
// Kind ifupdown_file tells by them what ifup brings back after ifdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace rdmastate {

/// All that a file's stanzas of one interface say.
struct InterfaceStanzas {
  std::string name;
  std::vector<IpInterface> addresses;  ///< of `address` lines; one without a prefix length has /32 or /128
  std::vector<IpNetwork> routes;       ///< of `up` lines as rdmastate writes them: "ip route replace NETWORK ..."
  bool has_gateway = false;            ///< there is a `gateway` line: it makes the default route

  /// Whether they name the address, of whatever prefix length.
  bool names(const IpAddress& address) const;
  /// Whether they make a route to this network.
  bool leads_to(const IpNetwork& network) const;
};

/// The interfaces of a file, each once, in its order. Lines that are none of interfaces(5) are passed over.
std::vector<InterfaceStanzas> read_interfaces_text(std::string_view text);

}  // namespace rdmastate
