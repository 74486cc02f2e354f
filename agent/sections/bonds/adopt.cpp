// SPDX-License-Identifier: Apache-2.0
// Class BondAdopter makes a record of a bond's state, which is the live one where the bond is there, and gives it the
// addresses and routes that boot.json has for it, or for a bond of others those that are on it.
#include "sections/bonds/adopt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/link_local.hpp"
#include "resources/address.hpp"
#include "resources/bond/bond.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/route.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {
namespace {

class BondAdopter {
 public:
  BondAdopter(const Adoption& from, Adopted& to) : from_(from), to_(to), profiles_(profiles_of(to.spec)) {
    for (const auto& one : from.applied.resources)
      if (one.kind == bond_kind.name) taken_.insert(one.key);
  }

  void add_from_boot_file() {
    for (std::size_t i = 0; i < from_.boot.wanted.size(); ++i) {
      const Wanted& one = from_.boot.wanted[i];
      if (one.kind != &bond_kind) continue;
      if (add(one.key, refreshed(one), from_.boot_line(i))) add_addresses_of_boot_file(one.key);
    }
  }

  void add_live_bonds() {
    for (const Link* link : from_.snapshot.links()) {
      const std::string key = to_text(bond_id(link->name));
      if (!link->bond || link->type != Link::type_infiniband || taken_.contains(key)) continue;
      const std::string why = why_left_out(*link);
      if (!why.empty())
        to_.left_out.push_back(fmt::format("{} is a bond {}", link->name, why));
      else if (add(key, bond_state(from_.snapshot, *link), "interface " + link->name))
        add_live_addresses(*link);
    }
  }

 private:
  BondRecord& record() { return to_.spec.bonds.back(); }
  std::string path(std::string_view field = {}) const { return bond_path(to_.spec.bonds.size() - 1, field); }

  Observation live(const std::string& key) const {
    return from_.snapshot.is_tree() ? Observation(Absent{}) : bond_kind.observe(from_.snapshot, key);
  }

  // The state of boot.json, with live values where the bond is there: IPv6 alone may be left out.
  BondLink refreshed(const Wanted& one) const {
    const auto& stated = one.state->as<BondLink>();
    const Observation observed = live(one.key);
    if (state_of(observed) == nullptr) return stated;
    BondLink now = state_of(observed)->as<BondLink>();
    if (!stated.ipv6) now.ipv6.reset();
    return now;
  }

  std::string why_left_out(const Link& link) const {
    if (row_of(from_.backend).bond_by == nullptr)
      return fmt::format("of IPoIB interfaces, which back end {} does not make", to_text(from_.backend));
    if (link.bond->mode != BondMode::active_backup) return "of mode " + to_text(link.bond->mode);
    if (!link.up) return "that is down, and an interface of a spec is up";
    return {};
  }

  // The name of a port's record; empty: the spec has none.
  std::string name_of(const LinkId& id) const {
    const Link* link = find_link(from_.snapshot, id);
    for (const auto& profile : profiles_)
      if (profile.id == id || (link != nullptr && profile.name == link->name)) return profile.name;
    return {};
  }

  // Adds the record. False: a port of it is not in the spec, which is noted.
  bool add(const std::string& key, const BondLink& state, const std::string& source) {
    BondRecord made;
    made.name = state.name;
    for (const LinkId& port : state.ports) {
      const std::string name = name_of(port);
      if (name.empty()) {
        to_.left_out.push_back(
            fmt::format("{} is a bond with the port {}, which is not in the spec", state.name.value, to_text(port)));
        return false;
      }
      made.ports.push_back({name});
      if (state.primary == port) made.primary = made.ports.back();
    }
    give_monitor(made, state);
    if (says_ipv6(state)) made.ipv6.emplace().method = method_of(*state.ipv6);
    to_.spec.bonds.push_back(std::move(made));
    to_.came_from(path(), source);
    taken_.insert(key);
    return true;
  }

  // An owner takes router advertisements itself, whatever the kernel would do about them.
  bool says_ipv6(const BondLink& state) const {
    return state.ipv6 && (from_.backend == Backend::none || state.ipv6 != Ipv6Conf::automatic);
  }

  void give_monitor(BondRecord& made, const BondLink& state) {
    if (state.arp_interval.value_or(0) != 0) {
      made.arp_interval = state.arp_interval;
      made.arp_targets = state.arp_targets;
    } else if (state.miimon.value_or(0) == 0) {
      to_.left_out.push_back(
          fmt::format("{} has no monitor, and a bond of a spec has one: miimon: {}", state.name.value, usual_miimon));
    } else if (state.miimon != usual_miimon) {
      made.miimon = state.miimon;
    }
  }

  void add_addresses_of_boot_file(const std::string& bond) {
    for (std::size_t i = 0; i < from_.boot.wanted.size(); ++i) {
      const Wanted& one = from_.boot.wanted[i];
      if (one.kind != &address_kind && one.kind != &route_kind) continue;
      const bool is_address = one.kind == &address_kind;
      const LinkId link = is_address ? one.state->as<AddressState>().link : one.state->as<RouteState>().link;
      const bool is_gone = !from_.snapshot.is_tree() && state_of(live(bond)) != nullptr &&
                           state_of(one.kind->observe(from_.snapshot, one.key)) == nullptr;
      if (to_text(link) != bond || is_gone) continue;
      const std::string field = is_address ? give_address(record(), one.state->as<AddressState>().address)
                                           : give_route(record(), one.state->as<RouteState>());
      if (!field.empty()) to_.came_from(path(field), from_.boot_line(i));
    }
  }

  void add_live_addresses(const Link& link) {
    for (const auto& ref : what_is_on(from_.snapshot, bond_id(link.name))) {
      const bool is_address = ref.kind == address_kind.name;
      const Observation seen = (is_address ? address_kind : route_kind).observe(from_.snapshot, ref.key);
      const State* state = state_of(seen);
      if (state == nullptr) continue;
      const std::string field = is_address ? give_address(record(), state->as<AddressState>().address)
                                           : give_route(record(), state->as<RouteState>());
      if (!field.empty()) to_.came_from(path(field), "interface " + link.name);
    }
  }

  const Adoption& from_;
  Adopted& to_;
  std::vector<Profile> profiles_;
  std::set<std::string> taken_;  // keys of bonds that have a record already
};

}  // namespace

void adopt_bonds(const Adoption& from, Adopted& to) {
  BondAdopter adopter(from, to);
  if (!from.applied.holds("bonds")) adopter.add_from_boot_file();
  if (!from.snapshot.is_tree()) adopter.add_live_bonds();
}

}  // namespace rdmastate
