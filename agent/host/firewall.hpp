// SPDX-License-Identifier: Apache-2.0
// What firewalld lets in, zone by zone, and what it can be told (firewalld.dbus(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// firewalld's two configurations: what its rules are now, and what it reads from its files at a start or reload.
enum class FirewallStore : std::uint8_t { runtime, permanent };

/// Ports of one transport protocol: "20049/tcp", "20000-20100/udp".
struct FirewallPorts {
  std::uint16_t first = 0;
  std::uint16_t last = 0;  ///< equal to `first` of a single port
  std::string protocol;    ///< "tcp", "udp", "sctp", "dccp"
  bool operator==(const FirewallPorts&) const = default;
};
/// As firewalld writes them.
std::string to_text(const FirewallPorts& ports);
/// From firewalld's own two words: "20049" or "20000-20100", and the protocol. nullopt: a name of services(5), of which
/// only nfsrdma (20049) is known here, or no port at all.
std::optional<FirewallPorts> firewall_ports(std::string_view range, std::string_view protocol);

/// A service that a zone lets in, with the services that it includes.
struct FirewallService {
  std::string name;
  std::vector<FirewallPorts> ports = {};
  std::vector<std::string> protocols = {};
  bool operator==(const FirewallService&) const = default;
};

/// What a zone lets in of all senders that it is for. Rich rules and policies are left out: they say of whom.
struct FirewallZone {
  bool lets_all_in = false;  ///< its target is ACCEPT
  std::vector<FirewallPorts> ports = {};
  std::vector<std::string> protocols = {};
  std::vector<FirewallService> services = {};
  bool operator==(const FirewallZone&) const = default;

  /// Whether it has an entry of exactly this port. Only such an entry is ever removed.
  bool has(const FirewallPorts& port) const;
  /// What else lets this port in: "the ports 20000-20100/tcp", "service nfs-rdma", "protocol tcp", "target ACCEPT";
  /// empty: nothing does.
  std::string let_in_by(const FirewallPorts& port) const;
};

/// The firewalld of a host. Each call but runs() throws an Error that names the zone with firewalld's message, and a
/// SystemError (EACCES) where this user may not ask or tell it.
class Firewall {
 public:
  virtual ~Firewall() = default;
  /// Whether it answers on the bus. It is never started by a question.
  virtual bool runs() = 0;
  /// The names of its zones, sorted.
  virtual std::vector<std::string> zones(FirewallStore store) = 0;
  /// nullopt: it has no such zone.
  virtual std::optional<FirewallZone> zone(FirewallStore store, const std::string& name) = 0;
  /// Adds an entry of that port to the zone; of the permanent store firewalld writes the zone's file in /etc. One that
  /// is there already, or lies in a range of ports, is no error, and is left as it is.
  virtual void open(FirewallStore store, const std::string& zone, const FirewallPorts& port) = 0;
  /// Removes the entry. One that is not there is no error.
  virtual void close(FirewallStore store, const std::string& zone, const FirewallPorts& port) = 0;
};

}  // namespace rdmastate
