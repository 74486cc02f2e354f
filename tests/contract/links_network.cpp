// SPDX-License-Identifier: Apache-2.0
// Addresses, routes and state: the same on any interface.
#include <cerrno>

#include "links_contract.hpp"

namespace rdmastate {
namespace {

constexpr std::uint8_t by_kernel = 2, by_us = 4;

TEST_P(NetworkContract, AnAddressBringsItsRouteAndTakesItAway) {
  add(contract_address("192.0.2.1/24"));
  EXPECT_TRUE(has(contract_address("192.0.2.1/24")));
  EXPECT_TRUE(has(contract_network("192.0.2.0/24"), by_kernel));
  remove(contract_address("192.0.2.1/24"));
  EXPECT_FALSE(has(contract_network("192.0.2.0/24"), by_kernel));
  add(contract_address("2001:db8:1::1/64"));
  EXPECT_TRUE(has(contract_network("2001:db8:1::/64"), by_kernel));
  remove(contract_address("2001:db8:1::1/64"));
  EXPECT_FALSE(has(contract_network("2001:db8:1::/64"), by_kernel));
}

TEST_P(NetworkContract, OnlyIpv6RoutesASingleAddress) {
  add(contract_address("192.0.2.1/32"));
  EXPECT_FALSE(has(contract_network("192.0.2.1/32"), by_kernel));
  add(contract_address("2001:db8:1::1/128"));
  EXPECT_TRUE(has(contract_network("2001:db8:1::1/128"), by_kernel));
}

TEST_P(NetworkContract, AnMtuAboveTheLargestIsRefused) {
  constexpr std::uint32_t of_ipoib = 65520;
  const std::uint32_t most = need(spare).max_mtu;
  LinkChange change;
  change.mtu = (most != 0 ? most : of_ipoib) + 1;
  EXPECT_EQ(set_refusal(spare, change), EINVAL);
}

TEST_P(NetworkContract, AnAddressIsAddedOnce) {
  add(contract_address("192.0.2.1/24"));
  EXPECT_EQ(errno_of([&] { add(contract_address("192.0.2.1/24")); }), EEXIST);
  EXPECT_EQ(errno_of([&] { add(contract_address("192.0.2.1/25")); }), 0);
  add(contract_address("2001:db8:1::1/64"));
  EXPECT_EQ(errno_of([&] { add(contract_address("2001:db8:1::1/64")); }), EEXIST);
  EXPECT_EQ(errno_of([&] { add(contract_address("2001:db8:1::1/48")); }), EEXIST);
}

TEST_P(NetworkContract, OnlyAnAddressThatIsThereIsRemoved) {
  add(contract_address("192.0.2.1/24"));
  add(contract_address("2001:db8:1::1/64"));
  EXPECT_EQ(errno_of([&] { remove(contract_address("192.0.2.2/24")); }), EADDRNOTAVAIL);
  EXPECT_EQ(errno_of([&] { remove(contract_address("2001:db8:1::2/64")); }), EADDRNOTAVAIL);
  EXPECT_EQ(errno_of([&] { remove(contract_address("2001:db8:1::1/48")); }), EADDRNOTAVAIL);
}

TEST_P(NetworkContract, AnInterfaceThatIsNotThereHasNoAddresses) {
  const Address address{0x7fffff00U, contract_address("192.0.2.1/24"), true, false, false};
  EXPECT_EQ(errno_of([&] { links().add(address); }), ENODEV);
  EXPECT_TRUE(links().addresses(address.link).empty());
}

TEST_P(NetworkContract, RoutesAreAddedAndRemovedOnce) {
  add(contract_address("192.0.2.1/24"));
  const Route wanted = route("203.0.113.0/24", "192.0.2.254", 50);
  links().add(wanted);
  EXPECT_TRUE(has(wanted.to, by_us));
  EXPECT_EQ(errno_of([&] { links().add(wanted); }), EEXIST);
  EXPECT_EQ(errno_of([&] { links().add(route("203.0.113.0/24", "192.0.2.253", 50)); }), EEXIST);
  EXPECT_EQ(errno_of([&] { links().add(route("203.0.113.0/24", "192.0.2.253", 51)); }), 0);
  links().remove(wanted);
  EXPECT_EQ(errno_of([&] { links().remove(wanted); }), ESRCH);
}

TEST_P(NetworkContract, AnIpv6RouteWithoutMetricShows1024) {
  add(contract_address("2001:db8:1::1/64"));
  links().add(route("2001:db8:5::/64", "2001:db8:1::9"));
  EXPECT_EQ(errno_of([&] { links().add(route("2001:db8:5::/64", "2001:db8:1::8", 1024)); }), EEXIST);
  EXPECT_EQ(errno_of([&] { links().remove(route("2001:db8:5::/64", "2001:db8:1::9", 1024)); }), 0);
}

TEST_P(NetworkContract, AGatewayMustBeOnLink) {
  EXPECT_EQ(errno_of([&] { links().add(route("203.0.113.0/24", "192.0.2.254")); }), ENETUNREACH);
  add(contract_address("192.0.2.1/24"));
  EXPECT_EQ(errno_of([&] { links().add(route("203.0.113.0/24", "198.51.100.1")); }), ENETUNREACH);
  EXPECT_EQ(errno_of([&] { links().add(route("2001:db8:5::/64", "2001:db8:9::1")); }), EHOSTUNREACH);
  EXPECT_EQ(errno_of([&] { links().add(route("2001:db8:5::/64", "fe80::1234")); }), 0);
}

TEST_P(NetworkContract, AnOwnAddressIsNoIpv6Gateway) {
  add(contract_address("2001:db8:1::1/64"));
  EXPECT_TRUE(settles([&] {  // a tentative address does not count as own
    const int refused = errno_of([&] { links().add(route("2001:db8:5::/64", "2001:db8:1::1")); });
    if (refused == 0) links().remove(route("2001:db8:5::/64", "2001:db8:1::1", 1024));
    return refused == EINVAL;
  }));
}

TEST_P(NetworkContract, AnIpv6AddressIsTentativeUntilNobodyAnswered) {
  add(contract_address("192.0.2.1/24"));
  add(contract_address("2001:db8:1::1/64"));
  EXPECT_FALSE(is_tentative(contract_address("192.0.2.1/24")));
  EXPECT_TRUE(is_tentative(contract_address("2001:db8:1::1/64")));
  EXPECT_TRUE(settles([&] { return !is_tentative(contract_address("2001:db8:1::1/64")); }));
  EXPECT_TRUE(has(contract_address("2001:db8:1::1/64")));
}

TEST_P(NetworkContract, ADownInterfaceTakesNoRoutes) {
  add(contract_address("192.0.2.1/24"));
  up(false);
  EXPECT_EQ(errno_of([&] { links().add(route("203.0.113.0/24", "")); }), ENETDOWN);
  EXPECT_EQ(errno_of([&] { links().add(route("203.0.113.0/24", "192.0.2.254")); }), ENETUNREACH);
  EXPECT_EQ(errno_of([&] { links().add(route("2001:db8:5::/64", "")); }), ENETDOWN);
}

TEST_P(NetworkContract, GoingDownKeepsIpv4AddressesOnly) {
  add(contract_address("192.0.2.1/24"));
  add(contract_address("2001:db8:1::1/64"));
  links().add(route("203.0.113.0/24", "192.0.2.254"));
  up(false);
  EXPECT_TRUE(has(contract_address("192.0.2.1/24")));
  EXPECT_FALSE(has(contract_address("2001:db8:1::1/64")));
  EXPECT_TRUE(links().routes(index()).empty());
  up(true);
  EXPECT_TRUE(has(contract_network("192.0.2.0/24"), by_kernel));
  EXPECT_FALSE(has(contract_network("203.0.113.0/24"), by_us));
}

TEST_P(NetworkContract, AddressesGivenWhileDownGetTheirRoutesWhenUp) {
  up(false);
  add(contract_address("192.0.2.1/24"));
  add(contract_address("2001:db8:1::1/64"));
  EXPECT_TRUE(links().routes(index()).empty());
  up(true);
  EXPECT_TRUE(has(contract_network("192.0.2.0/24"), by_kernel));
  EXPECT_TRUE(has(contract_network("2001:db8:1::/64"), by_kernel));
}

TEST_P(NetworkContract, TheLastIpv4AddressTakesEveryIpv4Route) {
  add(contract_address("192.0.2.1/24"));
  links().add(route("203.0.113.0/24", "192.0.2.254"));
  remove(contract_address("192.0.2.1/24"));
  EXPECT_FALSE(has(contract_network("203.0.113.0/24"), by_us));
}

TEST_P(NetworkContract, AnotherSubnetsAddressKeepsTheRoutes) {
  add(contract_address("192.0.2.1/24"));
  add(contract_address("198.51.100.1/24"));
  links().add(route("203.0.113.0/24", "192.0.2.254"));
  remove(contract_address("192.0.2.1/24"));
  EXPECT_TRUE(has(contract_network("203.0.113.0/24"), by_us));
}

TEST_P(NetworkContract, SecondariesGoWithTheirPrimaryUnlessPromoted) {
  const auto promotes = host.files.read("/proc/sys/net/ipv4/conf/all/promote_secondaries");
  add(contract_address("192.0.2.1/24"));
  add(contract_address("192.0.2.9/24"));
  remove(contract_address("192.0.2.1/24"));
  if (promotes && *promotes == "1\n") GTEST_SKIP() << "this host promotes secondaries";
  EXPECT_FALSE(has(contract_address("192.0.2.9/24")));
}

TEST_P(NetworkContract, DisablingIpv6TakesItsAddressesAndRoutes) {
  add(contract_address("2001:db8:1::1/64"));
  set(spare, to_ipv6(Ipv6Conf::disabled));
  EXPECT_EQ(need(spare).ipv6, Ipv6Conf::disabled);
  EXPECT_TRUE(links().addresses(index()).empty());
  EXPECT_EQ(errno_of([&] { add(contract_address("2001:db8:1::1/64")); }), EACCES);
  set(spare, to_ipv6(Ipv6Conf::link_local));
  EXPECT_EQ(need(spare).ipv6, Ipv6Conf::link_local);
  EXPECT_TRUE(settles([&] { return !links().addresses(index()).empty(); }));
  set(spare, to_ipv6(Ipv6Conf::automatic));
  EXPECT_EQ(need(spare).ipv6, Ipv6Conf::automatic);
}

TEST_P(NetworkContract, RenamingNeedsAFreeNameAndAnInterfaceThatIsDown) {
  up(false);
  EXPECT_EQ(set_refusal(spare, to_name("lo")), EEXIST);
  EXPECT_EQ(set_refusal(spare, to_name("a:b")), EINVAL);
  EXPECT_EQ(set_refusal(spare, to_name(spare)), 0);
  const std::string before = spare;
  set(spare, to_name("rctother"));
  spare = "rctother";
  EXPECT_FALSE(links().find(before));
  EXPECT_TRUE(links().find("rctother"));
  set(spare, to_name(before));
  spare = before;
}

// Linux 6.1 refuses it; since 6.2 (seen on 6.12) the kernel does it. No mover may rely on either.
TEST_P(NetworkContract, RenamingAnInterfaceThatIsUpIsRefusedOrDone) {
  const std::string other = "rctother";
  const int refused = set_refusal(spare, to_name(other));
  EXPECT_TRUE(refused == EBUSY || refused == 0) << refused;
  EXPECT_TRUE(need(refused == 0 ? other : spare).up);
  EXPECT_FALSE(links().find(refused == 0 ? spare : other));
  if (refused == 0) set(other, to_name(spare));
}

TEST_P(NetworkContract, BelowTheLeastMtuIpv6IsGone) {
  const std::uint32_t before = need(spare).mtu;
  set(spare, to_mtu(1000));
  EXPECT_EQ(need(spare).ipv6, std::nullopt);
  EXPECT_TRUE(links().addresses(index()).empty());
  EXPECT_EQ(errno_of([&] { add(contract_address("2001:db8:1::1/64")); }), EINVAL);
  set(spare, to_mtu(before));
  EXPECT_TRUE(need(spare).ipv6);
}

TEST_P(NetworkContract, TheDumpAndTheQueryAgree) {
  const auto all = links().dump();
  EXPECT_EQ(all.size(), links().count());
  for (const auto& link : all) EXPECT_EQ(links().find(link.name), link);
  EXPECT_FALSE(links().find("rctnothere"));
  EXPECT_FALSE(links().find("longer-than-a-name-can-be"));
}

}  // namespace

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NetworkContract);

}  // namespace rdmastate
