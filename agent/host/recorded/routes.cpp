// SPDX-License-Identifier: Apache-2.0
// Adds and removes routes, with the checks of net/ipv4/fib_semantics.c and net/ipv6/route.c.
#include <algorithm>
#include <cerrno>

#include "base/link_local.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate::kernel {
namespace {

constexpr std::uint32_t ipv6_user_metric = 1024;  // IP6_RT_PRIO_USER

// Whether the interface has this address, and duplicate address detection is over.
bool is_own(const HostModel& model, const IpAddress& address, std::uint32_t link) {
  return std::any_of(model.addresses.begin(), model.addresses.end(), [&](const Address& one) {
    return one.link == link && one.value.address == address && !one.tentative;
  });
}

enum class Count { all, direct };  // `direct`: routes with a gateway do not count

/// The most specific route of this interface to `address`; nullptr: none.
const Route* most_specific_route(const HostModel& model, const IpAddress& address, std::uint32_t link, Count count) {
  const Route* best = nullptr;
  for (const Route& route : model.routes) {
    if (route.link != link || !contains(route.to, address) || (count == Count::direct && route.via)) continue;
    if (best == nullptr || route.to.length > best->to.length) best = &route;
  }
  return best;
}

// fib_check_nh_v4_gw needs a route without gateway to `via`; fib_check_nh_nongw checks only that the interface is up.
void check_v4(const HostModel& model, const Route& route, const Link& link) {
  if (!route.via && !link.up) throw Refusal{ENETDOWN, "Device for nexthop is not up"};
  if (route.via && most_specific_route(model, *route.via, route.link, Count::direct) == nullptr)
    throw Refusal{ENETUNREACH, "Nexthop has invalid gateway"};
}

// ip6_validate_gw, then fib6_nh_init.
void check_v6(const HostModel& model, const Route& route, const Link& link) {
  if (!link.ipv6) throw Refusal{ENODEV};
  if (*link.ipv6 == Ipv6Conf::disabled) throw Refusal{EACCES, "IPv6 is disabled on nexthop device"};
  if (route.via && is_own(model, *route.via, route.link)) throw Refusal{EINVAL, "Gateway can not be a local address"};
  if (route.via && !is_link_local(*route.via)) {
    const Route* to_gateway = most_specific_route(model, *route.via, route.link, Count::all);
    if (to_gateway == nullptr || to_gateway->via) throw Refusal{EHOSTUNREACH, "Nexthop has invalid gateway"};
  }
  if (!link.up) throw Refusal{ENETDOWN, "Nexthop device is not up"};
}

}  // namespace

void add(HostModel& model, Route route) {
  const bool v6 = route.to.address.family == Family::v6;
  if (v6 && !model.ipv6) throw Refusal{EOPNOTSUPP};
  const RecordedLink* link = model.find(route.link);
  if (link == nullptr) throw Refusal{ENODEV};
  if (route.via && route.via->family != route.to.address.family) throw Refusal{EINVAL};
  if (v6 && route.metric == 0) route.metric = ipv6_user_metric;
  if (v6) {
    check_v6(model, route, link->link);
  } else {
    check_v4(model, route, link->link);
  }
  const bool taken = std::any_of(model.routes.begin(), model.routes.end(),
                                 [&](const Route& one) { return one.to == route.to && one.metric == route.metric; });
  if (taken) throw Refusal{EEXIST};
  model.routes.push_back(route);
}

void remove(HostModel& model, const Route& route) {
  if (model.find(route.link) == nullptr) throw Refusal{ENODEV};
  const auto at = std::find(model.routes.begin(), model.routes.end(), route);
  if (at == model.routes.end()) throw Refusal{ESRCH};
  model.routes.erase(at);
}

}  // namespace rdmastate::kernel
