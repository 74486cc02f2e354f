// SPDX-License-Identifier: Apache-2.0
#include "plan/interrupts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/layout.hpp"
#include "resources/address.hpp"
#include "resources/route.hpp"
#include "resources/soft_device.hpp"

namespace rdmastate {
namespace {

// What a step takes away: interfaces, or one address or route of one.
struct Loss {
  std::vector<const Link*> links;
  std::optional<IpInterface> address;
  std::optional<Route> route;
  bool rdma_alone = false;
};

bool is_removal(const Item& item) { return item.has_step() && !item.gap.move->to; }

Loss loss_of(const Snapshot& snapshot, const Item& item) {
  Loss loss;
  if (!item.has_step()) return loss;
  const bool disrupts = item.gap.move->disruption != Disruption::none;
  if (item.kind == &soft_device_kind && is_removal(item)) {
    const Link* netdev = snapshot.link(item.gap.move->from->as<SoftDeviceState>().netdev.value);
    if (netdev != nullptr) loss.links = {netdev};
    loss.rdma_alone = true;
  } else if (item.kind == &address_kind && is_removal(item)) {
    const auto& state = item.gap.move->from->as<AddressState>();
    if (const Link* link = find_link(snapshot, state.link); link != nullptr) loss.links = {link};
    loss.address = state.address;
  } else if (item.kind == &route_kind && is_removal(item)) {
    const auto& state = item.gap.move->from->as<RouteState>();
    if (const Link* link = find_link(snapshot, state.link); link != nullptr) loss.links = {link};
    loss.route = Route{state.to, state.via, 0, state.metric, 0};
  } else if (disrupts) {
    loss.links = bounced_by(snapshot, item);
  }
  return loss;
}

// Of the longest prefix the lowest metric; several that are as good may each be the one.
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

const Link* link_of(const Loss& loss, std::uint32_t index) {
  const auto found =
      std::find_if(loss.links.begin(), loss.links.end(), [&](const Link* one) { return one->index == index; });
  return found == loss.links.end() ? nullptr : *found;
}

// A route is on-link by the address that it goes with.
bool goes(const Loss& loss, const Route& route) {
  if (loss.address) return !route.via && route.to == network_of(*loss.address);
  return !loss.route || (route.to == loss.route->to && route.via == loss.route->via);
}

const Link* route_lost(const Snapshot& snapshot, const Loss& loss, const IpAddress& remote) {
  for (const auto& route : best_routes(snapshot, remote))
    if (const Link* link = link_of(loss, route.link); link != nullptr && goes(loss, route)) return link;
  return nullptr;
}

const Link* address_lost(const Snapshot& snapshot, const Loss& loss, const IpAddress& local) {
  if (loss.route || (loss.address && loss.address->address != local)) return nullptr;
  for (const Link* link : loss.links)
    for (const auto& one : snapshot.addresses(link->index))
      if (one.value.address == local) return link;
  return nullptr;
}

// The interface that it is cut off on; nullptr when it is not.
const Link* cut_on(const Snapshot& snapshot, const Loss& loss, const Connection& connection) {
  if (loss.rdma_alone && !connection.rdma) return nullptr;
  const Link* way = connection.local ? address_lost(snapshot, loss, *connection.local) : nullptr;
  // Another address of the same network does not matter to what has its own.
  if (way != nullptr || (connection.local && loss.address)) return way;
  for (const auto& remote : connection.remotes)
    if ((way = route_lost(snapshot, loss, remote)) != nullptr) return way;
  return nullptr;
}

// The mount point itself, or one that it stands in: what carries /var/lib carries the run directory.
bool is_system(const std::string& mount_point) {
  const std::string runs(common_layout().runs);
  const std::string inside = mount_point.ends_with('/') ? mount_point : mount_point + "/";
  return mount_point == "/usr" || (runs + "/").starts_with(inside);
}

const std::string* system_mount(const Connection& connection) {
  const auto found = std::find_if(connection.carries.begin(), connection.carries.end(), is_system);
  return found == connection.carries.end() ? nullptr : &*found;
}

std::string held_text(const Connection& connection, const std::string& mount, const Link& way) {
  return fmt::format(
      "{} is {} ({} from {}) over {}, and what carries it is not moved while the host runs: this waits for a boot that "
      "makes it so before {} is mounted",
      mount, connection.what == Connection::What::mount ? "mounted" : "on " + connection.name, connection.type,
      connection.source, way.name, mount);
}

}  // namespace

std::vector<const Link*> bounced_by(const Snapshot& snapshot, const Item& item) {
  std::vector<const Link*> family;
  const Link* link = item.kind->bounces == nullptr ? nullptr : item.kind->bounces(snapshot, item.key);
  if (link == nullptr) return family;
  family.push_back(link);
  for (const Link* other : snapshot.links())
    if (other->parent == link->index) family.push_back(other);
  return family;
}

std::vector<Interruption> interrupted_by(const Snapshot& snapshot, const Item& item) {
  std::vector<Interruption> found;
  const Loss loss = loss_of(snapshot, item);
  if (loss.links.empty()) return found;
  for (const auto& connection : snapshot.connections())
    if (const Link* way = cut_on(snapshot, loss, connection); way != nullptr) found.push_back({&connection, way});
  return found;
}

std::string connection_text(const Connection& connection) {
  switch (connection.what) {
    case Connection::What::mount:
      return fmt::format("mount {} ({} from {})", connection.name, connection.type, connection.source);
    case Connection::What::storage:
      return fmt::format("storage {} ({} from {}{}{})", connection.name, connection.type, connection.source,
                         connection.carries.empty() ? "" : ", which carries ", fmt::join(connection.carries, " and "));
    case Connection::What::session:
      return fmt::format("this session ({}, process {}{}{})", connection.type, connection.name,
                         connection.remotes.empty() ? "" : ", from ",
                         connection.remotes.empty() ? "" : to_text(connection.remotes.front()));
  }
  return {};
}

const Link* lost_link(const Snapshot& snapshot, const Item& item) {
  const auto links = loss_of(snapshot, item).links;
  return links.empty() ? nullptr : links.front();
}

void hold_still(const Snapshot& snapshot, Item& item) {
  for (const auto& [connection, way] : interrupted_by(snapshot, item)) {
    const std::string* mount = system_mount(*connection);
    if (mount == nullptr) continue;
    item.gap.pending = held_text(*connection, *mount, *way);
    auto& move = *item.gap.move;
    std::optional<State> rest;
    if (item.kind->still != nullptr && move.to) rest = item.kind->still(move.from ? &*move.from : nullptr, *move.to);
    if (rest) {
      move.to = std::move(rest);
      move.disruption = Disruption::none;
    } else {
      item.gap.move.reset();
    }
    return;
  }
}

}  // namespace rdmastate
