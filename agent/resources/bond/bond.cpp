// SPDX-License-Identifier: Apache-2.0
// How a bond is observed; what a step takes away from its users; and what goes while a port is down, so that the step's
// run has to put it back. gap.cpp compares bonds, and move.cpp moves them.
#include "resources/bond/bond.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields_overlay.hpp"
#include "base/one_of.hpp"
#include "resources/bond/gap.hpp"
#include "resources/bond/move.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/module.hpp"

namespace rdmastate {
namespace {

Observation bond_observe(const Snapshot& snapshot, const std::string& key) {
  const Link* bond = find_link(snapshot, link_id_from(key));
  if (bond == nullptr || !bond->bond) return Absent{};
  return State(bond_kind, bond_state(snapshot, *bond));
}

// Its ports have a lower rank, and it does without one that is missing, so they are none of its needs.
std::vector<Ref> bond_needs(const std::string&, const State*) { return {{module_kind.name, std::string(bond_module)}}; }

bool has(const std::vector<LinkId>& ports, const LinkId& id) {
  return std::find(ports.begin(), ports.end(), id) != ports.end();
}

// The ports that go down with the step for a moment: those that join and are up, and those that leave.
std::vector<const Link*> disturbed(const Snapshot& snapshot, const State* from, const State* to) {
  const std::vector<LinkId> none;
  const auto& before = from != nullptr ? from->as<BondLink>().ports : none;
  const auto& after = to != nullptr ? to->as<BondLink>().ports : none;
  std::vector<const Link*> links;
  const auto add = [&](const std::vector<LinkId>& some, const std::vector<LinkId>& others) {
    for (const LinkId& id : some)
      if (const Link* link = has(others, id) ? nullptr : find_link(snapshot, id); link != nullptr)
        links.push_back(link);
  };
  add(before, after);
  add(after, before);
  return links;
}

Loss bond_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  Loss loss;
  const bool loses_ipv6 = from != nullptr && to != nullptr && to->as<BondLink>().ipv6 == Ipv6Conf::disabled &&
                          from->as<BondLink>().ipv6 != Ipv6Conf::disabled;
  if (from != nullptr && (to == nullptr || loses_ipv6))
    loss = loss_of_link(scene.snapshot, find_link(scene.snapshot, link_id_from(key)));
  for (const Link* port : disturbed(scene.snapshot, from, to)) add_loss_of_link(scene.snapshot, port, loss);
  return loss;
}

// A port that goes down takes its children down. A run that dies before the port has joined leaves it down: the run's
// record has its state then, by which rollback takes it up.
std::vector<Ref> bond_put_back(const Scene& scene, const std::string&, const State* from, const State* to) {
  std::vector<Ref> refs;
  for (const Link* port : disturbed(scene.snapshot, from, to)) {
    if (port->up && port->master == 0) refs.push_back({ipoib_link_kind.name, ipoib_link_key(scene.snapshot, *port)});
    for (const Link* child : scene.snapshot.links())
      if (child->is_child() && child->up && child->parent == port->index)
        for (auto& ref : what_is_on(scene.snapshot, link_id_from(ipoib_link_key(scene.snapshot, *child))))
          refs.push_back(std::move(ref));
  }
  return refs;
}

std::vector<Ref> bond_goes_with(const Snapshot& snapshot, const std::string& key) {
  return what_is_on(snapshot, link_id_from(key));
}

// Of a bond that is there, what its owner does not surely change (Kind::ours): networkd does since systemd 257. Both
// states leave the rest out: the owner may be at work on that.
std::optional<Gap::Move> bond_ours(const State& from, const State& to,
                                   std::span<const std::string_view> unset_by_owner) {
  const auto &there = from.as<BondLink>(), &asked = to.as<BondLink>();
  BondLink was, becomes;
  was.name = becomes.name = asked.name;
  was.ports = there.ports, was.primary = there.primary;  // no state leaves these two out
  becomes.ports = there.ports, becomes.primary = there.primary;
  const auto take = [&](std::string_view field, auto member) {
    if (is_one_of(field, unset_by_owner)) was.*member = there.*member, becomes.*member = asked.*member;
  };
  take("ports", &BondLink::ports);
  take("primary", &BondLink::primary);
  take("miimon", &BondLink::miimon);
  take("arp_interval", &BondLink::arp_interval);
  take("arp_targets", &BondLink::arp_targets);
  take("mtu", &BondLink::mtu);
  if (was == becomes) return std::nullopt;
  return Gap::Move{State(bond_kind, std::move(was)), State(bond_kind, std::move(becomes))};
}

// Each state says all ports and the primary, or that there is none; of the rest, as far as the step's state says.
bool bond_is_back(const State& now_state, const State& from_state) {
  const auto &now = now_state.as<BondLink>(), &from = from_state.as<BondLink>();
  return now.ports == from.ports && now.primary == from.primary && laid_over(now, from) == now;
}

std::string bond_short_name(const State& state) { return state.as<BondLink>().name.value; }

std::string bond_title(const std::string& key, const State*) { return link_id_from(key).bond; }

}  // namespace

BondLink bond_state(const Snapshot& snapshot, const Link& bond) {
  BondLink state;
  state.settings() = bond.bond->settings();
  state.name = IfName{bond.name};
  for (const Link* port : snapshot.links()) {
    if (port->master != bond.index || !port->is_ipoib()) continue;
    state.ports.push_back(link_id_from(ipoib_link_key(snapshot, *port)));
    if (port->index == bond.bond->primary) state.primary = state.ports.back();
  }
  std::sort(state.ports.begin(), state.ports.end());
  state.mtu = bond.mtu;
  state.ipv6 = bond.ipv6;
  state.up = bond.up;
  return state;
}

bool is_bond_of_ipoib(const Link& bond, std::span<const Link> ports) {
  return bond.bond && bond.bond->mode == BondMode::active_backup &&
         std::all_of(ports.begin(), ports.end(), [](const Link& port) { return port.is_ipoib(); });
}

std::vector<Link> ports_of(const Snapshot& snapshot, const Link& bond) {
  std::vector<Link> ports;
  for (const Link* link : snapshot.links())
    if (link->master == bond.index) ports.push_back(*link);
  return ports;
}

Json bonds_json(const Snapshot& snapshot) {
  Json all = Json::array();
  for (const Link* link : snapshot.links()) {
    if (!link->bond || !link->carries_ipoib()) continue;
    Json entry = bond_kind.to_json(State(bond_kind, bond_state(snapshot, *link)));
    const Link* active = link->bond->active == 0 ? nullptr : snapshot.link(link->bond->active);
    entry["active"] = active != nullptr ? active->name : "";
    add_live_facts(snapshot, *link, entry);
    all.push_back(std::move(entry));
  }
  return all;
}

constinit const Kind bond_kind = [] {
  Kind kind = kind_of<BondLink>("bond");
  kind.verbs = {"create", "change", "remove"};
  kind.rank = 35;  // after IPoIB interfaces (30), its ports, before addresses (40)
  kind.observe = bond_observe;
  kind.gap = bond_gap;
  kind.needs = bond_needs;
  kind.move = bond_move;
  kind.loses = bond_loses;
  kind.ours = bond_ours;
  kind.is_back = bond_is_back;
  kind.put_back = bond_put_back;
  kind.goes_with = bond_goes_with;
  kind.interface = bond_short_name;
  kind.short_name = bond_short_name;
  kind.title = bond_title;
  return kind;
}();

}  // namespace rdmastate
