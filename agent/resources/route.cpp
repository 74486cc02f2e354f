// SPDX-License-Identifier: Apache-2.0
#include "resources/route.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "base/error.hpp"
#include "host/recorded/model.hpp"
#include "resources/link_table.hpp"

namespace rdmastate {
namespace {

constexpr std::uint8_t protocol_static = 4;  // RTPROT_STATIC
constexpr std::uint8_t protocol_kernel = 2;  // RTPROT_KERNEL: goes with an address, not removed by itself

// "LINKID to 203.0.113.0/24 metric 50"
RouteState parts_of(const std::string& key) {
  constexpr std::string_view to_word = " to ";
  constexpr std::string_view metric_word = " metric ";
  RouteState parts;
  const std::string_view text = key;
  const std::size_t to_at = text.rfind(to_word);
  const std::size_t metric_at = text.rfind(metric_word);
  if (to_at == std::string::npos || metric_at == std::string::npos || metric_at < to_at + to_word.size() ||
      Text<IpNetwork>::read(Scalar{text.substr(to_at + to_word.size(), metric_at - to_at - to_word.size())},
                            parts.to) ||
      Text<std::uint32_t>::read(Scalar{text.substr(metric_at + metric_word.size())}, parts.metric))
    throw Error(fmt::format("'{}' is not a route's key", key));
  parts.link = link_id_from(text.substr(0, to_at));
  return parts;
}

std::string route_resolve(const Snapshot& snapshot, const std::string& key) {
  if (is_resolved(snapshot, key)) return key;
  RouteState parts = parts_of(key);
  parts.link = resolve(snapshot, parts.link);
  return route_key(parts);
}

Observation route_observe(const Snapshot& snapshot, const std::string& key) {
  RouteState parts = parts_of(key);
  const Link* link = find_link(snapshot, parts.link);
  if (link == nullptr) return Absent{};
  for (const auto& route : snapshot.routes(link->index))
    if (route.to == parts.to && (parts.metric == any_metric || route.metric == parts.metric) &&
        route.protocol != protocol_kernel) {
      parts.via = route.via;
      return State(route_kind, std::move(parts));
    }
  return Absent{};
}

// The wanted state with the interface as the key names it, by which route_observe() finds it again: the spec may name
// it otherwise.
State named_by(const std::string& key, const State& wanted) {
  return wanted.changed<RouteState>([&](RouteState& state) { state.link = parts_of(key).link; });
}

Gap route_gap(const Scene&, const std::string& key, const State* wanted, const Observation& observed) {
  Gap gap;
  const State* present = state_of(observed);
  if (wanted == nullptr) {
    if (present != nullptr) gap.move = Gap::Move{*present, std::nullopt};
  } else if (present == nullptr) {
    gap.move = Gap::Move{std::nullopt, named_by(key, *wanted)};
  } else if (present->as<RouteState>().via != wanted->as<RouteState>().via) {
    gap.move = Gap::Move{*present, named_by(key, *wanted)};
  }
  return gap;
}

// A gateway is reached by the addresses of the same interface, which have a lower rank.
std::vector<Ref> route_needs(const std::string& key, const State*) {
  const LinkId link = parts_of(key).link;
  return {{kind_of_link(link), to_text(link)}};
}

// A route that gets another gateway counts as lost: for its users it is another route.
Loss route_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  Loss loss;
  if (from == nullptr || (to != nullptr && to->as<RouteState>().via == from->as<RouteState>().via)) return loss;
  const auto& state = from->as<RouteState>();
  const Link* link = find_link(scene.snapshot, parts_of(key).link);
  if (link != nullptr && link->up) loss.routes.push_back({state.to, state.via, link->index, state.metric});
  return loss;
}

// A route of any metric gets the kernel's own.
Route kernel_route(std::uint32_t link, const RouteState& state) {
  Route route;
  route.to = state.to;
  route.via = state.via;
  route.link = link;
  route.metric = state.metric == any_metric ? default_metric(state.to.address.family) : state.metric;
  route.protocol = protocol_static;
  return route;
}

// The kernel removes routes by itself when the last address of their family goes, so ESRCH is success.
void remove(Links& links, const Route& route) {
  try {
    links.remove(route);
  } catch (const SystemError& error) {
    if (error.number() != ESRCH) throw;
  }
}

void route_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  const std::uint32_t link = tools.links.require(parts_of(key).link).index;
  if (from != nullptr) remove(*tools.host.links, kernel_route(link, from->as<RouteState>()));
  if (to != nullptr) tools.host.links->add(kernel_route(link, to->as<RouteState>()));
}

std::string route_title(const std::string& key, const State*) {
  const RouteState parts = parts_of(key);
  return fmt::format("{} on {}", parts.to.is_default() ? "default" : to_text(parts.to), to_text(parts.link));
}

void route_keep(const Snapshot& snapshot, const Facts&, HostModel& model) { model.routes = snapshot.routes(); }

}  // namespace

std::string route_key(const RouteState& route) {
  return fmt::format("{} to {} metric {}", to_text(route.link), to_text(route.to), route.metric);
}

std::uint32_t default_metric(Family family) { return family == Family::v6 ? 1024 : 0; }

constinit const Kind route_kind = [] {
  Kind kind = kind_of<RouteState>("route");
  kind.verbs = {"add", "change", "remove"};
  kind.rank = 50;  // after addresses (40), by which gateways are reached
  kind.resolve = route_resolve;
  kind.observe = route_observe;
  kind.gap = route_gap;
  kind.needs = route_needs;
  kind.move = route_move;
  kind.loses = route_loses;
  kind.title = route_title;
  kind.keep = route_keep;
  return kind;
}();

}  // namespace rdmastate
