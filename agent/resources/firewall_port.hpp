// SPDX-License-Identifier: Apache-2.0
// Kind `firewall_port`: a port that a zone of the running firewalld lets in, by an entry of its own. Key: "internal
// 20049/tcp". firewalld forgets it at a reload and at its end; twin: the zone_port of the same key, which it reads
// then.
#pragma once

#include "host/firewall.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

struct FirewallPortState {
  std::string port;  ///< "20049/tcp", as in the key
  bool operator==(const FirewallPortState&) const = default;
};

template <>
struct Fields<FirewallPortState> {
  static constexpr std::string_view name = "firewall_port";
  static constexpr std::string_view doc = "A port that the running firewalld lets in.";
  static constexpr auto table = Table{
      Field{"port", &FirewallPortState::port, "The port and its protocol.", {.required = true}},
  };
};

extern const Kind firewall_port_kind;

/// The key of a port in a zone, also that of its zone_port.
std::string firewall_key(std::string_view zone, const FirewallPorts& port);
/// The parts of such a key. The zone is whatever stands before the last blank, and the port is 0 where the key has
/// none.
std::string zone_in_key(const std::string& key);
FirewallPorts port_in_key(const std::string& key);

/// The state of a port that its zone lets in, wanted or observed.
State firewall_port(const FirewallPorts& port);

/// Whether a range of the zone holds the port too. firewalld cuts a port that it closes out of such a range.
bool lies_in_range(const FirewallZone& zone, const FirewallPorts& port);
/// A sentence: firewalld has no such zone; `zones` are the names of those that it has.
std::string no_such_zone(const std::string& zone, const std::vector<std::string>& zones);
/// Puts all zones of one of firewalld's stores into a record; nothing where firewalld does not run.
void keep_firewall(const Snapshot& snapshot, FirewallStore store, HostModel& model);

}  // namespace rdmastate
