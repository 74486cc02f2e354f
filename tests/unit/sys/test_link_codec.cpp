// SPDX-License-Identifier: Apache-2.0
// Interfaces as netlink messages.
#include <gtest/gtest.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/ipv6.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <array>

#include "base/error.hpp"
#include "base/fields_json.hpp"
#include "base/fields_overlay.hpp"
#include "captured.hpp"
#include "sys/codec/link_codec.hpp"

namespace rdmastate::codec {
namespace {

/// What the kernel would send for an IPoIB interface; tests change what they are about.
struct Ipoib {
  std::uint32_t index = 7;
  std::uint32_t parent = 5;
  std::uint16_t pkey = 0x8002;
  std::uint16_t mode = 1;
  std::uint16_t umcast = 0;
  std::int32_t disable_ipv6 = 0;
  std::int32_t accept_ra = 1;
  std::int32_t forwarding = 0;
  std::size_t devconf_size = DEVCONF_MAX;
  bool elsewhere = false;
};

constexpr std::string_view hardware_address("\x80\x00\x02\x08\xfe\x80\0\0\0\0\0\0\xf4\x52\x14\x03\x00\x7b\xcb\xa1", 20);

std::vector<std::byte> devconf(const Ipoib& of) {
  std::array<std::int32_t, DEVCONF_MAX> conf{};
  conf[DEVCONF_DISABLE_IPV6] = of.disable_ipv6;
  conf[DEVCONF_ACCEPT_RA] = of.accept_ra;
  conf[DEVCONF_FORWARDING] = of.forwarding;
  const Bytes bytes = std::as_bytes(std::span(conf).first(of.devconf_size));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> payload(const Ipoib& of) {
  ifinfomsg header{};
  header.ifi_type = Link::type_infiniband;
  header.ifi_index = static_cast<int>(of.index);
  header.ifi_flags = IFF_UP | IFF_BROADCAST;
  Message message(RTM_NEWLINK, 0);
  message.header(header).put_text(IFLA_IFNAME, "mlx4_ib0.8002").put_number(IFLA_MTU, std::uint32_t{65520});
  message.put(IFLA_ADDRESS, std::as_bytes(std::span(hardware_address))).put_number(IFLA_LINK, of.parent);
  message.put_number(IFLA_CARRIER, std::uint8_t{1}).put_number(9999, std::uint64_t{1});
  if (of.elsewhere) message.put_number(IFLA_LINK_NETNSID, std::int32_t{0});
  message.nest(IFLA_LINKINFO, [&](Message& info) {
    info.put_text(IFLA_INFO_KIND, "ipoib").nest(IFLA_INFO_DATA, [&](Message& data) {
      data.put_number(IFLA_IPOIB_PKEY, of.pkey)
          .put_number(IFLA_IPOIB_MODE, of.mode)
          .put_number(IFLA_IPOIB_UMCAST, of.umcast);
    });
  });
  message.nest(IFLA_AF_SPEC, [&](Message& families) {
    families.nest(AF_INET6, [&](Message& inet6) { inet6.put(IFLA_INET6_CONF, devconf(of)); });
  });
  const Bytes bytes = message.finish(1).subspan(sizeof(nlmsghdr));
  return {bytes.begin(), bytes.end()};
}

Link parsed(const Ipoib& of) { return link_from(payload(of)); }

TEST(LinkFrom, ReadsAnIpoibChild) {
  const Link link = parsed({});
  const Link expected{.index = 7,
                      .name = "mlx4_ib0.8002",
                      .type = 32,
                      .address = std::string(hardware_address),
                      .parent = 5,
                      .up = true,
                      .carrier = true,
                      .mtu = 65520,
                      .kind = "ipoib",
                      .ipoib = IpoibInfo{{IpoibMode::connected, false}, PKey{0x8002}},
                      .ipv6 = Ipv6Conf::automatic};
  EXPECT_EQ(link, expected);
  EXPECT_TRUE(link.is_child());
  EXPECT_EQ(link.port_guid().value, 0xf4521403007bcba1U);
}

TEST(LinkFrom, ReadsWhatTheKernelSentForAVeth) {
  const Link link = link_from(captured::bytes(captured::veth_link));
  const Link expected{.index = 3,
                      .name = "va1",
                      .type = 1,
                      .address = std::string("\x02\0\0\0\0\x01", 6),
                      .parent = 2,
                      .up = true,
                      .carrier = true,
                      .mtu = 1400,
                      .max_mtu = 65535,
                      .kind = "veth",
                      .ipoib = std::nullopt,
                      .ipv6 = Ipv6Conf::automatic};
  EXPECT_EQ(link, expected);
}

TEST(LinkFrom, ItsOwnParentIsNone) { EXPECT_EQ(parsed({.parent = 7}).parent, 0U); }

TEST(LinkFrom, AParentInAnotherNamespaceIsNoLinkOfOurs) {
  EXPECT_EQ(parsed({.elsewhere = true}).parent, Link::parent_elsewhere);
  EXPECT_EQ(parsed({.parent = 7, .elsewhere = true}).parent,
            Link::parent_elsewhere);  // its index there says nothing here
  EXPECT_TRUE(parsed({.elsewhere = true}).is_child());
}

TEST(LinkFrom, APKeyIsAFullMembers) { EXPECT_EQ(parsed({.pkey = 0x0002}).ipoib->pkey.value, 0x8002); }

TEST(LinkFrom, AnUnknownModeIsNotGuessed) { EXPECT_THROW(parsed({.mode = 2}), Error); }

TEST(LinkFrom, ReadsIpv6FromTheDeviceConfiguration) {
  EXPECT_EQ(parsed({.disable_ipv6 = 1}).ipv6, Ipv6Conf::disabled);
  EXPECT_EQ(parsed({.accept_ra = 0}).ipv6, Ipv6Conf::link_local);
  EXPECT_EQ(parsed({.accept_ra = 1, .forwarding = 1}).ipv6, Ipv6Conf::link_local);
  EXPECT_EQ(parsed({.accept_ra = 2, .forwarding = 1}).ipv6, Ipv6Conf::automatic);
}

TEST(LinkFrom, AnOlderKernelsShorterConfigurationIsEnough) {
  EXPECT_EQ(parsed({.devconf_size = DEVCONF_DISABLE_IPV6 + 1}).ipv6, Ipv6Conf::automatic);
}

TEST(LinkFrom, EveryTruncationIsRefusedOrReadsLess) {
  const auto whole = payload({});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      EXPECT_NE(link_from(Bytes(whole).first(size)), parsed({})) << "cut at " << size;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("broken"), std::string::npos);
    }
  }
}

TEST(LinkFrom, ANumberOfTheWrongSizeIsRefused) {
  ifinfomsg header{};
  for (const std::size_t size : {0U, 2U, 8U}) {
    Message message(RTM_NEWLINK, 0);
    message.header(header).put(IFLA_MTU, std::vector<std::byte>(size));
    EXPECT_THROW(link_from(message.finish(1).subspan(sizeof(nlmsghdr))), Error) << size;
  }
}

nlmsghdr header_of(Bytes message) {
  nlmsghdr header{};
  std::memcpy(&header, message.data(), sizeof header);
  return header;
}

TEST(LinkCreate, SaysWhatTheLinkWillBe) {
  Message message = link_create({{IpoibMode::connected, true}, 5, "mlx4_ib0.8002", PKey{0x8002}});
  Bytes bytes = message.finish(3);
  const nlmsghdr header = header_of(bytes);
  EXPECT_EQ(header.nlmsg_len, bytes.size());
  EXPECT_EQ(header.nlmsg_type, RTM_NEWLINK);
  EXPECT_EQ(header.nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
  EXPECT_EQ(header.nlmsg_seq, 3U);
  const Link link = link_from(bytes.subspan(sizeof header));
  EXPECT_EQ(link.name, "mlx4_ib0.8002");
  EXPECT_EQ(link.parent, 5U);
  EXPECT_FALSE(link.up);
  EXPECT_EQ(link.ipoib, (IpoibInfo{{IpoibMode::connected, true}, PKey{0x8002}}));
}

TEST(BondCreate, SaysWhatTheBondWillBe) {
  const std::vector<IpAddress> targets{{Family::v4, {192, 0, 2, 254}}};
  Message message = bond_create({{0U, 500U, targets}, "bond0", 2044});
  Bytes bytes = message.finish(3);
  EXPECT_EQ(header_of(bytes).nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
  const Link link = link_from(bytes.subspan(sizeof(nlmsghdr)));
  EXPECT_EQ(link.name, "bond0");
  EXPECT_EQ(link.mtu, 2044U);
  EXPECT_TRUE(link.is_bond());
  EXPECT_EQ(link.bond, (BondInfo{{0U, 500U, targets}, BondMode::active_backup}));
}

TEST(BondChanges, OneMonitorAlone) {
  const auto bond = [](const BondChange& change) {
    Message message = bond_change(4, change);
    return *link_from(message.finish(1).subspan(sizeof(nlmsghdr))).bond;
  };
  const std::vector<IpAddress> none;
  EXPECT_EQ(bond({{100U, 0U, none}, 7}).settings(), (BondSettings{100U, 0U, none}));
  EXPECT_EQ(bond({{100U, 0U, none}, 7}).primary, 7U);
  EXPECT_EQ(bond({{0U, 500U, std::nullopt}, std::nullopt}).settings(), (BondSettings{0U, 500U, none}));
}

TEST(LinkFrom, ABondIsNoIpoibInterface) {
  EXPECT_FALSE((Link{.type = Link::type_infiniband, .kind = "bond"}).is_ipoib());
  EXPECT_TRUE((Link{.type = Link::type_infiniband}).is_ipoib());
}

TEST(LinkChanges, EachMessageHasOneChange) {
  const auto one = [](Message message) { return link_from(message.finish(1).subspan(sizeof(nlmsghdr))); };
  EXPECT_EQ(one(link_set_name(4, "ib9")), (Link{.index = 4, .name = "ib9"}));
  EXPECT_EQ(one(link_set_master(4, 9)), (Link{.index = 4, .master = 9}));
  EXPECT_EQ(one(link_set_mtu(4, 2044)), (Link{.index = 4, .mtu = 2044}));
  EXPECT_EQ(one(link_set_up(4, true)), (Link{.index = 4, .up = true}));
  EXPECT_EQ(one(link_set_up(4, false)), (Link{.index = 4}));
}

// Of what is said, one message for each field, which changes that field alone.
TEST(LinkChanges, EachSettingHasAMessage) {
  IpoibSettings wanted{IpoibMode::connected, true};
  const auto messages = link_settings(4, wanted);
  ASSERT_EQ(messages.size(), Fields<IpoibSettings>::table.size);
  IpoibSettings sum;
  for (auto one : link_settings(4, wanted)) {
    const Link link = link_from(one.message.finish(1).subspan(sizeof(nlmsghdr)));
    const IpoibSettings changed = differing(new_ipoib_settings(), link.ipoib->settings());
    EXPECT_EQ(to_json_of(changed).size(), 1U) << one.field;
    EXPECT_TRUE(to_json_of(changed).contains(one.field)) << one.field;
    sum = laid_over(sum, changed);
  }
  EXPECT_EQ(sum, wanted);
  wanted.umcast.reset();
  ASSERT_EQ(link_settings(4, wanted).size(), 1U);
  EXPECT_EQ(link_settings(4, wanted).front().field, "mode");
}

}  // namespace
}  // namespace rdmastate::codec
