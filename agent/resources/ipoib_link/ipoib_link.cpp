// SPDX-License-Identifier: Apache-2.0
// How an interface is observed; what a step takes away from its users; and what goes while the interface is down, so
// that the step's run has to put it back. gap.cpp compares interfaces, and move.cpp moves them.
#include "resources/ipoib_link/ipoib_link.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields_overlay.hpp"
#include "base/link_local.hpp"
#include "host/recorded/model.hpp"
#include "resources/address.hpp"
#include "resources/ipoib_link/gap.hpp"
#include "resources/ipoib_link/move.hpp"
#include "resources/ipoib_link/warn.hpp"
#include "resources/module.hpp"
#include "resources/renames.hpp"
#include "resources/route.hpp"

namespace rdmastate {
namespace {

// By the port's GUID; by the name where that is not known: a child whose parent is in another network namespace, or a
// virtual function that nobody has given a GUID yet.
LinkId id_of(const Snapshot& snapshot, const Link& link) {
  LinkId id;
  const Link* port = link.is_child() ? snapshot.link(link.parent) : &link;
  if (port != nullptr && port->is_ipoib()) id.guid = port->port_guid();
  if (id.guid.value == 0)
    id.name = link.name;
  else if (link.is_child() && link.ipoib)
    id.pkey = link.ipoib->pkey;
  return id;
}

std::vector<std::string> ipoib_link_list(const Snapshot& snapshot) {
  std::vector<std::string> keys;
  for (const Link* link : snapshot.links())
    if (link->is_ipoib() && id_of(snapshot, *link).guid.value != 0) keys.push_back(ipoib_link_key(snapshot, *link));
  return keys;
}

std::string ipoib_link_resolve(const Snapshot& snapshot, const std::string& key) {
  return is_resolved(snapshot, key) ? key : to_text(resolve(snapshot, link_id_from(key)));
}

Observation ipoib_link_observe(const Snapshot& snapshot, const std::string& key) {
  const LinkId id = link_id_from(key);
  const Link* link = find_link(snapshot, id);
  if (link == nullptr) return Absent{};
  return State(ipoib_link_kind, ipoib_link_state(*link, id));
}

std::vector<Ref> ipoib_link_needs(const std::string& key, const State*) {
  const LinkId id = link_id_from(key);
  if (id.pkey) return {{ipoib_link_kind.name, to_text(id.parent())}};
  return {{module_kind.name, "ib_ipoib"}};
}

// Compares only the fields that `from` has. An interface that has never been up shows the port's largest MTU; once it
// has joined its multicast group it has the group's, and nothing brings the first back.
bool ipoib_link_is_back(const State& now, const State& from) {
  IpoibLink before = from.as<IpoibLink>();
  const auto& after = now.as<IpoibLink>();
  if (after.mode == IpoibMode::datagram && after.mtu && before.mtu && *after.mtu < *before.mtu) before.mtu = after.mtu;
  return laid_over(after, before) == after;
}

// Whether a step takes the interface down, as it does for a new mode or name; or turns IPv6 off, at which the kernel
// removes its IPv6 addresses.
bool goes_down(const IpoibLink& from, const IpoibLink& to) {
  const bool loses_ipv6 = to.ipv6 != from.ipv6 && to.ipv6 == Ipv6Conf::disabled;
  const bool is_renamed = to.name && to.name != from.name;
  return (to.mode && to.mode != from.mode) || is_renamed || loses_ipv6 || !to.up.value_or(true);
}

// What rdmastate moves itself where an owner moves the rest (Kind::ours): the name of a port's interface, which no
// owner changes, and the settings that its owner has no key for. A child gets its name and settings when its owner
// makes it.
std::optional<Gap::Move> ipoib_link_ours(const State& from_state, const State& to_state,
                                         std::span<const std::string_view> unset_by_owner) {
  const auto& from = from_state.as<IpoibLink>();
  const auto& to = to_state.as<IpoibLink>();
  if (to.id.pkey) return std::nullopt;
  IpoibLink was, becomes;
  was.id = becomes.id = to.id;
  if (to.name && to.name != from.name) {
    was.name = from.name, becomes.name = to.name;
    if (from.up.value_or(false)) was.up = becomes.up = true;  // the interface goes down for its name
  }
  const auto is_unset = [&](std::string_view field) {
    return std::find(unset_by_owner.begin(), unset_by_owner.end(), field) != unset_by_owner.end();
  };
  if (to.mode != from.mode && is_unset("mode")) {
    was.mode = from.mode, becomes.mode = to.mode;
    was.mtu = from.mtu, becomes.mtu = to.mtu;  // the kernel gives the interface the MTU of its new mode
  }
  if (to.umcast != from.umcast && is_unset("umcast")) was.umcast = from.umcast, becomes.umcast = to.umcast;
  if (was == becomes) return std::nullopt;
  return Gap::Move{State(ipoib_link_kind, std::move(was)), State(ipoib_link_kind, std::move(becomes))};
}

Loss ipoib_link_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  if (from == nullptr || (to != nullptr && !goes_down(from->as<IpoibLink>(), to->as<IpoibLink>()))) return {};
  return loss_of_link(scene.snapshot, find_link(scene.snapshot, link_id_from(key)));
}

// An owner finds a port's interface by the name that udev gives it, so an awaited one has come once it has that name.
// Nobody waits for a child: it is made once its port is there.
bool ipoib_link_has_come(const Snapshot& snapshot, const std::string& key, const State* wanted, bool awaited) {
  const LinkId id = link_id_from(key);
  if (id.pkey) return true;
  const Link* link = find_link(snapshot, id);
  if (link == nullptr || !awaited || wanted == nullptr) return link != nullptr;
  return wanted->as<IpoibLink>().name == IfName{link->name};
}

std::string ipoib_link_short_name(const State& state) {
  const auto& name = state.as<IpoibLink>().name;
  return name ? name->value : std::string();
}

std::vector<Ref> ipoib_link_goes_with(const Snapshot& snapshot, const std::string& key) {
  return what_is_on(snapshot, link_id_from(key));
}

// Whether an owner takes the interface up: it then gives it what its file says, and nothing else is put back.
bool is_left_to_owner(const Scene& scene, const std::string& key) {
  const auto* wanted = scene.plan.wanted(ipoib_link_kind, key);
  return wanted != nullptr && *wanted && is_taken_up(scene, ipoib_link_short_name(**wanted));
}

// When an interface goes down for a moment, the kernel drops its IPv6 addresses and its routes, and its children go
// down with it.
std::vector<Ref> ipoib_link_put_back(const Scene& scene, const std::string& key, const State* from, const State* to) {
  const Link* link = from == nullptr || to == nullptr ? nullptr : find_link(scene.snapshot, link_id_from(key));
  if (link == nullptr || !link->up) return {};
  const auto &was = from->as<IpoibLink>(), &becomes = to->as<IpoibLink>();
  const bool comes_back = becomes.up.value_or(true) && becomes.ipv6 != Ipv6Conf::disabled;
  if (!goes_down(was, becomes) || !comes_back) return {};
  std::vector<Ref> refs;
  for (const Link* one : scene.snapshot.links()) {
    if (one->index != link->index && (!one->is_ipoib() || one->parent != link->index)) continue;
    const std::string its = ipoib_link_key(scene.snapshot, *one);
    if (is_left_to_owner(scene, its)) continue;
    for (auto& ref : ipoib_link_goes_with(scene.snapshot, its)) refs.push_back(std::move(ref));
  }
  return refs;
}

std::string ipoib_link_title(const std::string& key, const State* state) {
  const auto* link = state != nullptr ? &state->as<IpoibLink>() : nullptr;
  if (link == nullptr || !link->name) return key;
  return fmt::format("{} ({})", link->name->value, key);
}

// Links of every type: their names are taken, and RDMA ports have network devices.
void ipoib_link_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  for (const Link* link : snapshot.links()) {
    RecordedLink one;
    one.link = *link;
    // The kernel shows neither MTU. The record takes those of the usual broadcast group: 2048 less 4 bytes of header.
    one.mcast_mtu = one.admin_mtu = link->ipoib ? std::min(link->mtu, 2044U) : 0;
    one.cable = link->carrier;
    model.links.emplace(link->index, one);
    model.next_index = std::max(model.next_index, link->index + 1);
  }
}

}  // namespace

IpoibLink ipoib_link_state(const Link& link, const LinkId& id) {
  IpoibLink state;
  state.id = id;
  state.name = IfName{link.name};
  if (link.ipoib) state.settings() = link.ipoib->settings();
  state.mtu = link.mtu;
  state.ipv6 = link.ipv6;
  state.up = link.up;
  return state;
}

std::vector<Ref> what_is_on(const Snapshot& snapshot, const LinkId& id) {
  constexpr std::uint8_t by_kernel = 2;  // RTPROT_KERNEL
  constexpr std::uint8_t by_router = 9;  // RTPROT_RA
  std::vector<Ref> refs;
  const Link* link = find_link(snapshot, id);
  if (link == nullptr) return refs;
  for (const auto& address : snapshot.addresses(link->index))
    if (address.permanent && !is_link_local(address.value.address))
      refs.push_back({address_kind.name, address_key(id, address.value)});
  for (const auto& route : snapshot.routes(link->index))
    if (route.protocol != by_kernel && route.protocol != by_router)
      refs.push_back({route_kind.name, route_key({id, route.to, route.metric, route.via})});
  return refs;
}

std::string ipoib_link_key(const Snapshot& snapshot, const Link& link) { return to_text(id_of(snapshot, link)); }

void add_live_facts(const Snapshot& snapshot, const Link& link, Json& entry) {
  entry["carrier"] = link.up && link.carrier;  // when it is down the kernel shows an old value
  entry["addresses"] = Json::array();
  for (const auto& address : snapshot.addresses(link.index)) entry["addresses"].push_back(to_text(address.value));
}

Json interfaces_json(const Snapshot& snapshot) {
  Json all = Json::array();
  for (const auto& key : ipoib_link_list(snapshot)) {
    const LinkId id = link_id_from(key);
    const Link* link = find_link(snapshot, id);
    if (link == nullptr) continue;
    Json entry = ipoib_link_kind.to_json(State(ipoib_link_kind, ipoib_link_state(*link, id)));
    if (link->ipoib) entry["pkey"] = to_text(link->ipoib->pkey);
    add_live_facts(snapshot, *link, entry);
    all.push_back(std::move(entry));
  }
  return all;
}

constinit const Kind ipoib_link_kind = [] {
  Kind kind = kind_of<IpoibLink>("ipoib_link");
  kind.rank = 30;  // after modules and port types (20), before addresses (40)
  kind.list = ipoib_link_list;
  kind.resolve = ipoib_link_resolve;
  kind.observe = ipoib_link_observe;
  kind.gap = ipoib_link_gap;
  kind.needs = ipoib_link_needs;
  kind.move = ipoib_link_move;
  kind.is_back = ipoib_link_is_back;
  kind.loses = ipoib_link_loses;
  kind.ours = ipoib_link_ours;
  kind.warn = ipoib_link_warning;
  kind.has_come = ipoib_link_has_come;
  kind.interface = ipoib_link_short_name;
  kind.short_name = ipoib_link_short_name;
  kind.goes_with = ipoib_link_goes_with;
  kind.put_back = ipoib_link_put_back;
  kind.title = ipoib_link_title;
  kind.keep = ipoib_link_keep;
  return kind;
}();

}  // namespace rdmastate
