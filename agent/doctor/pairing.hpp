// SPDX-License-Identifier: Apache-2.0
// Pairs the ports of two hosts that are to be tried with each other: both hosts derive the same pairs from the two
// greetings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "doctor/greeting.hpp"

namespace rdmastate::doctor {

/// The GIDs of two RoCE ports between which packets go.
struct GidPair {
  RcGid one;
  RcGid other;
  bool operator==(const GidPair&) const = default;
};

/// Two ports that are tried with each other, and between which addresses.
struct PortPair {
  /// Why the two cannot talk.
  enum class Obstacle : std::uint8_t {
    none,
    roce,       ///< their GIDs have no RoCE version in common
    reach,      ///< no two GIDs of one version have the same Reach: one port has IPv4 addresses alone, say
    partition,  ///< they have no P_Key in common of which one is a full member's
  };
  std::size_t connector = 0;      ///< index into Greeting::ports of the side that connected
  std::size_t listener = 0;       ///< the same of the side that listened
  std::optional<GidPair> gids{};  ///< of RoCE: the connector's first
  /// The connector's and the listener's, as common_pkeys() has them; without meaning unless `obstacle` is none.
  std::pair<std::uint16_t, std::uint16_t> pkeys{0xffff, 0xffff};
  std::uint32_t mtu = 0;  ///< in bytes: the smaller one of both ports
  Obstacle obstacle = Obstacle::none;
};

/// Every port of both hosts that has a counterpart stands in a pair: first one pair for each of the connector's ports,
/// then one for each of the listener's that none of these has. A counterpart has the same link layer and, on
/// InfiniBand, the same subnet prefix. Of several, in this order: one without an obstacle, another port than itself (a
/// host may be its own peer), the nearest RoCE address, the one in the fewest pairs. Empty: no port has a counterpart.
std::vector<PortPair> pairs_of(const Greeting& connector, const Greeting& listener);

/// The best GIDs of the same RoCE version and the same reach, and of these the two whose addresses have the most bits
/// in common at their beginning. nullopt: there are none.
std::optional<GidPair> common_gids(const RcPort& one, const RcPort& other);

}  // namespace rdmastate::doctor
