// SPDX-License-Identifier: Apache-2.0
// Kind `zone_port`: a port that a zone of firewalld lets in from its next start or reload on: an entry in a zone's
// file, which belongs to others. Key: "internal 20049/tcp". A firewalld that runs has the file in memory and writes it,
// so it is asked and told over D-Bus; else the file is changed. Durable.
#pragma once

#include "host/firewall.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

/// The port, and in a state observed while firewalld does not run also the entry as it stands in the zone's file.
struct ZonePortState {
  std::string port;  ///< "20049/tcp"
  /// The entry with the blanks before it, so that undo puts back every byte; and how many elements of the zone stand
  /// before it. A wanted state has neither.
  std::optional<std::string> element = {};
  std::optional<std::uint32_t> position = {};
  /// Owner, mode and attributes of a file that rdmastate made as a copy of the package's, and removes once it is such a
  /// copy and nothing more; else nullopt.
  std::optional<FileState> file = {};
  bool operator==(const ZonePortState&) const = default;
};

template <>
struct Fields<ZonePortState> {
  static constexpr std::string_view name = "zone_port";
  static constexpr std::string_view doc = "A port that a zone of firewalld lets in from its next start on.";
  static constexpr auto table = Table{
      Field{"port", &ZonePortState::port, "The port and its protocol.", {.required = true}},
      Field{"element", &ZonePortState::element, "The entry as it stands in the zone's file."},
      Field{"position", &ZonePortState::position, "How many elements of the zone stand before it."},
      Field{"file", &ZonePortState::file,
            "Owner, mode and attributes of the file, where rdmastate made it as a copy of the package's."},
  };
};

extern const Kind zone_port_kind;

/// The zones that firewalld has, or reads at its next start, sorted.
std::vector<std::string> firewall_zone_names(const Snapshot& snapshot);
/// Wanted: the zone lets it in.
State zone_port(const FirewallPorts& port);

}  // namespace rdmastate
