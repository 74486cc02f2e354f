// SPDX-License-Identifier: Apache-2.0
// Flow: weigh() asks an item's kind what its step takes away (the Loss). interrupted_by() finds the connections that
// this loss cuts off: by their local address, or by the best routes to the other side (link_that_cuts()).
#include "plan/interrupts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/layout.hpp"

namespace rdmastate {
namespace {

// The routes to an address: those of the longest prefix and, among them, of the lowest metric. The kernel may use any
// of several equal ones.
std::vector<Route> best_routes(const Snapshot& snapshot, const IpAddress& to) {
  std::vector<Route> best;
  const auto rank = [](const Route& route) { return std::pair(-int{route.to.length}, route.metric); };
  for (const auto& route : snapshot.routes()) {
    if (route.to.address.family != to.family || !contains(route.to, to)) continue;
    if (!best.empty() && rank(route) < rank(best.front())) best.clear();
    if (best.empty() || rank(route) == rank(best.front())) best.push_back(route);
  }
  return best;
}

// What a loss takes from the addresses and routes that the host has now.
class Losing {
 public:
  Losing(const Snapshot& snapshot, const Loss& loss) : snapshot_(snapshot), loss_(loss) {}

  bool goes_down(std::uint32_t link) const {
    return std::find(loss_.links.begin(), loss_.links.end(), link) != loss_.links.end();
  }

  /// The interface of this local address where the loss takes the address away; nullptr: it stays.
  const Link* address(const IpAddress& local) const {
    for (const std::uint32_t link : loss_.links)
      for (const auto& one : snapshot_.addresses(link))
        if (one.value.address == local) return snapshot_.link(link);
    for (const auto& one : loss_.addresses)
      if (one.value.address == local) return snapshot_.link(one.link);
    return nullptr;
  }

  /// Whether the loss takes the route away: by itself, with its interface, or with the last IPv4 address there.
  bool has_route(const Route& route) const {
    const bool named = std::any_of(loss_.routes.begin(), loss_.routes.end(), [&](const Route& one) {
      return one.link == route.link && one.to == route.to && one.via == route.via;
    });
    return named || goes_down(route.link) || (route.to.address.family == Family::v4 && loses_last_ipv4(route.link));
  }

  /// Whether the route has no gateway and leads to the network of an address that is lost.
  bool is_on_link_by_address(const Route& route) const {
    return !route.via && std::any_of(loss_.addresses.begin(), loss_.addresses.end(), [&](const Address& one) {
      return one.link == route.link && network_of(one.value) == route.to;
    });
  }

 private:
  // With the last IPv4 address the kernel takes all IPv4 routes of the interface away (fib_disable_ip).
  bool loses_last_ipv4(std::uint32_t link) const {
    const auto is_its = [&](const Address& one) { return one.link == link && one.value.address.family == Family::v4; };
    const auto lost = std::count_if(loss_.addresses.begin(), loss_.addresses.end(), is_its);
    if (lost == 0) return false;
    const auto now = snapshot_.addresses(link);
    return std::count_if(now.begin(), now.end(), is_its) <= lost;
  }

  const Snapshot& snapshot_;
  const Loss& loss_;
};

// The interface on which the connection is cut off; nullptr: it is not. The loss of an address that a route is on-link
// by counts only where the local address of the connection is not known.
const Link* link_that_cuts(const Snapshot& snapshot, const Loss& loss, const Connection& connection) {
  if (loss.rdma_alone && !connection.rdma) return nullptr;
  const Losing losing(snapshot, loss);
  if (connection.local)
    if (const Link* link = losing.address(*connection.local)) return link;
  for (const auto& remote : connection.remotes)
    for (const auto& route : best_routes(snapshot, remote))
      if (losing.has_route(route) || (!connection.local && losing.is_on_link_by_address(route)))
        return snapshot.link(route.link);
  return nullptr;
}

// Whether the host or rdmastate needs this mount point at every moment: /usr, or one that holds the records of runs (/
// and /var too).
bool is_system(const std::string& mount_point) {
  const std::string runs(common_layout().runs);
  const std::string inside = mount_point.ends_with('/') ? mount_point : mount_point + "/";
  return mount_point == "/usr" || (runs + "/").starts_with(inside);
}

const std::string* system_mount(const Connection& connection) {
  const auto found = std::find_if(connection.carries.begin(), connection.carries.end(), is_system);
  return found == connection.carries.end() ? nullptr : &*found;
}

std::string held_text(const Connection& connection, const std::string& mount, const Link& link) {
  return fmt::format(
      "{} is {} ({} from {}) over {}, and what carries it is not moved while the host runs: this waits for a boot that "
      "configures it before {} is mounted",
      mount, connection.what == Connection::What::mount ? "mounted" : "on " + connection.name, connection.type,
      connection.source, link.name, mount);
}

// Reduces the step to what takes nothing away (Kind::still), or removes it where nothing is left.
void keep_still(Item& item) {
  auto& move = *item.gap.move;
  std::optional<State> rest;
  if (move.to) rest = item.kind->still(move.from ? &*move.from : nullptr, *move.to);
  if (rest) {
    move.to = std::move(rest);
  } else {
    item.gap.move.reset();
  }
}

}  // namespace

std::vector<Interruption> interrupted_by(const Snapshot& snapshot, const Loss& loss) {
  std::vector<Interruption> found;
  if (loss.link() == 0) return found;
  for (const auto& connection : snapshot.connections())
    if (const Link* link = link_that_cuts(snapshot, loss, connection); link != nullptr)
      found.push_back({&connection, link});
  return found;
}

const Link* default_route_lost(const Snapshot& snapshot, const Loss& loss) {
  if (loss.rdma_alone || loss.link() == 0) return nullptr;
  const Losing losing(snapshot, loss);
  const auto& routes = snapshot.routes();
  for (const auto& route : routes) {
    if (!route.to.is_default() || !losing.has_route(route)) continue;
    const bool replaced = std::any_of(routes.begin(), routes.end(), [&](const Route& other) {
      return other.to == route.to && !losing.has_route(other);
    });
    if (!replaced || losing.goes_down(route.link)) return snapshot.link(route.link);
  }
  return nullptr;
}

std::string connection_text(const Connection& connection) {
  switch (connection.what) {
    case Connection::What::mount:
      return fmt::format("mount {} ({} from {})", connection.name, connection.type, connection.source);
    case Connection::What::storage:
      return fmt::format("storage {} ({} from {}{}{})", connection.name, connection.type, connection.source,
                         connection.carries.empty() ? "" : ", which carries ", fmt::join(connection.carries, " and "));
    case Connection::What::rule:
      return fmt::format("rule {} ({})", connection.name, connection.source);
    case Connection::What::session:
      return fmt::format("this session ({}, process {}{}{})", connection.type, connection.name,
                         connection.remotes.empty() ? "" : ", from ",
                         connection.remotes.empty() ? "" : to_text(connection.remotes.front()));
  }
  return {};
}

void weigh(const Scene& scene, Item& item) {
  item.loss = {};
  item.takes_along = {};
  if (item.has_step()) {
    const auto& [kind, move] = std::pair(item.kind, *item.gap.move);
    const State* from = move.from ? &*move.from : nullptr;
    const State* to = move.to ? &*move.to : nullptr;
    if (item.cause != Cause::goes_with) item.loss = kind->loses(scene, item.key, from, to);
    item.takes_along = kind->put_back(scene, item.key, from, to);
  }
  item.disruption = item.loss.disruption();
}

std::string why_held(const Snapshot& snapshot, const Loss& loss) {
  for (const auto& [connection, link] : interrupted_by(snapshot, loss))
    if (const std::string* mount = system_mount(*connection)) return held_text(*connection, *mount, *link);
  return {};
}

void hold_still(const Scene& scene, Item& item) {
  std::string held = why_held(scene.snapshot, item.loss);
  if (held.empty()) return;
  item.gap.pending = {std::move(held), Until::reboot};
  keep_still(item);
  weigh(scene, item);
}

}  // namespace rdmastate
