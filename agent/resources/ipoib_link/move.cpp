// SPDX-License-Identifier: Apache-2.0
// A move creates a child that is missing, and then changes what differs. For a new name the interface has to be down
// (ready_for_name) and the name free (make_room).
#include "resources/ipoib_link/move.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "base/error.hpp"
#include "base/fields_overlay.hpp"
#include "resources/link_table.hpp"

namespace rdmastate {
namespace {

// What to tell the kernel. A new mode moves the MTU, so then the MTU is set too.
LinkChange change_between(const IpoibLink& from, const IpoibLink& to) {
  LinkChange change{differing(from.settings(), to.settings())};
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
  tools.host.links->create({wanted.settings(), parent.index, name, *wanted.id.pkey});
  tools.links.refresh(name);
}

// A child that an owner made may have gone by the step before, with its owner's file.
void remove(Tools& tools, const LinkId& id) {
  const Link* found = tools.links.find(id);
  if (found == nullptr) return;
  const Link link = *found;
  tools.host.links->remove(link);
  tools.links.forget(link.index);
}

void take_down(Tools& tools, const Link& link) {
  LinkChange down;
  down.up = false;
  tools.host.links->change(link, down);
  tools.links.refresh(link.name);
}

// NetworkManager deactivates a port's interface before it goes down: else it would go on with a name that is gone. It
// is not asked where it was never started, since the back end none uses no bus.
void let_go(Tools& tools, const Link& link) {
  NetworkManager* nm = tools.host.networkmanager;
  const bool may_run = nm != nullptr && !link.is_child() && tools.host.files.meta("/run/NetworkManager").has_value();
  const auto state = may_run ? nm->look() : std::nullopt;
  if (state && state->device(link.name) != nullptr) nm->deactivate(link.name);
  take_down(tools, link);
}

// The interface, taken down where it gets another name: one that is up cannot be renamed (EBUSY). A child that was down
// when the plan was made is up by now if its parent went up (ipoib_open).
Link ready_for_name(Tools& tools, const IpoibLink& to) {
  const Link known = tools.links.require(to.id);
  if (!to.name || to.name->value == known.name) return known;
  tools.links.refresh(known.name);
  const Link link = tools.links.require(to.id);
  if (!link.up) return link;
  let_go(tools, link);
  return tools.links.require(to.id);
}

std::string spare_name(LinkTable& links) {
  for (std::size_t i = 0;; ++i) {
    LinkId id;
    id.name = fmt::format("rdmastate_{}", i);
    if (links.find(id) == nullptr) return id.name;
  }
}

// Interfaces may swap names: the one that has the wanted name gets a spare name, and its own step in the same plan
// gives it the right one. In undo that interface is up, and its own step restores its state.
void make_room(Tools& tools, const Link& link, const std::string& name) {
  LinkId id;
  id.name = name;
  const Link* holder = tools.links.find(id);
  if (holder == nullptr || holder->index == link.index || !holder->is_ipoib()) return;
  const Link there = *holder;
  if (there.up) let_go(tools, there);
  LinkChange aside;
  aside.name = spare_name(tools.links);
  tools.host.links->change(there, aside);
  tools.links.refresh(*aside.name);
}

// rdmastate does not know a port's largest MTU (libibverbs does): the kernel answers EINVAL and nothing more to one
// that is too large (ipoib_change_mtu).
void change_link(Tools& tools, const Link& link, const LinkChange& wanted, bool is_datagram) {
  try {
    tools.host.links->change(link, wanted);
  } catch (const SystemError& error) {
    if (error.number() != EINVAL || !wanted.mtu || !is_datagram) throw;
    throw SystemError::with_text(
        fmt::format("{}: in datagram mode the kernel takes 4 less than the port's max_mtu, which ibv_devinfo shows; "
                    "write a smaller mtu, or mode: connected",
                    error.what()),
        EINVAL);
  }
}

// The state before the step may be stale where the kernel moved a field by itself (mode moves the MTU): the change is
// computed from what the table knows now.
void change(Tools& tools, const IpoibLink& to) {
  const Link link = ready_for_name(tools, to);
  const LinkChange wanted = change_between(ipoib_link_state(link, to.id), to);
  if (wanted == LinkChange{}) return;
  if (wanted.name) make_room(tools, link, *wanted.name);
  const auto mode = wanted.mode ? wanted.mode : ipoib_link_state(link, to.id).mode;
  change_link(tools, link, wanted, mode == IpoibMode::datagram);
  tools.links.refresh(wanted.name.value_or(link.name));
}

}  // namespace

void ipoib_link_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  const LinkId id = link_id_from(key);
  if (to == nullptr) return remove(tools, id);
  IpoibLink wanted = to->as<IpoibLink>();
  wanted.id = id;
  if (from == nullptr && tools.links.find(id) == nullptr) create(tools, wanted);
  change(tools, wanted);
}

}  // namespace rdmastate
