// SPDX-License-Identifier: Apache-2.0
// Adds and removes addresses and the routes that come with them, as net/ipv4/devinet.c, fib_frontend.c and
// net/ipv6/addrconf.c do it: add() and remove() on request, the others when an interface goes up or down, gains carrier
// or loses IPv6. A comment names the kernel's function that is followed.
#include <algorithm>
#include <cerrno>

#include "base/link_local.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate::kernel {
namespace {

constexpr std::uint32_t type_loopback = 772;          // ARPHRD_LOOPBACK: its routes are in the local table
constexpr std::uint8_t by_kernel = 2;                 // RTPROT_KERNEL
constexpr std::uint32_t ipv6_connected_metric = 256;  // IP6_RT_PRIO_ADDRCONF
constexpr std::size_t guid_at = 12;                   // of the 20 bytes of an IPoIB address

bool is_v6(const Address& address) { return address.value.address.family == Family::v6; }

// Whether the file of a sysctl says 1.
bool is_set(const HostModel& model, const char* sysctl) {
  const auto file = model.files.find(sysctl);
  return file != model.files.end() && file->second.bytes.starts_with('1');
}

bool same_subnet(const Address& a, const Address& b) {
  return a.link == b.link && network_of(a.value) == network_of(b.value);
}

// The route to the address's own network, which the kernel adds with the address.
Route connected_route(const Address& address) {
  return {network_of(address.value), std::nullopt, address.link, is_v6(address) ? ipv6_connected_metric : 0, by_kernel};
}

// fib_add_ifaddr; an IPv6 address of full length gets a route too, an IPv4 one does not.
void add_connected_route(HostModel& model, const Address& address) {
  constexpr std::uint8_t whole_v4 = 32;
  if (model.find(address.link)->link.type == type_loopback) return;
  if (!is_v6(address) && address.value.length == whole_v4) return;
  const Route route = connected_route(address);
  if (std::find(model.routes.begin(), model.routes.end(), route) == model.routes.end()) model.routes.push_back(route);
}

bool takes_ipv6(const Link& link) { return link.ipv6 && *link.ipv6 != Ipv6Conf::disabled; }

// The address that the kernel makes of fe80::/64 and the hardware address; nullopt: it makes none. For InfiniBand
// (addrconf_ifid_infiniband) it sets the universal bit, for Ethernet (addrconf_ifid_eui48) it inverts it.
std::optional<IpAddress> link_local(const Link& link) {
  IpAddress made;
  made.family = Family::v6;
  made.bytes[0] = 0xfe;
  made.bytes[1] = 0x80;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(link.address[i]); };
  if (link.type == Link::type_infiniband && link.address.size() == guid_at + 8) {
    for (std::size_t i = 0; i < 8; ++i) made.bytes[8 + i] = byte(guid_at + i);
    made.bytes[8] |= 2U;
    return made;
  }
  if (link.address.size() != 6 || link.type == type_loopback) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i) made.bytes[8 + i] = byte(i);
  for (std::size_t i = 3; i < 6; ++i) made.bytes[10 + i] = byte(i);
  made.bytes[8] ^= 2U;
  made.bytes[11] = 0xff;
  made.bytes[12] = 0xfe;
  return made;
}

void refuse_impossible(const RecordedLink* link, const HostModel& model, const Address& address) {
  if (is_v6(address) && !model.ipv6) throw Refusal{EOPNOTSUPP};
  if (address.value.length > 8 * address.value.address.size()) throw Refusal{EINVAL};
  if (link == nullptr) throw Refusal{ENODEV};
}

// The same IPv4 address may stand there with another length, the same IPv6 address may not.
bool is_taken(const HostModel& model, const Address& address) {
  return std::any_of(model.addresses.begin(), model.addresses.end(), [&](const Address& one) {
    if (one.link != address.link || one.value.address != address.value.address) return false;
    return is_v6(address) || one.value.length == address.value.length;
  });
}

// Whether the interface has an IPv4 address.
bool has_v4(const HostModel& model, std::uint32_t link) {
  return std::any_of(model.addresses.begin(), model.addresses.end(),
                     [&](const Address& one) { return one.link == link && !is_v6(one); });
}

// __inet_del_ifa: the secondaries of a primary go with it, unless promote_secondaries is set. Then its connected route
// goes, and with the last IPv4 address every IPv4 route of the interface (fib_inetaddr_event).
void after_removal(HostModel& model, const Address& removed, bool was_primary) {
  const bool promotes = is_set(model, "/proc/sys/net/ipv4/conf/all/promote_secondaries");
  if (!is_v6(removed) && was_primary && !promotes)
    std::erase_if(model.addresses, [&](const Address& one) { return same_subnet(one, removed); });
  const bool still = std::any_of(model.addresses.begin(), model.addresses.end(),
                                 [&](const Address& one) { return same_subnet(one, removed); });
  if (!still) std::erase(model.routes, connected_route(removed));
  if (!is_v6(removed) && !has_v4(model, removed.link)) drop_routes(model, removed.link, Family::v4);
}

}  // namespace

void add(HostModel& model, Address address) {
  RecordedLink* link = model.find(address.link);
  refuse_impossible(link, model, address);
  if (is_v6(address) && !link->link.ipv6) throw Refusal{EINVAL};  // ipv6_add_dev refuses an MTU below 1280
  if (is_v6(address) && !takes_ipv6(link->link)) throw Refusal{EACCES, "ipv6: IPv6 is disabled on this device."};
  if (is_taken(model, address))
    throw Refusal{EEXIST, is_v6(address) ? "ipv6: address already assigned" : "ipv4: Address already assigned"};
  address.tentative = is_v6(address) && link->link.type != type_loopback;  // addrconf_dad_start
  address.duplicate = false;
  model.addresses.push_back(address);
  if (link->link.up) add_connected_route(model, address);
}

void remove(HostModel& model, const Address& address) {
  refuse_impossible(model.find(address.link), model, address);
  const auto at = std::find_if(model.addresses.begin(), model.addresses.end(), [&](const Address& one) {
    return one.link == address.link && one.value == address.value;
  });
  if (at == model.addresses.end())
    throw Refusal{EADDRNOTAVAIL, is_v6(address) ? "ipv6: address not found" : "ipv4: Address not found"};
  const Address removed = *at;
  const bool was_primary =
      std::none_of(model.addresses.begin(), at, [&](const Address& one) { return same_subnet(one, removed); });
  model.addresses.erase(at);
  after_removal(model, removed, was_primary);
}

void addresses_up(HostModel& model, const Link& link) {
  for (Address& address : model.addresses)  // addrconf_permanent_addr: its detection begins anew
    if (address.link == link.index) address.tentative = is_v6(address) && link.type != type_loopback;
  const std::vector<Address> all = model.addresses;
  for (const Address& address : all)
    if (address.link == link.index) add_connected_route(model, address);
  link_ready(model, link);
}

// addrconf_notify waits for netif_oper_up before it makes the link-local address.
void link_ready(HostModel& model, const Link& link) {
  if (!link.up || !link.carrier || !takes_ipv6(link)) return;
  if (const RecordedLink* master = link.master == 0 ? nullptr : model.find(link.master); master && master->link.bond)
    return;  // addrconf_notify leaves a bond's port (IFF_SLAVE) alone
  const auto address = link_local(link);
  if (!address) return;
  const Address made{link.index, {*address, 64}, /*permanent=*/true, /*tentative=*/true, /*duplicate=*/false};
  if (is_taken(model, made)) return;
  model.addresses.push_back(made);
  add_connected_route(model, made);
}

// addrconf_dad_work: with carrier, detection takes about a second, and no other host answers here.
void end_detection(HostModel& model) {
  for (Address& address : model.addresses)
    if (const RecordedLink* link = model.find(address.link); link != nullptr && link->link.up && link->link.carrier)
      address.tentative = false;
}

void addresses_down(HostModel& model, const Link& link) {
  const bool keep = is_set(model, "/proc/sys/net/ipv6/conf/all/keep_addr_on_down");
  std::erase_if(model.addresses, [&](const Address& one) {
    return one.link == link.index && is_v6(one) && !(keep && one.permanent && !is_link_local(one.value.address));
  });
  drop_routes(model, link.index, Family::v4);
  drop_routes(model, link.index, Family::v6);
}

void drop_ipv6(HostModel& model, std::uint32_t link) {
  std::erase_if(model.addresses, [&](const Address& one) { return one.link == link && is_v6(one); });
  drop_routes(model, link, Family::v6);
}

void drop_routes(HostModel& model, std::uint32_t link, Family family) {
  std::erase_if(model.routes, [&](const Route& one) { return one.link == link && one.to.address.family == family; });
}

}  // namespace rdmastate::kernel
