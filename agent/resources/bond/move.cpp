// SPDX-License-Identifier: Apache-2.0
// A move makes the bond where it is missing, then gives it what differs. Ports join before others leave, so that the
// bond goes on; the kernel chooses among those that are there.
#include "resources/bond/move.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fields_overlay.hpp"
#include "resources/link_table.hpp"

namespace rdmastate {
namespace {

void take(Tools& tools, const Link& link, bool up) {
  LinkChange change;
  change.up = up;
  tools.host.links->change(link, change);
  tools.links.refresh(link.name);
}

// A port that leaves is down; it had been up in the bond, and whoever has it next wants it so.
void release(Tools& tools, const Link& port) {
  tools.host.links->set_master(port, 0);
  tools.links.refresh(port.name);
  take(tools, port, /*up=*/true);
}

void join(Tools& tools, const LinkId& id, std::uint32_t bond) {
  const Link* known = tools.links.find(id);
  if (known == nullptr) return;      // its owner has yet to make it
  tools.links.refresh(known->name);  // steps before this one may have taken it up
  const Link port = tools.links.require(id);
  if (port.master == bond) return;
  if (port.up) take(tools, port, /*up=*/false);
  try {
    tools.host.links->set_master(port, bond);
  } catch (const Error&) {
    if (port.up) take(tools, port, /*up=*/true);  // no step of this run would do so
    throw;
  }
  tools.links.refresh(port.name);
}

// nullptr: it is not there, or went with its last port, which a step before this one has removed.
const Link* find_bond(Tools& tools, const LinkId& id) {
  const Link* known = tools.links.find(id);
  if (known == nullptr || tools.host.links->find(known->name)) return known;
  tools.links.forget(known->index);
  return nullptr;
}

void remove(Tools& tools, const LinkId& id) {
  const Link* found = find_bond(tools, id);
  if (found == nullptr) return;
  const Link bond = *found;
  const auto ports = tools.links.ports_of(bond.index);
  tools.host.links->remove(bond);
  tools.links.forget(bond.index);
  for (const Link& port : ports) {
    tools.links.refresh(port.name);
    take(tools, port, /*up=*/true);
  }
}

void create(Tools& tools, const BondLink& wanted) {
  tools.host.links->create(NewBond{wanted.settings(), wanted.name.value, wanted.mtu.value_or(0)});
  tools.links.refresh(wanted.name.value);
}

void set_options(Tools& tools, const LinkId& id, const BondLink& to) {
  const Link bond = tools.links.require(id);
  BondChange change{differing(bond.bond->settings(), to.settings())};
  if (change == BondChange{}) return;
  tools.host.links->change(bond, change);
  tools.links.refresh(bond.name);
}

void set_primary(Tools& tools, const LinkId& id, const BondLink& to) {
  const Link bond = tools.links.require(id);
  BondChange change;
  change.primary = to.primary ? tools.links.require(*to.primary).index : 0;
  if (change.primary == bond.bond->primary) return;
  tools.host.links->change(bond, change);
}

void set_link(Tools& tools, const LinkId& id, const LinkChange& change) {
  if (change == LinkChange{}) return;
  const Link bond = tools.links.require(id);
  tools.host.links->change(bond, change);
  tools.links.refresh(bond.name);
}

// The bond's MTU first: each port that joins gets it.
void set_mtu(Tools& tools, const LinkId& id, const BondLink& to) {
  LinkChange change;
  if (to.mtu && tools.links.require(id).mtu != *to.mtu) change.mtu = to.mtu;
  set_link(tools, id, change);
}

void set_state(Tools& tools, const LinkId& id, const BondLink& to) {
  const Link& bond = tools.links.require(id);
  LinkChange change;
  if (to.ipv6 && to.ipv6 != bond.ipv6) change.ipv6 = to.ipv6;
  if (to.up && *to.up != bond.up) change.up = to.up;
  set_link(tools, id, change);
}

bool has(const std::vector<Link>& ports, std::uint32_t index) {
  return std::any_of(ports.begin(), ports.end(), [&](const Link& one) { return one.index == index; });
}

void set_ports(Tools& tools, const LinkId& id, const BondLink& to) {
  const std::uint32_t bond = tools.links.require(id).index;
  std::vector<Link> wanted;
  for (const LinkId& port : to.ports) {
    join(tools, port, bond);
    if (const Link* joined = tools.links.find(port)) wanted.push_back(*joined);
  }
  for (const Link& port : tools.links.ports_of(bond))
    if (!has(wanted, port.index)) release(tools, port);
  tools.links.refresh(to.name.value);
}

}  // namespace

void bond_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const LinkId id = link_id_from(key);
  if (to == nullptr) return remove(tools, id);
  const auto& wanted = to->as<BondLink>();
  if (find_bond(tools, id) == nullptr) create(tools, wanted);
  set_options(tools, id, wanted);
  set_mtu(tools, id, wanted);
  set_ports(tools, id, wanted);
  set_primary(tools, id, wanted);
  set_state(tools, id, wanted);
}

}  // namespace rdmastate
