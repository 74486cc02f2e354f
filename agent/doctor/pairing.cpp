// SPDX-License-Identifier: Apache-2.0
#include "doctor/pairing.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace rdmastate::doctor {
namespace {

using Obstacle = PortPair::Obstacle;

// How many bits two GIDs have in common at their beginning, as far as networks usually go: /24 of IPv4, /64 of IPv6.
// Two hosts of one network count as equally near then.
unsigned nearness(const RcGid& one, const RcGid& other) {
  constexpr unsigned mapped_24 = 120;  // the 96 bits before a mapped IPv4 address, and 24 of the address
  constexpr unsigned of_v6 = 64;
  const unsigned most = reach_of(one) == Reach::v4 ? mapped_24 : of_v6;
  const auto a = gid_of(one).bytes;
  const auto b = gid_of(other).bytes;
  unsigned bits = 0;
  while (bits < most && ((a[bits / 8] ^ b[bits / 8]) >> (7 - bits % 8) & 1) == 0) ++bits;
  return bits;
}

bool has_common_version(const RcPort& one, const RcPort& other) {
  return std::any_of(one.gids.begin(), one.gids.end(), [&](const RcGid& a) {
    return std::any_of(other.gids.begin(), other.gids.end(), [&](const RcGid& b) { return a.type == b.type; });
  });
}

// InfiniBand's GID 0 begins with the subnet's prefix.
bool in_one_subnet(const RcPort& one, const RcPort& other) {
  constexpr std::size_t prefix = 8;
  if (one.gids.empty() || other.gids.empty()) return true;
  const auto a = gid_of(one.gids.front()).bytes;
  const auto b = gid_of(other.gids.front()).bytes;
  return std::equal(a.begin(), a.begin() + prefix, b.begin());
}

bool are_counterparts(const RcPort& one, const RcPort& other) {
  return one.link_layer == other.link_layer && (one.is_roce() || in_one_subnet(one, other));
}

bool is_same(const RcPort& one, const RcPort& other) {
  return one.device == other.device && one.number == other.number && one.gids == other.gids;
}

PortPair pair_of(const RcPort& one, const RcPort& other) {
  PortPair pair;
  pair.mtu = std::min(one.mtu, other.mtu);
  if (one.is_roce()) {
    pair.gids = common_gids(one, other);
    if (!pair.gids) pair.obstacle = has_common_version(one, other) ? Obstacle::reach : Obstacle::roce;
  }
  if (const auto pkeys = common_pkeys(one, other))
    pair.pkeys = *pkeys;
  else if (pair.obstacle == Obstacle::none)
    pair.obstacle = Obstacle::partition;
  return pair;
}

/// Makes the pairs, and counts for each port in how many it stands.
class Matchmaker {
 public:
  Matchmaker(const Greeting& connector, const Greeting& listener)
      : connector_(connector.ports),
        listener_(listener.ports),
        of_connector_(connector_.size()),
        of_listener_(listener_.size()) {}

  std::vector<PortPair> all() {
    for (std::size_t at = 0; at < connector_.size(); ++at) add(best(at, std::nullopt));
    for (std::size_t at = 0; at < listener_.size(); ++at)
      if (of_listener_[at] == 0) add(best(std::nullopt, at));
    return std::move(pairs_);
  }

 private:
  using Index = std::optional<std::size_t>;

  // Of two pairs the one with the greater rank is better: one that can talk, then two different ports, then near
  // addresses, then ports that stand in few pairs.
  auto rank(const PortPair& pair) const {
    const bool same = is_same(connector_[pair.connector], listener_[pair.listener]);
    const unsigned near = pair.gids ? nearness(pair.gids->one, pair.gids->other) : 0;
    const auto used = of_connector_[pair.connector] + of_listener_[pair.listener];
    return std::tuple(pair.obstacle == Obstacle::none, !same, near, -static_cast<int>(used));
  }

  // The best pair with these ports; nullopt for a port: any of that side. nullopt: there is no pair.
  std::optional<PortPair> best(Index connector, Index listener) const {
    std::optional<PortPair> found;
    for (std::size_t one = connector.value_or(0); one < (connector ? *connector + 1 : connector_.size()); ++one)
      for (std::size_t other = listener.value_or(0); other < (listener ? *listener + 1 : listener_.size()); ++other) {
        if (!are_counterparts(connector_[one], listener_[other])) continue;
        PortPair pair = pair_of(connector_[one], listener_[other]);
        pair.connector = one;
        pair.listener = other;
        if (!found || rank(pair) > rank(*found)) found = pair;
      }
    return found;
  }

  void add(const std::optional<PortPair>& pair) {
    if (!pair) return;
    ++of_connector_[pair->connector];
    ++of_listener_[pair->listener];
    pairs_.push_back(*pair);
  }

  const std::vector<RcPort>& connector_;
  const std::vector<RcPort>& listener_;
  std::vector<std::size_t> of_connector_;
  std::vector<std::size_t> of_listener_;
  std::vector<PortPair> pairs_;
};

}  // namespace

std::optional<GidPair> common_gids(const RcPort& one, const RcPort& other) {
  std::optional<GidPair> best;
  // The greater, the better: RoCE v2, then Reach in its order, then near addresses.
  const auto rank = [](const GidPair& pair) {
    return std::tuple(pair.one.type == RoceMode::v2, -static_cast<int>(reach_of(pair.one)),
                      nearness(pair.one, pair.other));
  };
  for (const auto& a : one.gids)
    for (const auto& b : other.gids) {
      if (a.type != b.type || reach_of(a) != reach_of(b)) continue;
      const GidPair pair{a, b};
      if (!best || rank(pair) > rank(*best)) best = pair;
    }
  return best;
}

std::vector<PortPair> pairs_of(const Greeting& connector, const Greeting& listener) {
  return Matchmaker(connector, listener).all();
}

}  // namespace rdmastate::doctor
