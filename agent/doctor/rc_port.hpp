// SPDX-License-Identifier: Apache-2.0
// The ports over which a reliable connection (RC) can be tried, and what the other end has to know of such a port.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doctor/examination.hpp"
#include "host/queue_pairs.hpp"

namespace rdmastate::doctor {

/// One entry of a port's GID table.
struct RcGid {
  unsigned index = 0;
  IpAddress address{};  ///< an IPv4 address where the GID is a mapped one (::ffff:192.0.2.1)
  RoceMode type = RoceMode::v1;
  bool operator==(const RcGid&) const = default;
};

/// The largest LID that an address handle of verbs can name (ibv_ah_attr: dlid has 16 bits). Omni-Path also has longer
/// ones.
inline constexpr std::uint32_t widest_lid = 0xffff;

/// A port that is ACTIVE, as both ends of a connection see it.
struct RcPort {
  std::string device{};
  std::uint32_t number = 1;
  LinkLayer link_layer = LinkLayer::infiniband;
  std::uint32_t lid = 0;               ///< of InfiniBand, at most widest_lid
  std::uint32_t mtu = 0;               ///< the active one, in bytes
  std::vector<std::uint16_t> pkeys{};  ///< entries of the table, with the membership bit
  std::vector<RcGid> gids{};           ///< of RoCE by best_first(); of InfiniBand GID 0 alone
  bool operator==(const RcPort&) const = default;

  Subject subject() const;  ///< "mlx5_0/1"
  bool is_roce() const { return link_layer == LinkLayer::ethernet; }
};

/// The most ports of a host, and GIDs and P_Keys of a port, that are told to a peer; further ones are not tried.
inline constexpr std::size_t most_ports = 32;
inline constexpr std::size_t most_gids = 8;
inline constexpr std::size_t most_pkeys = 64;

/// How far a GID's address reaches: both ends of a connection use one of the same reach.
enum class Reach : std::uint8_t { v4, v6, link_local };
Reach reach_of(const RcGid& gid);
/// Whether `one` stands before `other`: RoCE v2 before v1, then by Reach, then by index.
bool best_first(const RcGid& one, const RcGid& other);
/// The GID itself: an IPv4 address is mapped.
IpAddress gid_of(const RcGid& gid);
/// A P_Key of each port with which the two can talk, that of `one` first: both of the same partition, and not both
/// limited. The default partition is preferred, then two full members. nullopt: there are none.
std::optional<std::pair<std::uint16_t, std::uint16_t>> common_pkeys(const RcPort& one, const RcPort& other);

/// Throws Error for a name that is no device's or port's of this host: a misspelt name must not pass as a port without
/// faults.
void must_have(const Facts& facts, const std::vector<std::string>& named);

/// Which ports can be tried, and why the others cannot.
struct RcPorts {
  std::vector<RcPort> ports;
  std::vector<Unlooked> not_tried;
};
/// The ports that `named` names, "mlx5_0" (all of a device) or "mlx5_0/1"; all ports where it is empty. Those that can
/// be tried, at most most_ports, are ACTIVE and have a P_Key and, of RoCE, a GID: without these no other end can be
/// connected with them. A port that libibverbs does not open is among `not_tried`, whose check is rc-tried.
RcPorts rc_ports(Examination& look, QueuePairs& queue_pairs, const std::vector<std::string>& named);

}  // namespace rdmastate::doctor
