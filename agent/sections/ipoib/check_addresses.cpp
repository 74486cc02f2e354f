// SPDX-License-Identifier: Apache-2.0
// The checks of sections `ipoib` and `bonds` about addresses, gateways and routes: of each ipv4 and ipv6 block by
// itself (check_method, check_address, check_routes, check_resolver), then across all blocks (..._once,
// warn_shared_networks).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/link_local.hpp"
#include "resources/route.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// The record that a block stands in.
struct Owner {
  bool is_bond;
  std::size_t index;  ///< in its section
  std::string path(std::string_view field) const {
    return is_bond ? bond_path(index, field) : ipoib_path(index, field);
  }
  auto operator<=>(const Owner&) const = default;
};

// One ipv4 or ipv6 block with all that a sentence about it needs. Paths are made for sentences only, so functions take
// the path of a value as a callable: a spec may have a thousand interfaces, and mostly no sentence is needed.
struct Block {
  Owner record;
  Family family;
  bool manual;
  bool takes_none;  ///< disabled, or for IPv6 link-local: takes no address of rdmastate
  const std::vector<IpInterface>& addresses;
  const std::optional<IpAddress>& gateway;
  const std::vector<IpAddress>& dns;
  const std::vector<DomainName>& search;
  const std::vector<RouteRecord>& routes;

  std::string path() const { return record.path(family == Family::v4 ? "ipv4" : "ipv6"); }
  std::string path(std::string_view list, std::size_t n) const { return fmt::format("{}.{}[{}]", path(), list, n); }
};

// An address of the spec, to be named when another turns out to be the same.
struct AddressPlace {
  Owner record;
  Family family;
  std::size_t n;  ///< in the block's `addresses`
  std::string path() const {
    return fmt::format("{}.addresses[{}]", record.path(family == Family::v4 ? "ipv4" : "ipv6"), n);
  }
};

std::string_view family_name(Family family) { return family == Family::v4 ? "IPv4" : "IPv6"; }
std::string_view example(Family family) { return family == Family::v4 ? "192.0.2.1/24" : "2001:db8:1::1/64"; }

template <class Record, class Each>
void for_blocks_of(const Record& record, const Owner& owner, const Each& each) {
  if (const auto& b = record.ipv4)
    each(Block{owner, Family::v4, b->method == Ipv4Method::manual, b->method == Ipv4Method::disabled, b->addresses,
               b->gateway, b->dns, b->search, b->routes});
  if (const auto& b = record.ipv6)
    each(Block{owner, Family::v6, b->method == Ipv6Method::manual,
               b->method == Ipv6Method::disabled || b->method == Ipv6Method::link_local, b->addresses, b->gateway,
               b->dns, b->search, b->routes});
}

template <class Each>
void for_blocks(const Spec& spec, const Each& each) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) for_blocks_of(spec.ipoib[i], {/*is_bond=*/false, i}, each);
  for (std::size_t i = 0; i < spec.bonds.size(); ++i) for_blocks_of(spec.bonds[i], {/*is_bond=*/true, i}, each);
}

template <class Path>
bool family_fits(const Block& block, const IpAddress& address, const Path& path, Report& report) {
  if (address.family == block.family) return true;
  complain(report, path(),
           fmt::format("{} is an {} address in an {} block", to_text(address), family_name(address.family),
                       family_name(block.family)),
           fmt::format("move it to the {} block", address.family == Family::v4 ? "ipv4" : "ipv6"));
  return false;
}

// Of IPv4: whether it is the network's own or its broadcast address, which /31 and /32 do not have.
bool is_first_or_last(const IpInterface& address) {
  const unsigned host_bits = 32U - address.length;
  if (address.address.family != Family::v4 || host_bits < 2) return false;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | address.address.bytes[i];
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << host_bits) - 1);
  return (value & mask) == mask || (value & mask) == 0;
}

// Whether no interface may have the address: 0.0.0.0/8, 127.0.0.0/8 and all from 224.0.0.0 on; ::, ::1 and multicast.
bool is_special(const IpAddress& address) {
  const std::uint8_t first = address.bytes[0];
  if (address.family == Family::v4) return first == 0 || first == 127 || first >= 224;
  const IpAddress zero{Family::v6, {}};
  IpAddress loopback = zero;
  loopback.bytes[15] = 1;
  return first == 0xff || address == zero || address == loopback;
}

void check_address(const Block& block, std::size_t n, Report& report) {
  const IpInterface& address = block.addresses[n];
  const auto path = [&] { return block.path("addresses", n); };
  if (!family_fits(block, address.address, path, report)) return;
  if (is_special(address.address)) {
    complain(report, path(),
             fmt::format("{} is no host's address (unspecified, loopback, multicast or reserved)",
                         to_text(address.address)));
  } else if (is_first_or_last(address)) {
    complain(report, path(),
             fmt::format("{} is the first or last address of its network, which no host may have", to_text(address)),
             fmt::format("give the host's own address, such as {}", example(block.family)));
  }
}

// A method that could not be read is reported already, and nothing follows from it.
void check_method(const Block& block, Report& report) {
  if (report.is_unread(block.path() + ".method")) return;
  if (block.manual && block.addresses.empty() && !report.is_unread(block.path() + ".addresses"))
    complain(report, block.path(), "method manual needs addresses",
             fmt::format("add addresses: [{}]", example(block.family)));
  if (!block.manual && !block.addresses.empty())
    complain(report, block.path() + ".addresses", "addresses are given by hand with method manual only",
             "set method: manual");
  if (block.takes_none && (block.gateway || !block.routes.empty() || !block.dns.empty() || !block.search.empty()))
    complain(report, block.path(), "a gateway, routes, dns or search need addresses: method manual or auto");
}

// With method manual all networks are known, so a gateway that the kernel would refuse as unreachable is an error here.
template <class Path>
void check_reachable(const Block& block, const IpAddress& via, const Path& path, Report& report) {
  if (!family_fits(block, via, path, report) || !block.manual || is_link_local(via)) return;
  if (report.is_unread(block.path() + ".addresses") || report.is_unread(block.path() + ".method")) return;
  for (const auto& address : block.addresses) {
    if (address.address == via) {
      complain(report, path(), fmt::format("{} is this interface's own address", to_text(via)));
      return;
    }
    if (contains(network_of(address), via)) return;
  }
  complain(report, path(),
           fmt::format("{} is in none of this interface's networks, so the kernel cannot reach it", to_text(via)),
           "give a gateway on one of the interface's own networks, or fix the prefix length");
}

// A resolver keeps a server or domain once, so with a double the host would differ from the spec for ever.
template <class T>
void check_once(const Block& block, std::string_view field, const std::vector<T>& list, Report& report) {
  for (std::size_t n = 1; n < list.size(); ++n) {
    const auto here = list.begin() + static_cast<std::ptrdiff_t>(n);
    if (std::find(list.begin(), here, *here) != here)
      complain(report, block.path(field, n), fmt::format("{} is in the list already", to_text(*here)),
               "take one of them out");
  }
}

// The kernel gives an IPv6 route of metric 0 its usual one (IP6_RT_PRIO_USER, ip6_route_info_create()).
void check_metric(const Block& block, std::size_t n, Report& report) {
  const auto metric = block.routes[n].metric;
  const std::string path = metric ? block.path("routes", n) + ".metric" : std::string();
  if (metric == 0U && block.family == Family::v6)
    complain(report, path, "the kernel gives an IPv6 route of metric 0 the metric 1024", "write metric: 1024");
  if (metric == any_metric)
    complain(report, path, fmt::format("this version makes no route of the metric {}", any_metric),
             "give it a lower metric");
}

void check_routes(const Block& block, Report& report) {
  if (block.gateway)
    check_reachable(
        block, *block.gateway, [&] { return block.path() + ".gateway"; }, report);
  for (std::size_t n = 0; n < block.routes.size(); ++n) {
    const auto& route = block.routes[n];
    const auto path_of = [&](std::string_view field) {
      return [&, field] { return fmt::format("{}.{}", block.path("routes", n), field); };
    };
    if (route.to.network) family_fits(block, route.to.network->address, path_of("to"), report);
    if (route.via) check_reachable(block, *route.via, path_of("via"), report);
    check_metric(block, n, report);
  }
}

void check_resolver(const Block& block, Report& report) {
  check_once(block, "dns", block.dns, report);
  check_once(block, "search", block.search, report);
  for (std::size_t n = 0; n < block.dns.size(); ++n)
    family_fits(
        block, block.dns[n], [&] { return block.path("dns", n); }, report);
}

// The kernel keeps one IPv4 route per destination and metric, whichever interface it leaves by; IPv6 one per interface.
void check_route_once(std::map<std::string, std::string>& seen, const Block& block, const std::string& to,
                      std::uint32_t metric, const std::string& path, Report& report) {
  std::string what = fmt::format("{} route to {} with metric {}", family_name(block.family), to, metric);
  if (block.family == Family::v6) what += fmt::format(" on record {}", block.record.path({}));
  const auto [first, is_new] = seen.emplace(what, path);
  if (!is_new)
    complain(report, path,
             fmt::format("a second {} route to {} with metric {}: {} has it already", family_name(block.family), to,
                         metric, first->second),
             "give one of them another metric");
}

void check_routes_once(const Spec& spec, Report& report) {
  std::map<std::string, std::string> seen;
  for_blocks(spec, [&](const Block& block) {
    const std::uint32_t usual = default_metric(block.family);
    if (block.gateway) check_route_once(seen, block, "default", usual, block.path() + ".gateway", report);
    for (std::size_t n = 0; n < block.routes.size(); ++n)
      check_route_once(seen, block, to_text(block.routes[n].to), block.routes[n].metric.value_or(usual),
                       block.path("routes", n) + ".to", report);
  });
}

// What the spec may name once: by interface where it is link-local (RFC 4291, 2.5.6), else on the whole host.
template <class T>
using FirstPlaces = std::map<std::pair<T, std::optional<Owner>>, AddressPlace>;

std::optional<Owner> only_on(const Block& block, const IpAddress& address) {
  return is_link_local(address) ? std::optional(block.record) : std::nullopt;
}

void check_addresses_once(const Spec& spec, Report& report) {
  FirstPlaces<IpAddress> seen;
  for_blocks(spec, [&](const Block& block) {
    for (std::size_t n = 0; n < block.addresses.size(); ++n) {
      const AddressPlace here{block.record, block.family, n};
      const IpAddress& address = block.addresses[n].address;
      const auto [first, is_new] = seen.emplace(std::pair(address, only_on(block, address)), here);
      if (!is_new)
        complain(report, here.path(), fmt::format("{} is given at {} already", to_text(address), first->second.path()),
                 "an address belongs to one interface");
    }
  });
}

// Two interfaces of one host in one network: the kernel answers on both, and traffic takes the first.
void warn_shared_networks(const Spec& spec, Report& report) {
  FirstPlaces<IpNetwork> seen;
  for_blocks(spec, [&](const Block& block) {
    for (std::size_t n = 0; n < block.addresses.size(); ++n) {
      const AddressPlace here{block.record, block.family, n};
      const IpNetwork network = network_of(block.addresses[n]);
      const auto [first, is_new] = seen.emplace(std::pair(network, only_on(block, network.address)), here);
      if (!is_new && first->second.record != block.record)
        warn(report, here.path(),
             fmt::format("network {} is on two interfaces, here and at {}: replies may leave by the other one",
                         to_text(network), first->second.path()));
    }
  });
}

}  // namespace

void check_ipoib_addresses(const Spec& spec, Report& report) {
  for_blocks(spec, [&](const Block& block) {
    check_method(block, report);
    for (std::size_t n = 0; n < block.addresses.size(); ++n) check_address(block, n, report);
    check_routes(block, report);
    check_resolver(block, report);
  });
  check_addresses_once(spec, report);
  check_routes_once(spec, report);
  warn_shared_networks(spec, report);
}

}  // namespace rdmastate
