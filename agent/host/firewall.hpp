// SPDX-License-Identifier: Apache-2.0
// The interface to firewalld (firewalld.dbus(5)): what each of its zones lets in, and calls that add and remove a port.
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

  /// Whether all of `others` are among these ports, by number and protocol. True of equal ones.
  bool covers(const FirewallPorts& others) const;
};
/// As firewall-cmd(1) writes them: "20049/tcp", "20000-20100/udp".
std::string to_text(const FirewallPorts& ports);
/// From the two words that firewalld has for ports: `range` is "20049" or "20000-20100", and `protocol` is taken as it
/// is. nullopt: `range` is no port, or a name of services(5) other than nfsrdma (20049).
std::optional<FirewallPorts> firewall_ports(std::string_view range, std::string_view protocol);

/// A service that a zone lets in (firewalld.service(5)), with what the services that it includes let in.
struct FirewallService {
  std::string name;                         ///< "nfs-rdma"
  std::vector<FirewallPorts> ports = {};    ///< without those that firewall_ports() cannot read
  std::vector<std::string> protocols = {};  ///< let in on every port: "tcp"
  bool operator==(const FirewallService&) const = default;
};

/// What a zone lets in from every sender whose packets it judges. Its rich rules and firewalld's policies are left out:
/// they may let in or refuse some senders alone.
struct FirewallZone {
  bool lets_all_in = false;                    ///< its target is ACCEPT: what no entry names is let in too
  std::vector<FirewallPorts> ports = {};       ///< its entries of ports, not its services'; as in FirewallService
  std::vector<std::string> protocols = {};     ///< its entries of whole protocols: "tcp" lets in every port of TCP
  std::vector<FirewallService> services = {};  ///< the services that it names
  bool operator==(const FirewallZone&) const = default;

  /// Whether one of `ports` is exactly `port`, and not only a range around it. rdmastate removes such an entry alone.
  bool has(const FirewallPorts& port) const;
  /// What lets `port` in beside an entry of exactly that port, for a message: "the ports 20000-20100/tcp", "service
  /// nfs-rdma", "protocol tcp" or "target ACCEPT", the first of these that does; empty: nothing does.
  std::string let_in_by(const FirewallPorts& port) const;
};

/// The firewalld of a host. Each call but runs() throws an Error with firewalld's message where firewalld refuses it or
/// does not run, and a SystemError (EACCES) where this user may not make it.
class Firewall {
 public:
  virtual ~Firewall() = default;
  /// Whether firewalld has its name on the bus now. The question does not start it.
  virtual bool runs() = 0;
  /// The names of the zones that the store has, sorted.
  virtual std::vector<std::string> zones(FirewallStore store) = 0;
  /// What the zone lets in by that store; nullopt: the store has no such zone.
  virtual std::optional<FirewallZone> zone(FirewallStore store, const std::string& name) = 0;
  /// Adds an entry of that port to the zone, until firewalld's next reload or for good; for good firewalld writes the
  /// zone's file in /etc. Nothing where an entry covers the port already. Entries that the new one covers go.
  virtual void open(FirewallStore store, const std::string& zone, const FirewallPorts& port) = 0;
  /// Removes the entry of exactly that port. Nothing where there is no such entry or zone, or where a wider entry
  /// covers the port: firewalld would cut the port out of that one.
  virtual void close(FirewallStore store, const std::string& zone, const FirewallPorts& port) = 0;
};

}  // namespace rdmastate
