// SPDX-License-Identifier: Apache-2.0
// Reads the addresses and routes of one address family from a NetworkManager keyfile (nm-settings-keyfile(5)), whoever
// wrote it. Used for the loss of a step on a profile, and by back end NetworkManager to read foreign profiles.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ini.hpp"
#include "base/types.hpp"

namespace rdmastate {

/// A route of a keyfile's [ipv4] or [ipv6] section.
struct KeyfileRoute {
  IpNetwork to;
  std::optional<IpAddress> via;         ///< the gateway; nullopt: the destination is on the link
  std::optional<std::uint32_t> metric;  ///< nullopt: NetworkManager chooses it
  bool operator==(const KeyfileRoute&) const = default;
};

/// A keyfile's [ipv4] or [ipv6] section, as far as a spec has words for it.
struct KeyfileFamily {
  std::string method;  ///< as the file says it: "manual", "auto", "disabled"; empty: it says none
  std::vector<IpInterface> addresses;
  std::optional<IpAddress> gateway;
  std::vector<KeyfileRoute> routes;
  bool operator==(const KeyfileFamily&) const = default;
};

/// Whether `key` is `head` and a number, as keyfiles write lists: "address7" of "address", and not "address-data".
bool is_numbered(std::string_view key, std::string_view head);
/// Reads "192.0.2.1/24", or "192.0.2.1/24,192.0.2.254" with a gateway: adds the address to `addresses`, and sets
/// `gateway` where it is nullopt. What cannot be read is left out.
void read_keyfile_address(std::string_view value, std::vector<IpInterface>& addresses,
                          std::optional<IpAddress>& gateway);
/// Reads "203.0.113.0/24,198.51.100.254,50" (destination, gateway, metric); the gateway 0.0.0.0 or :: means none.
/// nullopt: the text is no route.
std::optional<KeyfileRoute> read_keyfile_route(std::string_view value, Family family);

/// Reads the [ipv4] or [ipv6] section; an address or route that cannot be read is left out.
KeyfileFamily read_keyfile_family(const ini::File& file, Family family);

}  // namespace rdmastate
