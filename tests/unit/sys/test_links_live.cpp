// SPDX-License-Identifier: Apache-2.0
// The real kernel, in a network namespace of this process alone. Only what needs no InfiniBand: that is for the guest.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/handle.hpp"
#include "sys/codec/link_codec.hpp"
#include "sys/links.hpp"

namespace rdmastate {
namespace {

codec::Message veth(const std::string& name, const std::string& peer) {
  codec::Message message(RTM_NEWLINK, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
  message.header(ifinfomsg{}).put_text(IFLA_IFNAME, name);
  message.nest(IFLA_LINKINFO, [&](codec::Message& info) {
    info.put_text(IFLA_INFO_KIND, "veth").nest(IFLA_INFO_DATA, [&](codec::Message& data) {
      data.nest(VETH_INFO_PEER, [&](codec::Message& other) { other.header(ifinfomsg{}).put_text(IFLA_IFNAME, peer); });
    });
  });
  return message;
}

IpAddress ip(const char* text) {
  IpAddress address;
  if (::inet_pton(AF_INET, text, address.bytes.data()) == 1) return address;
  address.family = Family::v6;
  EXPECT_EQ(::inet_pton(AF_INET6, text, address.bytes.data()), 1) << text;
  return address;
}

class LiveLinks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    namespace_before = UniqueFd(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
    if (::unshare(CLONE_NEWNET) != 0) unavailable = errno;
  }
  // The tests that follow find the namespace that they began in, with its loopback device up.
  static void TearDownTestSuite() {
    if (unavailable == 0) {
      EXPECT_EQ(::setns(namespace_before.get(), CLONE_NEWNET), 0) << describe_errno(errno);
    }
    namespace_before = UniqueFd();
  }
  void SetUp() override {
    if (unavailable != 0) GTEST_SKIP() << "unshare(CLONE_NEWNET): " << describe_errno(unavailable) << "; run as root";
    NetlinkSocket socket(NETLINK_ROUTE);
    socket.request(veth("rs0", "rs1"), "making a veth pair");
  }
  void TearDown() override {
    for (const char* name : {"rs0", "rs9"})
      if (const auto link = links.find(name)) links.remove(*link);
  }

  template <class Fill>
  static LinkChange made(Fill&& fill) {
    LinkChange change;
    fill(change);
    return change;
  }
  Link rs0() { return links.find("rs0").value(); }
  void up() {
    links.change(rs0(), made([&](LinkChange& change) { change.up = true; }));
    links.change(links.find("rs1").value(), made([&](LinkChange& change) { change.up = true; }));
  }
  template <class Call>
  static int refusal(Call&& call) {
    try {
      call();
    } catch (const SystemError& error) {
      return error.number();
    }
    return 0;
  }

  static inline int unavailable = 0;
  static inline UniqueFd namespace_before;
  Root root{"/"};
  NetlinkLinks links{root};
};

Link child_of(std::uint32_t index, const std::string& name, std::uint32_t parent, std::uint16_t pkey) {
  Link link;
  link.index = index;
  link.name = name;
  link.type = Link::type_infiniband;
  link.parent = parent;
  link.ipoib = IpoibInfo{{}, {pkey}};
  return link;
}

// The kernel cuts the name of a child that it names to 15 characters.
TEST(NewChild, IsFoundByWhatItWasMadeOf) {
  const Link parent = child_of(2, "mlx5_storage_01", 0, 0xffff);
  const Link older = child_of(3, "storage", 2, 0x8002);
  const Link other = child_of(4, "ib1.8002", 9, 0x8002);
  const Link third = child_of(5, "mlx5_storage_00", 2, 0x8003);
  const Link made = child_of(6, "mlx5_storage_0x", 2, 0x8002);
  const NewIpoib wanted{{IpoibMode::connected, std::nullopt}, 2, "fast", {0x8002}};
  EXPECT_EQ(new_child({parent, older}, {parent, older, other, third, made}, wanted), made);
  EXPECT_EQ(new_child({parent, older}, {parent, older, other, third}, wanted), std::nullopt);
  EXPECT_EQ(new_child({parent}, {parent, made}, {{}, 2, "fast", {0x0002}}), made)
      << "the kernel sets the full member's bit";
}

// Fact 7: of a parent that is up nothing is late.
TEST(Links, ChildrenThatHaveYetToGoDownAreLate) {
  Link parent, child, other;
  parent.index = 2, child.index = 3, other.index = 4;
  child.parent = 2, other.parent = 9;
  other.up = true;
  EXPECT_FALSE(has_late_children({parent, child, other}, 2));
  child.up = true;
  EXPECT_TRUE(has_late_children({parent, child, other}, 2));
  EXPECT_FALSE(has_late_children({parent, child, other}, 9)) << "there is no such interface";
  parent.up = true;
  EXPECT_FALSE(has_late_children({parent, child, other}, 2));
}

TEST_F(LiveLinks, FindAndDumpAgree) {
  const auto all = links.dump();
  EXPECT_EQ(all.size(), links.count());
  const auto found = std::find_if(all.begin(), all.end(), [](const Link& link) { return link.name == "rs0"; });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(*found, rs0());
  EXPECT_EQ(found->kind, "veth");
  EXPECT_EQ(found->parent, links.find("rs1")->index);
}

TEST_F(LiveLinks, AbsenceIsAnAnswer) {
  EXPECT_EQ(links.find("no-such-link"), std::nullopt);
  EXPECT_EQ(links.find("a-name-that-is-too-long"), std::nullopt);
  EXPECT_EQ(links.find(""), std::nullopt);
  EXPECT_TRUE(links.addresses(4711).empty());
  EXPECT_TRUE(links.routes(4711).empty());
}

TEST_F(LiveLinks, ChangesMtuNameAndState) {
  links.change(rs0(), made([&](LinkChange& change) { change.name = "rs9", change.mtu = 1400, change.up = true; }));
  const Link link = links.find("rs9").value();
  EXPECT_EQ(link.mtu, 1400U);
  EXPECT_TRUE(link.up);
  EXPECT_EQ(links.find("rs0"), std::nullopt);
}

TEST_F(LiveLinks, ARefusalHasTheErrnoAndTheKernelsWords) {
  EXPECT_EQ(refusal([&] { links.change(rs0(), made([&](LinkChange& change) { change.name = "rs1"; })); }), EEXIST);
  try {
    links.change(rs0(), made([&](LinkChange& change) { change.mtu = 10; }));
    FAIL() << "an MTU of 10 was accepted";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.number(), EINVAL);
    EXPECT_NE(std::string(error.what()).find("the kernel says: mtu less than device minimum"), std::string::npos)
        << error.what();
  }
}

TEST_F(LiveLinks, AddressesComeAndGo) {
  up();
  const Address v4{.link = rs0().index, .value = {ip("192.0.2.1"), 24}};
  const Address v6{.link = rs0().index, .value = {ip("2001:db8:1::1"), 64}};
  for (const Address& address : {v4, v6}) {
    links.add(address);
    EXPECT_EQ(refusal([&] { links.add(address); }), EEXIST);
    const auto there = links.addresses(rs0().index);
    EXPECT_TRUE(std::any_of(there.begin(), there.end(),
                            [&](const Address& a) { return a.value == address.value && a.permanent; }));
    EXPECT_TRUE(std::all_of(there.begin(), there.end(), [&](const Address& a) { return a.link == address.link; }));
  }
  for (const Address& address : {v4, v6}) {
    links.remove(address);
    EXPECT_EQ(refusal([&] { links.remove(address); }), EADDRNOTAVAIL);
  }
}

TEST_F(LiveLinks, RoutesComeAndGo) {
  up();
  const std::uint32_t index = rs0().index;
  links.add(Address{.link = index, .value = {ip("192.0.2.1"), 24}});
  links.add(Address{.link = index, .value = {ip("2001:db8:1::1"), 64}});
  const Route v4{.to = {ip("203.0.113.0"), 24}, .via = ip("192.0.2.254"), .link = index, .metric = 50};
  const Route v4_default{.to = {ip("0.0.0.0"), 0}, .via = ip("192.0.2.254"), .link = index};
  const Route v6{.to = {ip("2001:db8:2::"), 48}, .via = ip("2001:db8:1::fe"), .link = index, .metric = 77};
  const Route on_link{.to = {ip("198.51.100.0"), 24}, .via = std::nullopt, .link = index};
  for (const Route& route : {v4, v4_default, v6, on_link}) {
    links.add(route);
    EXPECT_EQ(refusal([&] { links.add(route); }), EEXIST);
    const auto there = links.routes(index);
    EXPECT_NE(std::find(there.begin(), there.end(), route), there.end());
    EXPECT_TRUE(std::all_of(there.begin(), there.end(), [&](const Route& r) { return r.link == index; }));
    const auto all = links.routes(0);  // the kernel adds link-local ones when it pleases: no counting
    EXPECT_NE(std::find(all.begin(), all.end(), route), all.end());
    links.remove(route);
    EXPECT_EQ(refusal([&] { links.remove(route); }), ESRCH);
  }
  EXPECT_EQ(refusal([&] { links.add(Route{.to = v4.to, .via = ip("10.9.8.7"), .link = index}); }), ENETUNREACH);
}

TEST_F(LiveLinks, Ipv6IsSetByProc) {
  for (const Ipv6Conf conf : {Ipv6Conf::disabled, Ipv6Conf::link_local, Ipv6Conf::automatic}) {
    links.change(rs0(), made([&](LinkChange& change) { change.ipv6 = conf; }));
    EXPECT_EQ(rs0().ipv6, conf);
  }
  root.write_attribute("/proc/sys/net/ipv6/conf/rs0/forwarding", "1\n");
  links.change(rs0(), made([&](LinkChange& change) { change.ipv6 = Ipv6Conf::automatic; }));
  EXPECT_EQ(rs0().ipv6, Ipv6Conf::automatic);
}

TEST_F(LiveLinks, AnIpoibChildOfNoInfinibandIsRefused) {
  EXPECT_NE(refusal([&] { links.create({{}, rs0().index, "rs9", PKey{0x8002}}); }), 0);
}

TEST_F(LiveLinks, ADumpAmidChangesIsWhole) {
  std::atomic<bool> stop = false;
  std::thread churn([&] {  // threads share the namespace
    NetlinkSocket socket(NETLINK_ROUTE);
    while (!stop) {
      socket.request(veth("churn0", "churn1"), "churning");
      codec::Message remove(RTM_DELLINK, NLM_F_ACK);
      remove.header(ifinfomsg{}).put_text(IFLA_IFNAME, "churn0");
      socket.request(std::move(remove), "churning");
    }
  });
  for (int i = 0; i < 50; ++i) {
    const auto all = links.dump();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Link& link) { return link.name == "rs0"; }));
  }
  stop = true;
  churn.join();
}

}  // namespace
}  // namespace rdmastate
