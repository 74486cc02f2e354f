// SPDX-License-Identifier: Apache-2.0
#include "resources/ipoib_link.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/fields_overlay.hpp"
#include "resources/address.hpp"
#include "resources/ipoib_gap.hpp"
#include "resources/link_table.hpp"
#include "resources/module.hpp"
#include "resources/route.hpp"

namespace rdmastate {
namespace {

IpoibLink state_from(const Link& link, const LinkId& id) {
  IpoibLink state;
  state.id = id;
  state.name = IfName{link.name};
  if (link.ipoib) {
    state.mode = link.ipoib->mode;
    state.umcast = link.ipoib->umcast;
  }
  state.mtu = link.mtu;
  state.ipv6 = link.ipv6;
  state.up = link.up;
  return state;
}

LinkId id_of(const Snapshot& snapshot, const Link& link) {
  LinkId id;
  const Link* port = link.is_child() ? snapshot.link(link.parent) : &link;
  if (port != nullptr) id.guid = port->port_guid();
  if (link.is_child() && link.ipoib) id.pkey = link.ipoib->pkey;
  return id;
}

std::vector<std::string> list(const Snapshot& snapshot) {
  std::vector<std::string> keys;
  for (const Link* link : snapshot.links())
    if (link->is_ipoib()) keys.push_back(to_text(id_of(snapshot, *link)));
  return keys;
}

std::string resolve_key(const Snapshot& snapshot, const std::string& key) {
  return is_resolved(snapshot, key) ? key : to_text(resolve(snapshot, link_id_from(key)));
}

Observation observe(const Snapshot& snapshot, const std::string& key) {
  const LinkId id = link_id_from(key);
  const Link* link = find_link(snapshot, id);
  if (link == nullptr) return Absent{};
  return State(ipoib_link_kind, state_from(*link, id));
}

std::vector<Ref> needs(const std::string& key, const State*) {
  const LinkId id = link_id_from(key);
  if (id.pkey) return {{ipoib_link_kind.name, to_text(id.parent())}};
  return {{module_kind.name, "ib_ipoib"}};
}

LinkChange change_between(const IpoibLink& from, const IpoibLink& to) {
  LinkChange change;
  if (to.mode && to.mode != from.mode) change.mode = to.mode;
  if (to.umcast && to.umcast != from.umcast) change.umcast = to.umcast;
  if (to.mtu && (to.mtu != from.mtu || change.mode)) change.mtu = to.mtu;
  if (to.name && to.name != from.name) change.name = to.name->value;
  if (to.ipv6 && to.ipv6 != from.ipv6) change.ipv6 = to.ipv6;
  if (to.up && to.up != from.up) change.up = to.up;
  return change;
}

void create(Tools& tools, const IpoibLink& wanted) {
  const Link& parent = tools.links.require(wanted.id.parent());
  const std::string name =
      wanted.name ? wanted.name->value : fmt::format("{}.{:04x}", parent.name, wanted.id.pkey->value);
  tools.host.links->create({parent.index, name, *wanted.id.pkey, wanted.mode, wanted.umcast});
  tools.links.refresh(name);
}

void remove(Tools& tools, const LinkId& id) {
  const Link link = tools.links.require(id);
  tools.host.links->remove(link);
  tools.links.forget(link.index);
}

void take_down(Tools& tools, const Link& link) {
  LinkChange down;
  down.up = false;
  tools.host.links->change(link, down);
  tools.links.refresh(link.name);
}

// A parent that goes up takes its children along (ipoib_open), and what is up cannot be renamed (EBUSY): a child that
// was down when the plan was made is taken down again for its new name.
Link ready_for_name(Tools& tools, const IpoibLink& to) {
  const Link known = tools.links.require(to.id);
  if (!known.is_child() || !to.name || to.name->value == known.name) return known;
  tools.links.refresh(known.name);
  const Link link = tools.links.require(to.id);
  if (!link.up) return link;
  take_down(tools, link);
  return tools.links.require(to.id);
}

std::string spare_name(LinkTable& links) {
  for (std::size_t i = 0;; ++i) {
    LinkId id;
    id.name = fmt::format("rdmastate_{}", i);
    if (links.find(id) == nullptr) return id.name;
  }
}

// Names may go round in a circle: whoever has the wanted one steps aside, and has a step of its own in the same plan.
// When such a plan is undone, it is up by now, and its own step brings it back to what it was.
void make_room(Tools& tools, const Link& link, const std::string& name) {
  LinkId id;
  id.name = name;
  const Link* holder = tools.links.find(id);
  if (holder == nullptr || holder->index == link.index || !holder->is_ipoib()) return;
  const Link there = *holder;
  if (there.up) take_down(tools, there);
  LinkChange aside;
  aside.name = spare_name(tools.links);
  tools.host.links->change(there, aside);
  tools.links.refresh(*aside.name);
}

// `from` may be stale where the kernel moved a field by itself (mode moves the MTU): the change is taken against what
// the table knows now.
void change(Tools& tools, const IpoibLink& to) {
  const Link link = ready_for_name(tools, to);
  const LinkChange wanted = change_between(state_from(link, to.id), to);
  if (wanted == LinkChange{}) return;
  if (wanted.name) make_room(tools, link, *wanted.name);
  tools.host.links->change(link, wanted);
  tools.links.refresh(wanted.name.value_or(link.name));
}

void move(Tools& tools, const std::string& key, const State* from, const State* to) {
  const LinkId id = link_id_from(key);
  if (to == nullptr) return remove(tools, id);
  IpoibLink wanted = to->as<IpoibLink>();
  wanted.id = id;
  if (from == nullptr && tools.links.find(id) == nullptr) create(tools, wanted);
  change(tools, wanted);
}

// An interface that has never been up shows the port's largest MTU; once it has joined its multicast group it has the
// group's, and nothing brings the first back.
bool is_back(const State& now, const State& from) {
  IpoibLink before = from.as<IpoibLink>();
  const auto& after = now.as<IpoibLink>();
  if (after.mode == IpoibMode::datagram && after.mtu && before.mtu && *after.mtu < *before.mtu) before.mtu = after.mtu;
  return after == before;
}

const Link* bounces(const Snapshot& snapshot, const std::string& key) { return find_link(snapshot, link_id_from(key)); }

std::vector<std::string> touches(const Snapshot& snapshot, const std::string& key) {
  const Link* link = find_link(snapshot, link_id_from(key));
  return link == nullptr ? std::vector<std::string>() : disturbed_with(snapshot, *link);
}

bool is_link_local(const IpAddress& address) {
  return address.family == Family::v6 && address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0U) == 0x80;
}

// Not what the kernel makes by itself: link-local addresses and the routes that follow from addresses or from routers.
std::vector<Ref> goes_with(const Snapshot& snapshot, const std::string& key) {
  constexpr std::uint8_t by_kernel = 2;  // RTPROT_KERNEL
  constexpr std::uint8_t by_router = 9;  // RTPROT_RA
  std::vector<Ref> refs;
  const LinkId id = link_id_from(key);
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

std::string title(const std::string& key, const State* state) {
  const auto* link = state != nullptr ? &state->as<IpoibLink>() : nullptr;
  if (link == nullptr || !link->name) return key;
  return fmt::format("{} ({})", link->name->value, key);
}

}  // namespace

std::vector<std::string> disturbed_with(const Snapshot& snapshot, const Link& link) {
  constexpr std::uint8_t by_kernel = 2;  // RTPROT_KERNEL
  std::vector<std::string> touched;
  for (const Link* other : snapshot.links())
    if (other->parent == link.index) touched.push_back("interface " + other->name);
  for (const auto& address : snapshot.addresses(link.index)) touched.push_back("address " + to_text(address.value));
  for (const auto& route : snapshot.routes(link.index))
    if (route.protocol != by_kernel) touched.push_back("route " + to_text(route.to));
  return touched;
}

constinit const Kind ipoib_link_kind = [] {
  Kind kind = kind_of<IpoibLink>("ipoib_link");
  kind.rank = 30;
  kind.list = list;
  kind.resolve = resolve_key;
  kind.observe = observe;
  kind.gap = ipoib_link_gap;
  kind.needs = needs;
  kind.move = move;
  kind.is_back = is_back;
  kind.bounces = bounces;
  kind.touches = touches;
  kind.goes_with = goes_with;
  kind.title = title;
  return kind;
}();

}  // namespace rdmastate
