// SPDX-License-Identifier: Apache-2.0
#include "resources/address.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "base/error.hpp"
#include "host/recorded/model.hpp"
#include "resources/link_table.hpp"

namespace rdmastate {
namespace {

// A key is the interface's identity, a space, and the address, which holds no space.
AddressState parts_of(const std::string& key) {
  const std::size_t blank = key.rfind(' ');
  AddressState parts;
  if (blank == std::string::npos ||
      Text<IpInterface>::read(Scalar{std::string_view(key).substr(blank + 1)}, parts.address))
    throw Error(fmt::format("'{}' is not an address's key", key));
  parts.link = link_id_from(std::string_view(key).substr(0, blank));
  return parts;
}

std::optional<Address> find(const Snapshot& snapshot, const AddressState& wanted) {
  const Link* link = find_link(snapshot, wanted.link);
  if (link == nullptr) return std::nullopt;
  for (const auto& address : snapshot.addresses(link->index))
    if (address.value == wanted.address) return address;
  return std::nullopt;
}

std::string address_resolve(const Snapshot& snapshot, const std::string& key) {
  if (is_resolved(snapshot, key)) return key;
  const AddressState parts = parts_of(key);
  return address_key(resolve(snapshot, parts.link), parts.address);
}

Observation address_observe(const Snapshot& snapshot, const std::string& key) {
  AddressState parts = parts_of(key);
  if (!find(snapshot, parts)) return Absent{};
  return State(address_kind, std::move(parts));
}

// Why an address that is present is not as wanted: another host answers for it, or it is not permanent. No step can
// change that. Empty: it is as wanted.
std::string why_not_as_wanted(const Address& address, std::string_view link) {
  const std::string text = to_text(address.value);
  if (address.duplicate)
    return fmt::format(
        "another host on {}'s network answers for {}: take the address away there, or give another one here", link,
        text);
  if (!address.permanent)
    return fmt::format(
        "{} is on {} by a DHCP lease or router advertisement and goes with it: reserve it there, or take "
        "that client off the interface",
        text, link);
  return {};
}

Gap address_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  Gap gap;
  const State* present = state_of(observed);
  if (wanted != nullptr && present != nullptr) {
    const AddressState parts = parts_of(key);
    const auto address = find(scene.snapshot, parts);
    const Link* link = find_link(scene.snapshot, parts.link);
    if (address && link != nullptr) gap.blocked = why_not_as_wanted(*address, link->name);
  } else if (wanted != nullptr) {
    gap.move = Gap::Move{std::nullopt, State(address_kind, parts_of(key))};
  } else if (present != nullptr) {
    gap.move = Gap::Move{*present, std::nullopt};
  }
  return gap;
}

std::vector<Ref> address_needs(const std::string& key, const State*) {
  const LinkId link = parts_of(key).link;
  return {{kind_of_link(link), to_text(link)}};
}

// The IPv4 addresses that share this one's network. Unless promote_secondaries is set, the kernel removes all of them
// with the first one, foreign ones too (net/ipv4/devinet.c, __inet_del_ifa).
std::vector<Address> in_same_network(Links& links, const Address& address) {
  if (address.value.address.family != Family::v4) return {};
  auto all = links.addresses(address.link);
  std::erase_if(all, [&](const Address& other) {
    return other.value == address.value || network_of(other.value) != network_of(address.value);
  });
  return all;
}

// Removes one address, and gives back those that went with it.
void remove(Links& links, const Address& address) {
  const auto before = in_same_network(links, address);
  try {
    links.remove(address);
  } catch (const SystemError& error) {
    if (error.number() != EADDRNOTAVAIL) throw;  // the kernel removed it with another address
  }
  const auto after = before.empty() ? before : in_same_network(links, address);
  for (const auto& one : before)
    if (std::find(after.begin(), after.end(), one) == after.end()) links.add(one);
}

Loss address_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  Loss loss;
  const AddressState parts = parts_of(key);
  const Link* link = from == nullptr || to != nullptr ? nullptr : find_link(scene.snapshot, parts.link);
  if (link != nullptr && link->up) loss.addresses.push_back({link->index, parts.address});
  return loss;
}

// The other IPv4 addresses of the same network: the kernel may remove them with this one (see in_same_network()).
std::vector<Ref> address_put_back(const Scene& scene, const std::string& key, const State*, const State* to) {
  const AddressState parts = parts_of(key);
  const Link* link = to != nullptr ? nullptr : find_link(scene.snapshot, parts.link);
  std::vector<Ref> refs;
  if (link == nullptr || parts.address.address.family != Family::v4) return refs;
  for (const auto& other : scene.snapshot.addresses(link->index))
    if (other.value != parts.address && network_of(other.value) == network_of(parts.address))
      refs.push_back({address_kind.name, address_key(parts.link, other.value)});
  return refs;
}

void address_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const AddressState parts = parts_of(key);
  Address address;
  address.link = tools.links.require(parts.link).index;
  address.value = parts.address;
  if (to != nullptr) {
    tools.host.links->add(address);
  } else {
    remove(*tools.host.links, address);
  }
}

std::string address_title(const std::string& key, const State*) {
  const AddressState parts = parts_of(key);
  return fmt::format("{} on {}", to_text(parts.address), to_text(parts.link));
}

void address_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  for (const Link* link : snapshot.links())
    for (const auto& address : snapshot.addresses(link->index)) model.addresses.push_back(address);
}

// Two sysctls decide which addresses the kernel keeps when another address, or the link, goes (ip-sysctl.rst).
FilePlaces address_places() {
  return whole_files(
      {"/proc/sys/net/ipv4/conf/all/promote_secondaries", "/proc/sys/net/ipv6/conf/all/keep_addr_on_down"});
}

}  // namespace

std::string address_key(const LinkId& link, const IpInterface& address) {
  return to_text(link) + " " + to_text(address);
}

constinit const Kind address_kind = [] {
  Kind kind = kind_of<AddressState>("address");
  kind.verbs = {"add", "change", "remove"};
  kind.rank = 40;  // after interfaces (30), before routes (50), whose gateways need addresses
  kind.resolve = address_resolve;
  kind.observe = address_observe;
  kind.gap = address_gap;
  kind.needs = address_needs;
  kind.move = address_move;
  kind.loses = address_loses;
  kind.put_back = address_put_back;
  kind.title = address_title;
  kind.places = address_places;
  kind.keep = address_keep;
  return kind;
}();

}  // namespace rdmastate
