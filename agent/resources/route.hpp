// SPDX-License-Identifier: Apache-2.0
// Kind `route`: one unicast route of the main table out of one IPoIB interface. Key: LinkId, destination and metric.
// Twin: the file of a back end, or boot.json.
#pragma once

#include "resources/kind.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

struct RouteState {
  LinkId link;
  IpNetwork to;
  std::uint32_t metric = 0;
  std::optional<IpAddress> via;  ///< the gateway; nullopt: the destination is on the link
  bool operator==(const RouteState&) const = default;
};

template <>
struct Fields<RouteState> {
  static constexpr std::string_view name = "route";
  static constexpr std::string_view doc = "One route out of one interface.";
  static constexpr auto table = Table{
      Field{"link", &RouteState::link, "The interface's identity.", {.required = true, .identity = true}},
      Field{"to", &RouteState::to, "The destination.", {.required = true, .identity = true}},
      Field{"metric", &RouteState::metric, "The route's priority; lower wins.", {.required = true, .identity = true}},
      Field{"via", &RouteState::via, "The gateway; none: the destination is on the link."},
  };
};

extern const Kind route_kind;
/// The key: the LinkId's text, destination and metric, "port f452:1403:007b:cba1 to 203.0.113.0/24 metric 50".
std::string route_key(const RouteState& route);
/// What the kernel gives a route that names no metric: 0 for IPv4, 1024 for IPv6 (IP6_RT_PRIO_USER).
std::uint32_t default_metric(Family family);
/// The metric of an awaited route whose spec names none: whatever the interface's owner gives it.
inline constexpr std::uint32_t any_metric = 0xffffffff;

}  // namespace rdmastate
