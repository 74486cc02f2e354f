// SPDX-License-Identifier: Apache-2.0
// Makes records of a host's interfaces where no file says what rdmastate made (back end none, or netplan and ifupdown
// without a file of rdmastate). adopt_links() first adds those of boot.json, unless the applied spec has a section
// ipoib (its records are in the spec already then), then other interfaces that are up. Class LinkAdoption does both.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/fields_overlay.hpp"
#include "base/link_local.hpp"
#include "resources/address.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/route.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {

Ipv6Method method_of(Ipv6Conf conf) {
  switch (conf) {
    case Ipv6Conf::disabled:
      return Ipv6Method::disabled;
    case Ipv6Conf::link_local:
      return Ipv6Method::link_local;
    case Ipv6Conf::automatic:
      return Ipv6Method::automatic;
  }
  return Ipv6Method::link_local;
}

namespace {

constexpr std::uint8_t by_kernel = 2;  // RTPROT_KERNEL
constexpr std::uint8_t by_router = 9;  // RTPROT_RA
constexpr std::uint8_t by_dhcp = 16;   // RTPROT_DHCP

std::string family_field(Family family) { return family == Family::v4 ? "ipv4" : "ipv6"; }

// Builds the records of one host, and appends them to to.spec.ipoib.
class LinkAdoption {
 public:
  LinkAdoption(const Adoption& from, Adopted& to) : from_(from), to_(to) {}

  // Marks the links of the spec that was applied last as taken: their records are in the spec already.
  void skip_applied() {
    for (const auto& one : from_.applied.resources) {
      const bool is_link = one.kind == ipoib_link_kind.name && !from_.snapshot.is_tree();
      if (const Link* link = is_link ? find_link(from_.snapshot, link_id_from(one.key)) : nullptr; link != nullptr)
        taken_.insert(link->index);
    }
  }

  void add_from_boot_file() {
    for (std::size_t i = 0; i < from_.boot.wanted.size(); ++i) {
      const auto& one = from_.boot.wanted[i];
      if (one.kind == &ipoib_link_kind) add_link_of_boot_file(one, i);
      if (one.kind == &address_kind) add_address_of_boot_file(one, i);
      if (one.kind == &route_kind) add_route_of_boot_file(one, i);
    }
    // Parents last: a child may stand before its port in boot.json.
    for (const auto& [key, parent] : parents_) {
      const auto found = records_.find(parent);
      if (found != records_.end()) record(records_.at(key)).parent = record(found->second).name;
      forget_usual_name(record(records_.at(key)));
    }
  }

  // Ports before children, so that a child's parent is in the spec already; each in the order of the ifindex.
  void add_live_links() {
    for (const bool children : {false, true})
      for (const Link* link : ipoib_links_by_index())
        if (link->is_child() == children && !taken_.contains(link->index)) add_live_link(*link);
  }

 private:
  IpoibRecord& record(std::size_t index) { return to_.spec.ipoib[index]; }

  // Takes the name out where a record without it has the same: parent.XXXX (the P_Key).
  static void forget_usual_name(IpoibRecord& record) {
    if (record.parent && record.pkey && record.name &&
        record.name->value == child_name(record.parent->value, *record.pkey))
      record.name.reset();
  }

  // Adds an empty record of the link with this key, and returns its index.
  std::size_t begin_record(const std::string& key, const std::string& source) {
    const std::size_t index = to_.spec.ipoib.size();
    to_.spec.ipoib.emplace_back();
    records_.emplace(key, index);
    to_.came_from(ipoib_path(index), source);
    return index;
  }

  // Adds the record of a link of boot.json, which stands there at `index`. boot.json decides which fields the record
  // has; their values are the live ones where the link is there.
  void add_link_of_boot_file(const Wanted& one, std::size_t index) {
    const LinkId id = link_id_from(one.key);
    IpoibLink state = one.state->as<IpoibLink>();
    const Link* link = from_.snapshot.is_tree() ? nullptr : find_link(from_.snapshot, id);
    if (link != nullptr) {
      taken_.insert(link->index);
      refresh(state, *link);
    }
    IpoibRecord& made = record(begin_record(one.key, from_.boot_line(index)));
    made.name = state.name;
    made.pkey = id.pkey;
    if (id.pkey) parents_.emplace(one.key, to_text(id.parent()));
    if (!id.pkey && id.name.empty()) made.match = match_of(id);
    made.settings() = state.settings();
    made.mtu = state.mtu;
    if (state.ipv6) made.ipv6.emplace().method = method_of(*state.ipv6);
  }

  // Replaces the values of `state` by the live ones; adds none.
  static void refresh(IpoibLink& state, const Link& link) {
    if (state.name) state.name->value = link.name;
    if (link.ipoib) state.settings() = as_it_is(state.settings(), link.ipoib->settings());
    if (state.mtu) state.mtu = link.mtu;
    if (state.ipv6 && link.ipv6) state.ipv6 = link.ipv6;
  }

  static PortMatch match_of(const LinkId& id) {
    PortMatch match;
    if (id.guid.value != 0) {
      match.port_guid = id.guid;
    } else {
      match.device = id.device;
      match.port = id.port;
    }
    return match;
  }

  // Whether the link is there, but this address or route of it is not any more.
  bool is_gone(const Wanted& one) {
    return !from_.snapshot.is_tree() && find_link(from_.snapshot, link_of(one)) != nullptr &&
           state_of(one.kind->observe(from_.snapshot, one.key)) == nullptr;
  }

  static LinkId link_of(const Wanted& one) {
    return one.kind == &address_kind ? one.state->as<AddressState>().link : one.state->as<RouteState>().link;
  }

  void add_address_of_boot_file(const Wanted& one, std::size_t index) {
    const auto& state = one.state->as<AddressState>();
    const auto found = records_.find(to_text(state.link));
    if (found == records_.end() || is_gone(one)) return;
    give_address(record(found->second), state.address);
    const std::string field = family_field(state.address.address.family) + ".addresses";
    to_.came_from(ipoib_path(found->second, field), from_.boot_line(index));
  }

  void add_route_of_boot_file(const Wanted& one, std::size_t index) {
    const auto& state = one.state->as<RouteState>();
    const auto found = records_.find(to_text(state.link));
    if (found == records_.end() || is_gone(one)) return;
    const std::string field = give_route(record(found->second), state);
    if (!field.empty()) to_.came_from(ipoib_path(found->second, field), from_.boot_line(index));
  }

  std::vector<const Link*> ipoib_links_by_index() const {
    std::vector<const Link*> links;
    for (const Link* link : from_.snapshot.links())
      if (link->is_ipoib() && link->ipoib) links.push_back(link);
    std::sort(links.begin(), links.end(), [](const Link* a, const Link* b) { return a->index < b->index; });
    return links;
  }

  // Why a spec cannot have this live interface, as a sentence; empty where it can.
  std::string why_left_out(const Link& link) const {
    if (!link.up) return fmt::format("{} is down, and an interface of a spec is up", link.name);
    if (!link.is_child()) return {};
    const Link* parent = from_.snapshot.link(link.parent);
    if (parent == nullptr || !names_.contains(parent->name))
      return fmt::format("{} is a child of an interface that is not in the spec", link.name);
    if (link.ipoib->pkey.value == PKey::default_partition)
      return fmt::format("{} is in the same partition as its parent {}", link.name, parent->name);
    if (partitions_.contains({link.parent, link.ipoib->pkey.value}))
      return fmt::format("{} is a second child in partition {} of {}", link.name, to_text(link.ipoib->pkey),
                         parent->name);
    return {};
  }

  // Whether a port's interface is as the driver made it: down and without addresses.
  static bool is_untouched(const Snapshot& snapshot, const Link& link) {
    return !link.is_child() && !link.up && snapshot.addresses(link.index).empty();
  }

  void add_live_link(const Link& link) {
    if (is_untouched(from_.snapshot, link)) return;
    note_what_the_spec_has();
    if (const std::string why = why_left_out(link); !why.empty()) {
      to_.left_out.push_back(why);
      return;
    }
    const std::size_t index = begin_record("name " + link.name, "interface " + link.name);
    IpoibRecord& made = record(index);
    made.name = IfName{link.name};
    if (link.is_child()) {
      made.parent = IfName{from_.snapshot.link(link.parent)->name};
      made.pkey = link.ipoib->pkey;
    } else {
      made.match = match_for(from_, link.name);
    }
    made.settings() = differing(new_ipoib_settings(), link.ipoib->settings());
    made.mode = link.ipoib->mode;  // always said: NetworkManager needs one
    made.mtu = link.mtu;
    if (link.ipv6 && link.master == 0) made.ipv6.emplace().method = method_of(*link.ipv6);  // a bond's port has no IPv6
    add_addresses(link, index);
    add_routes(link, index);
    forget_usual_name(made);
  }

  // Collects the names and the partitions of the interfaces that are in the spec so far.
  void note_what_the_spec_has() {
    names_.clear();
    partitions_.clear();
    for (const auto& one : to_.spec.ipoib) {
      const Link* link = from_.snapshot.link(one.interface_name());
      if (link == nullptr) continue;
      names_.insert(link->name);
      partitions_.insert(one.is_child() ? std::pair(link->parent, one.pkey->value)
                                        : std::pair(link->index, std::uint16_t{0}));
    }
  }

  void add_addresses(const Link& link, std::size_t index) {
    for (const auto& address : from_.snapshot.addresses(link.index)) {
      const std::string text = fmt::format("{} on {}", to_text(address.value), link.name);
      if (is_link_local(address.value.address)) continue;
      if (!address.permanent) {
        to_.left_out.push_back(text + " comes from a DHCP lease or a router advertisement");
        continue;
      }
      const bool ends_advertisements = address.value.address.family == Family::v6 && record(index).ipv6 &&
                                       record(index).ipv6->method == Ipv6Method::automatic;
      if (ends_advertisements)
        to_.left_out.push_back(fmt::format(
            "{} takes router advertisements beside its own addresses, and method manual ends that", link.name));
      give_address(record(index), address.value);
      to_.came_from(ipoib_path(index, family_field(address.value.address.family) + ".addresses"), "address " + text);
    }
  }

  void add_routes(const Link& link, std::size_t index) {
    for (const auto& route : from_.snapshot.routes(link.index)) {
      if (route.protocol == by_kernel || route.protocol == by_router || route.protocol == by_dhcp) continue;
      const std::string text = fmt::format("route {} on {}", to_text(route.to), link.name);
      const std::string field = give_route(record(index), {{}, route.to, route.metric, route.via});
      if (field.empty()) {
        to_.left_out.push_back(text + " is of a family in which a spec gives this interface no address");
      } else {
        to_.came_from(ipoib_path(index, field), text);
      }
    }
  }

  const Adoption& from_;
  Adopted& to_;
  std::map<std::string, std::size_t> records_;  // indices in the spec, by the key of the link
  std::map<std::string, std::string> parents_;  // the port's key, by its child's key
  std::set<std::uint32_t> taken_;               // indices of links that have a record already
  std::set<std::string> names_;                 // of the interfaces in the spec so far
  // The partitions of the interfaces in the spec so far: the port's link and a child's P_Key; 0: the port itself.
  std::set<std::pair<std::uint32_t, std::uint16_t>> partitions_;
};

}  // namespace

void adopt_links(const Adoption& from, Adopted& to) {
  LinkAdoption builder(from, to);
  if (from.applied.holds("ipoib"))
    builder.skip_applied();
  else
    builder.add_from_boot_file();
  if (!from.snapshot.is_tree()) builder.add_live_links();
}

}  // namespace rdmastate
