// SPDX-License-Identifier: Apache-2.0
// ifdown flushes an interface's addresses, takes it down, and removes it where it is a child; with a port it takes the
// port's children. ..._loses() says which interfaces a step takes down; ..._puts_back() says what of them ifup does not
// bring back: apply does that at the end of the round.
#include <algorithm>
#include <set>

#include "base/link_local.hpp"
#include "host/ifupdown.hpp"
#include "resources/address.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "resources/ifupdown_file/running.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/renames.hpp"
#include "resources/route.hpp"

namespace rdmastate {
namespace {

using HeldInterfaces = std::map<std::string, std::string>;

HeldInterfaces held_now(const Snapshot& snapshot) {
  return read_ifstate(snapshot.read(std::string(ifstate_path)).value_or(""));
}

std::vector<Address> addresses_of(const Snapshot& snapshot, const std::string& interface) {
  const Link* link = snapshot.link(interface);
  return link == nullptr ? std::vector<Address>() : snapshot.addresses(link->index);
}

void add_link(const Snapshot& snapshot, const std::string& interface, Loss& loss) {
  add_loss_of_link(snapshot, snapshot.link(interface), loss);
}

const IfupdownFileState* state_in(const State* state) {
  return state == nullptr ? nullptr : &state->as<IfupdownFileState>();
}

// The stanzas of rdmastate's file for the interface, as it is on the disk: ifup brings back what they name.
std::vector<InterfaceStanzas> named_on_disk(const Snapshot& snapshot, const std::string& interface) {
  return read_interfaces_text(snapshot.read(ifupdown_path(interface)).value_or(""));
}

bool names(const std::vector<InterfaceStanzas>& all, const IpAddress& address) {
  return std::any_of(all.begin(), all.end(), [&](const InterfaceStanzas& one) { return one.names(address); });
}

bool lead_to(const std::vector<InterfaceStanzas>& all, const IpNetwork& network) {
  return std::any_of(all.begin(), all.end(), [&](const InterfaceStanzas& one) { return one.leads_to(network); });
}

// Adds what ifdown takes off the interface and ifup does not bring back. Where ifupdown holds it by rdmastate's file:
// the addresses and routes that the file does not name; else all of them, and the link if it is up. Those of the
// kernel, a router or a lease are left out.
void add_of_others(const Snapshot& snapshot, const Link& link, bool is_held, std::vector<Ref>& refs) {
  constexpr std::uint8_t by_hand = 3;    // RTPROT_BOOT: ip(8)'s own default
  constexpr std::uint8_t by_static = 4;  // RTPROT_STATIC
  const auto named = is_held ? named_on_disk(snapshot, link.name) : std::vector<InterfaceStanzas>();
  const LinkId id = link_id_from(ipoib_link_key(snapshot, link));
  if (named.empty() && link.up) refs.push_back({ipoib_link_kind.name, to_text(id)});
  for (const auto& one : snapshot.addresses(link.index))
    if (one.permanent && !is_link_local(one.value.address) && !names(named, one.value.address))
      refs.push_back({address_kind.name, address_key(id, one.value)});
  for (const auto& one : snapshot.routes(link.index))
    if ((one.protocol == by_hand || one.protocol == by_static) && !lead_to(named, one.to))
      refs.push_back({route_kind.name, route_key({id, one.to, one.metric, one.via})});
}

// The interface that has the name, or gets it by this plan.
const Link* link_now(const Scene& scene, const std::string& name) {
  if (const Link* link = scene.snapshot.link(name)) return link;
  const auto rename = rename_to(scene, name);
  return rename ? scene.snapshot.link(rename->from) : nullptr;
}

}  // namespace

bool takes_down(const IfupdownFileState* from, const IfupdownFileState* to) {
  if (from == nullptr) return false;
  if (to == nullptr) return true;
  if (!to->up) return false;
  return from->content != to->content || !*to->up || !from->applied.value_or(true);
}

Loss ifupdown_file_loses(const Scene& scene, const std::string&, const State* from, const State* to) {
  Loss loss;
  if (!scene.snapshot.has_ifupdown()) return loss;
  const auto *before = state_in(from), *after = state_in(to);
  const HeldInterfaces held = held_now(scene.snapshot);
  if (takes_down(before, after))
    for (const auto& one : stanzas_of(*before))
      if (held.contains(one.name)) add_link(scene.snapshot, one.name, loss);
  if (after == nullptr || !after->up.value_or(false)) return loss;
  // Before ifup the mover forces an interface down that ifupdown holds by other stanzas, or that has one of the file's
  // addresses without ifupdown.
  const auto stanzas = stanzas_of(*after);
  if (stanzas.empty()) return loss;
  const InterfaceStanzas& one = stanzas.front();
  const bool by_another = before == nullptr && held.contains(one.name);
  const bool is_in_the_way = !held.contains(one.name) && has_one_of(one, addresses_of(scene.snapshot, one.name));
  if (by_another || is_in_the_way) add_link(scene.snapshot, one.name, loss);
  return loss;
}

std::vector<Ref> ifupdown_file_puts_back(const Scene& scene, const std::string& key, const State* from,
                                         const State* to) {
  std::vector<Ref> refs;
  if (to == nullptr || !scene.snapshot.has_ifupdown() || !state_in(to)->up.value_or(false)) return refs;
  const HeldInterfaces held = held_now(scene.snapshot);
  std::set<std::uint32_t> links;  // those that the step takes down, and those that ifup is to bring up
  for (const std::uint32_t index : ifupdown_file_loses(scene, key, from, to).links) links.insert(index);
  for (const auto& one : stanzas_of(file_of(*to)))
    if (const Link* link = link_now(scene, one.name); link != nullptr && !held.contains(one.name))
      links.insert(link->index);
  for (const std::uint32_t index : links) {
    const Link* link = scene.snapshot.link(index);
    const bool stays = link != nullptr && link->is_ipoib() && !is_going(scene, ifupdown_path(link->name));
    if (stays) add_of_others(scene.snapshot, *link, held.contains(link->name), refs);
  }
  return refs;
}

}  // namespace rdmastate
