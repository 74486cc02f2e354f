// SPDX-License-Identifier: Apache-2.0
// The contract of IPoIB interfaces: facts about the kernel, by number.
#include <cerrno>

#include "links_contract.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t connected_mtu = 65520;

TEST_P(IpoibContract, Fact1_ChildrenMadeByNetlinkAreReadFromNetlinkOnly) {
  links().create({{IpoibMode::datagram, true}, need(parent).index, "rct0", granted()});
  const Link child = create("rct1", granted());
  EXPECT_EQ(child.type, Link::type_infiniband);
  EXPECT_EQ(child.parent, need(parent).index);
  EXPECT_EQ(child.port_guid(), need(parent).port_guid());
  EXPECT_EQ(child.kind, "ipoib");
  EXPECT_EQ(child.ipoib, (IpoibInfo{{IpoibMode::datagram, false}, granted()}));
  EXPECT_FALSE(child.up);
  EXPECT_EQ(need("rct0").ipoib, (IpoibInfo{{IpoibMode::datagram, true}, granted()}));
  EXPECT_FALSE(host.files.meta("/sys/class/net/rct1/mode"));
  EXPECT_FALSE(host.files.meta("/sys/class/net/rct1/pkey"));
  links().remove(need("rct0"));
}

TEST_P(IpoibContract, Fact2_TheSamePartitionTwiceIsAllowedUnderAnotherName) {
  create("rct1", granted());
  EXPECT_EQ(create_refusal("rct2", need(parent).index, granted()), 0);
  EXPECT_EQ(create_refusal("rct3", need(parent).index, need(parent).ipoib->pkey), 0);
  EXPECT_EQ(need("rct3").ipoib->pkey, need(parent).ipoib->pkey);
}

TEST_P(IpoibContract, Fact3_RemovingAParentSucceedsAndDoesNothing) {
  const Link before = need(parent);
  EXPECT_EQ(errno_of([&] { links().remove(before); }), 0);
  EXPECT_EQ(need(parent).index, before.index);
}

TEST_P(IpoibContract, Fact4_TheFullMemberBitIsSetAndNoPartitionRefused) {
  EXPECT_EQ(create_refusal("rct1", need(parent).index, PKey{0x8000}), EINVAL);
  EXPECT_EQ(create_refusal("rct1", need(parent).index, PKey{0x0000}), EINVAL);
  EXPECT_EQ(create("rct2", PKey{0x0005}).ipoib->pkey, PKey{0x8005});
}

TEST_P(IpoibContract, Fact5_APartitionThatIsNotGrantedMakesAChildWithoutCarrier) {
  create("rct1", not_granted());
  create("rct2", granted());
  EXPECT_EQ(set_refusal("rct1", to_up(true)), 0);
  set("rct2", to_up(true));
  ASSERT_TRUE(gets_carrier("rct2"));
  EXPECT_TRUE(need("rct1").up);
  EXPECT_FALSE(need("rct1").carrier);
}

TEST_P(IpoibContract, Fact5_AChildOfAChildIsRefused) {
  const Link child = create("rct1", granted());
  EXPECT_EQ(create_refusal("rct2", child.index, granted()), EINVAL);
  EXPECT_FALSE(links().find("rct2"));
}

TEST_P(IpoibContract, Fact6_TheModeMovesTheMtu) {
  create("rct1", granted());
  set("rct1", to_up(true));
  ASSERT_TRUE(gets_carrier("rct1"));
  const std::uint32_t datagram_mtu = need("rct1").mtu;
  EXPECT_LE(datagram_mtu, 4092U);
  set("rct1", to_mode(IpoibMode::connected));
  EXPECT_EQ(need("rct1").mtu, connected_mtu);
  EXPECT_EQ(need("rct1").ipoib->mode, IpoibMode::connected);
  set("rct1", to_mode(IpoibMode::datagram));
  EXPECT_EQ(need("rct1").mtu, datagram_mtu);
}

TEST_P(IpoibContract, Fact6_ConnectedAtCreationHasTheMtuToo) {
  EXPECT_EQ(create("rct1", granted(), IpoibMode::connected).mtu, connected_mtu);
}

TEST_P(IpoibContract, AConnectedChildIsMadeOnAParentWithTheLongestName) {
  const std::string longest(IfName::max_length, 'p');
  const auto member = granted();  // asks the parent by its short name
  const Link short_named = need(parent);
  set(parent, to_up(false));
  links().change(short_named, to_name(longest));
  const int failed = create_refusal("rct1", short_named.index, member, IpoibMode::connected);
  links().change(need(longest), to_name(parent));
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(need("rct1").mtu, connected_mtu);
}

TEST_P(IpoibContract, Fact6_MtusOutOfRangeAreRefused) {
  create("rct1", granted());
  EXPECT_EQ(set_refusal("rct1", to_mtu(connected_mtu)), EINVAL);
  EXPECT_EQ(set_refusal("rct1", to_mtu(71)), EINVAL);
  set("rct1", to_mode(IpoibMode::connected));
  EXPECT_EQ(set_refusal("rct1", to_mtu(connected_mtu + 1)), EINVAL);
  EXPECT_EQ(set_refusal("rct1", to_mtu(9000)), 0);
  EXPECT_EQ(need("rct1").mtu, 9000U);
}

// The kernel says yes and takes the group's MTU.
TEST_P(IpoibContract, Fact6_ADatagramMtuAboveTheGroupsIsSilentlySmaller) {
  create("rct1", granted());
  set("rct1", to_up(true));
  ASSERT_TRUE(gets_carrier("rct1"));
  const std::uint32_t group = need("rct1").mtu;
  EXPECT_EQ(set_refusal("rct1", to_mtu(1500)), 0);
  EXPECT_EQ(need("rct1").mtu, 1500U);
  EXPECT_EQ(set_refusal("rct1", to_mtu(4092)), 0);
  EXPECT_EQ(need("rct1").mtu, group);
}

TEST_P(IpoibContract, Fact6_TheSameModeAgainLeavesTheMtu) {
  create("rct1", granted(), IpoibMode::connected);
  set("rct1", to_mtu(9000));
  set("rct1", to_mode(IpoibMode::connected));
  EXPECT_EQ(need("rct1").mtu, 9000U);
}

// Soon after itself since Linux 6.17 (ipoib_schedule_ifupdown_task), before that in the same call.
TEST_P(IpoibContract, Fact7_TheParentTakesEveryChildUpAndDown) {
  const auto both_are = [&](bool up) {
    return settles([&] { return need("rct1").up == up && need("rct2").up == up; });
  };
  create("rct1", granted());
  create("rct2", not_granted());
  set(parent, to_up(false));
  EXPECT_TRUE(both_are(false));
  set(parent, to_up(true));
  EXPECT_TRUE(both_are(true));
  ASSERT_TRUE(gets_carrier("rct1"));
  set(parent, to_up(false));
  EXPECT_TRUE(both_are(false));
  EXPECT_FALSE(need("rct1").carrier);
}

TEST_P(IpoibContract, Fact7_AParentThatComesUpAgainAtOnceHasItsChildrenUp) {
  using namespace std::chrono_literals;
  create("rct1", granted());
  create("rct2", granted());
  for (int i = 0; i < 5; ++i) {
    set("rct1", to_up(true));
    set("rct2", to_up(true));
    set(parent, to_up(false));
    set(parent, to_up(true));
    host.clock.sleep(500ms);
    EXPECT_TRUE(need("rct1").up && need("rct2").up) << i;
  }
}

TEST_P(IpoibContract, AChildMayBeUpWhileItsParentIsDown) {
  create("rct1", granted());
  set(parent, to_up(false));
  EXPECT_EQ(set_refusal("rct1", to_up(true)), 0);
  EXPECT_TRUE(need("rct1").up);
  EXPECT_FALSE(need(parent).up);
  EXPECT_TRUE(gets_carrier("rct1"));
}

TEST_P(IpoibContract, AParentMustBeAnInfiniBandInterface) {
  EXPECT_EQ(create_refusal("rct1", need("lo").index, granted()), ENODEV);
  EXPECT_EQ(create_refusal("rct1", 0x7fffff00U, granted()), ENODEV);
  EXPECT_EQ(create_refusal("rct1", 0, granted()), ENODEV);
}

TEST_P(IpoibContract, ANameIsTakenOnceAndMustBeOne) {
  create("rct1", granted());
  EXPECT_EQ(create_refusal("rct1", need(parent).index, not_granted()), EEXIST);
  EXPECT_EQ(create_refusal("a:b", need(parent).index, granted()), EINVAL);
  EXPECT_EQ(create_refusal("rct-of-16-bytes-", need(parent).index, granted()), ERANGE);
}

TEST_P(IpoibContract, UmcastChangesAlone) {
  create("rct1", granted());
  set("rct1", to_umcast(true));
  EXPECT_EQ(need("rct1").ipoib, (IpoibInfo{{IpoibMode::datagram, true}, granted()}));
}

TEST_P(IpoibContract, AChildGoesWithItsAddressesAndRoutes) {
  const Link child = create("rct1", granted());
  set("rct1", to_up(true));
  links().add(Address{child.index, contract_address("192.0.2.1/24"), true, false, false});
  links().remove(need("rct1"));
  EXPECT_FALSE(links().find("rct1"));
  EXPECT_TRUE(links().addresses(child.index).empty());
  EXPECT_TRUE(links().routes(child.index).empty());
  EXPECT_EQ(errno_of([&] { links().remove(child); }), ENODEV);
  EXPECT_EQ(errno_of([&] { links().change(child, to_up(true)); }), ENODEV);
}

TEST_P(IpoibContract, TheLinkLocalAddressIsThePortsGuidWithTheUniversalBit) {
  const Link child = create("rct1", granted());
  set("rct1", to_up(true));
  IpInterface wanted{contract_ip("fe80::"), 64};
  for (std::size_t i = 0; i < 8; ++i) wanted.address.bytes[8 + i] = static_cast<std::uint8_t>(child.address[12 + i]);
  wanted.address.bytes[8] |= 2U;
  EXPECT_TRUE(settles([&] {
    for (const auto& one : links().addresses(child.index))
      if (one.value == wanted) return true;
    return false;
  }));
}

TEST_P(IpoibContract, EveryNewInterfaceHasANewIndex) {
  const std::uint32_t first = create("rct1", granted()).index;
  links().remove(need("rct1"));
  EXPECT_GT(create("rct1", granted()).index, first);
}

}  // namespace

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IpoibContract);

}  // namespace rdmastate
