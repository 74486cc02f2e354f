// SPDX-License-Identifier: Apache-2.0
// Finds, adds and removes one port's entry in the text of a firewalld zone; every other byte stays. Pure. The first
// four functions throw Error where the text is no well-formed XML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/firewall.hpp"

namespace rdmastate {

/// An entry as it stands in a zone's text.
struct PortEntry {
  std::string element;         ///< with the blanks before it, from the end of the line above on
  std::uint32_t position = 0;  ///< how many elements of the zone stand before it
};

/// The zone's first entry of exactly this port, not one in a rule of the zone; nullopt: there is none.
std::optional<PortEntry> port_entry_in(std::string_view text, const FirewallPorts& port);
/// The text with an entry of that single port: `entry` at its place where that is still there, else a new one behind
/// the zone's last port, or behind its last element. Not for a zone that is_closed_zone().
std::string with_port(std::string_view text, const FirewallPorts& port, const std::optional<PortEntry>& entry = {});
/// The text without all entries of exactly this port.
std::string without_port(std::string_view text, const FirewallPorts& port);
/// Whether the zone is <zone/>, which has no place for an entry.
bool is_closed_zone(std::string_view text);

/// A copy of the package's zone that says whose copy it is, in a comment.
std::string copy_of_zone(std::string_view package_text);
/// Whether the text began as such a copy: it has that comment.
bool is_copy_of_zone(std::string_view text);
/// Whether the text is copy_of_zone(package_text), unchanged.
bool is_mere_copy(std::string_view text, std::string_view package_text);

}  // namespace rdmastate
