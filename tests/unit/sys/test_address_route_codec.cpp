// SPDX-License-Identifier: Apache-2.0
// Addresses and routes as netlink messages.
#include <gtest/gtest.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>

#include "base/error.hpp"
#include "captured.hpp"
#include "sys/codec/address_codec.hpp"
#include "sys/codec/route_codec.hpp"

namespace rdmastate::codec {
namespace {

IpAddress v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) { return {Family::v4, {a, b, c, d}}; }
IpAddress v6(std::uint8_t last, std::uint8_t subnet = 1) {
  IpAddress address{Family::v6, {0x20, 0x01, 0x0d, 0xb8, 0, subnet}};
  address.bytes[15] = last;
  return address;
}
IpAddress any(Family family) { return {family, {}}; }

Bytes payload(Message& message) { return message.finish(1).subspan(sizeof(nlmsghdr)); }

TEST(AddressFrom, ReadsWhatTheKernelSent) {
  EXPECT_EQ(address_from(captured::bytes(captured::address_v4)), (Address{.link = 3, .value = {v4(192, 0, 2, 1), 24}}));
  EXPECT_EQ(address_from(captured::bytes(captured::address_v6)), (Address{.link = 3, .value = {v6(1), 64}}));
  const auto link_local = address_from(captured::bytes(captured::address_link_local));
  ASSERT_TRUE(link_local);
  EXPECT_EQ(link_local->value.address.bytes[0], 0xfe);
}

Address with_flags(std::uint32_t flags) {
  ifaddrmsg header{};
  header.ifa_family = 10;
  header.ifa_prefixlen = 64;
  Message message(RTM_NEWADDR, 0);
  message.header(header).put(IFA_ADDRESS, bytes_of(v6(1))).put_number(IFA_FLAGS, flags);
  return *address_from(payload(message));
}

TEST(AddressFrom, ReadsTheLongFlags) {
  EXPECT_FALSE(with_flags(IFA_F_MANAGETEMPADDR).permanent);
  EXPECT_TRUE(with_flags(IFA_F_PERMANENT | IFA_F_TENTATIVE).tentative);
  EXPECT_TRUE(with_flags(IFA_F_DADFAILED).duplicate);
}

TEST(AddressFrom, OfAPointToPointLinkOursIsMeant) {
  ifaddrmsg header{};
  header.ifa_family = 2;
  header.ifa_prefixlen = 32;
  Message message(RTM_NEWADDR, 0);
  message.header(header).put(IFA_ADDRESS, bytes_of(v4(192, 0, 2, 9))).put(IFA_LOCAL, bytes_of(v4(192, 0, 2, 1)));
  EXPECT_EQ(address_from(payload(message))->value.address, v4(192, 0, 2, 1));
}

TEST(AddressFrom, ReadsWhatWeSend) {
  for (const IpInterface& value :
       {IpInterface{v4(192, 0, 2, 1), 24}, IpInterface{v4(10, 0, 0, 1), 8}, IpInterface{v6(1), 64}}) {
    const Address address{.link = 4, .value = value, .permanent = false};  // the kernel sets that flag, not we
    Message message = address_add(address);
    EXPECT_EQ(address_from(payload(message)), address);
  }
}

TEST(AddressFrom, BrokenOnesAreRefused) {
  EXPECT_THROW(address_from({}), Error);
  ifaddrmsg header{};
  header.ifa_family = 2;
  header.ifa_prefixlen = 33;
  Message none(RTM_NEWADDR, 0);
  none.header(header);
  EXPECT_THROW(address_from(payload(none)), Error);
  none.put(IFA_LOCAL, bytes_of(v4(192, 0, 2, 1)));
  EXPECT_THROW(address_from(payload(none)), Error);
  Message wide(RTM_NEWADDR, 0);
  wide.header(header).put(IFA_LOCAL, bytes_of(v6(1)));
  EXPECT_THROW(address_from(payload(wide)), Error);
}

std::optional<IpAddress> broadcast_sent(std::uint8_t length) {
  Message message = address_add({.link = 4, .value = {v4(192, 0, 2, 17), length}});
  Bytes attributes = payload(message);
  take_header<ifaddrmsg>(attributes);
  const auto found = find(attributes, IFA_BROADCAST);
  return found ? std::optional(ip_from(*found, Family::v4)) : std::nullopt;
}

TEST(AddressAdd, SetsTheSubnetsBroadcastAddress) {
  EXPECT_EQ(broadcast_sent(24), v4(192, 0, 2, 255));
  EXPECT_EQ(broadcast_sent(30), v4(192, 0, 2, 19));
  EXPECT_EQ(broadcast_sent(9), v4(192, 127, 255, 255));
  EXPECT_EQ(broadcast_sent(31), std::nullopt);
  EXPECT_EQ(broadcast_sent(32), std::nullopt);
}

TEST(RouteFrom, ReadsWhatTheKernelSent) {
  const auto read = [](std::string_view text) { return route_from(captured::bytes(text)); };
  EXPECT_EQ(read(captured::route_default),
            (Route{.to = {any(Family::v4), 0}, .via = v4(192, 0, 2, 254), .link = 3, .metric = 0, .protocol = 3}));
  EXPECT_EQ(read(captured::route_metric),
            (Route{.to = {v4(203, 0, 113, 0), 24}, .via = v4(192, 0, 2, 254), .link = 3, .metric = 50, .protocol = 3}));
  EXPECT_EQ(read(captured::route_connected),
            (Route{.to = {v4(192, 0, 2, 0), 24}, .via = std::nullopt, .link = 3, .metric = 0, .protocol = 2}));
  EXPECT_EQ(read(captured::route_v6_default),
            (Route{.to = {any(Family::v6), 0}, .via = v6(0xfe), .link = 3, .metric = 1024, .protocol = 3}));
  EXPECT_EQ(read(captured::route_v6_connected),
            (Route{.to = {v6(0), 64}, .via = std::nullopt, .link = 3, .metric = 256, .protocol = 2}));
}

TEST(RouteFrom, SeveralNextHopsAreNotDescribed) {
  EXPECT_EQ(route_from(captured::bytes(captured::route_multipath)), std::nullopt);
}

TEST(RouteFrom, ReadsWhatWeSend) {
  const Route plain{.to = {v4(203, 0, 113, 0), 24}, .via = v4(192, 0, 2, 254), .link = 4, .metric = 50, .protocol = 4};
  Route by_v6 = plain;
  by_v6.via = v6(0xfe);
  Route on_link = plain;
  on_link.via.reset();
  const Route v6_default{.to = {any(Family::v6), 0}, .via = v6(0xfe), .link = 4, .metric = 1024, .protocol = 4};
  for (const Route& route : {plain, by_v6, on_link, v6_default}) {
    Message add = route_add(route);
    EXPECT_EQ(route_from(payload(add)), route);
    Message remove = route_delete(route);
    EXPECT_EQ(route_from(payload(remove)), route);
  }
}

std::optional<Route> with_header(const std::function<void(rtmsg&)>& change) {
  rtmsg header{};
  header.rtm_family = 2;
  header.rtm_table = RT_TABLE_MAIN;
  header.rtm_type = RTN_UNICAST;
  change(header);
  Message message(RTM_NEWROUTE, 0);
  message.header(header).put_number(RTA_OIF, std::uint32_t{3});
  return route_from(payload(message));
}

TEST(RouteFrom, OtherTablesAndTypesAreSkipped) {
  EXPECT_TRUE(with_header([](rtmsg&) {}));
  EXPECT_FALSE(with_header([](rtmsg& header) { header.rtm_table = RT_TABLE_LOCAL; }));
  EXPECT_FALSE(with_header([](rtmsg& header) { header.rtm_type = RTN_BLACKHOLE; }));
  EXPECT_FALSE(with_header([](rtmsg& header) { header.rtm_tos = 8; }));
  EXPECT_FALSE(with_header([](rtmsg& header) { header.rtm_src_len = 8; }));
  EXPECT_FALSE(with_header([](rtmsg& header) { header.rtm_flags = RTM_F_CLONED; }));
  EXPECT_FALSE(with_header([](rtmsg& header) { header.rtm_family = 28; }));
  EXPECT_THROW(with_header([](rtmsg& header) { header.rtm_dst_len = 33; }), Error);
}

}  // namespace
}  // namespace rdmastate::codec
