// SPDX-License-Identifier: Apache-2.0
// The contract of bonds of IPoIB interfaces: facts about the kernel, by number. The ports are two children of the
// parent.
#include <cerrno>

#include "links_contract.hpp"

namespace rdmastate {
namespace {

constexpr const char* bond = "rctb";

bool has_port(const Link& port, const Link& of) { return port.master == of.index; }

TEST_P(BondContract, Fact23_ABondTakesTypeMtuAndAddressFromItsPorts) {
  make(1500);
  EXPECT_NE(need(bond).type, Link::type_infiniband);
  EXPECT_EQ(need(bond).mtu, 1500U);
  join("rct1");
  EXPECT_EQ(need(bond).type, Link::type_infiniband);
  EXPECT_FALSE(need(bond).is_ipoib());
  EXPECT_TRUE(need("rct1").up);
  EXPECT_EQ(need("rct1").mtu, 1500U);
  set(bond, to_up(true));
  ASSERT_TRUE(gets_carrier(bond));
  EXPECT_EQ(need(bond).address, need("rct1").address);
  EXPECT_EQ(need(bond).bond->active, need("rct1").index);
  set(bond, to_mtu(1400));
  EXPECT_EQ(need("rct1").mtu, 1400U);
}

TEST_P(BondContract, Fact23_APortThatIsUpIsRefused) {
  make(2044);
  set("rct1", to_up(true));
  EXPECT_EQ(errno_of([&] { join("rct1"); }), EPERM);
  EXPECT_FALSE(has_port(need("rct1"), need(bond)));
}

TEST_P(BondContract, Fact23_APortThatLeavesIsDownWithItsOwnMtu) {
  const std::uint32_t before = need("rct1").mtu;
  make(1500);
  join("rct1");
  links().set_master(need("rct1"), 0);
  EXPECT_EQ(need("rct1").master, 0U);
  EXPECT_FALSE(need("rct1").up);
  EXPECT_NE(need("rct1").mtu, 1500U);
  EXPECT_LE(need("rct1").mtu, before);  // the group's, once the port has joined it
  EXPECT_TRUE(links().find(bond));
}

TEST_P(BondContract, Fact23_APortHasNoAddressOfItsOwn) {
  make(2044);
  join("rct1");
  set(bond, to_up(true));
  ASSERT_TRUE(gets_carrier(bond));
  EXPECT_TRUE(settles([&] { return !links().addresses(need(bond).index).empty() || !need(bond).ipv6; }));
  EXPECT_TRUE(links().addresses(need("rct1").index).empty());
}

TEST_P(BondContract, Fact23_AnotherPortTakesOverAndThePrimaryTakesBack) {
  make(2044);
  join("rct1");
  join("rct2");
  set(bond, to_up(true));
  ASSERT_TRUE(gets_carrier(bond));
  BondChange change;
  change.primary = need("rct2").index;
  links().change(need(bond), change);
  EXPECT_EQ(need(bond).bond->primary, need("rct2").index);
  EXPECT_TRUE(settles([&] { return need(bond).bond->active == need("rct2").index; }));
  set("rct2", to_up(false));
  EXPECT_TRUE(settles([&] { return need(bond).bond->active == need("rct1").index; }));
  EXPECT_EQ(need(bond).address, need("rct1").address);
  set("rct2", to_up(true));
  EXPECT_TRUE(settles([&] { return need(bond).bond->active == need("rct2").index; }));
}

TEST_P(BondContract, Fact23_OneMonitorTurnsTheOtherOff) {
  make(2044);
  EXPECT_EQ(need(bond).bond->miimon, 100U);
  EXPECT_EQ(need(bond).bond->mode, BondMode::active_backup);
  const std::vector<IpAddress> targets{contract_ip("192.0.2.254"), contract_ip("192.0.2.253")};
  links().change(need(bond), BondChange{{0U, 500U, targets}, std::nullopt});
  EXPECT_EQ(need(bond).bond->settings(), (BondSettings{0U, 500U, targets}));
  links().change(need(bond), BondChange{{100U, 0U, std::vector<IpAddress>{}}, std::nullopt});
  EXPECT_EQ(need(bond).bond->settings(), (BondSettings{100U, 0U, std::vector<IpAddress>{}}));
}

TEST_P(BondContract, Fact23_ABondGoesWithItsLastPort) {
  make(2044);
  join("rct1");
  join("rct2");
  links().remove(need("rct1"));
  EXPECT_TRUE(links().find(bond));
  links().remove(need("rct2"));
  EXPECT_TRUE(settles([&] { return !links().find(bond); }));
}

TEST_P(BondContract, Fact23_PortsOfARemovedBondAreDown) {
  make(2044);
  join("rct1");
  links().remove(need(bond));
  EXPECT_EQ(need("rct1").master, 0U);
  EXPECT_FALSE(need("rct1").up);
}

TEST_P(BondContract, ANameThatIsTakenIsRefused) {
  EXPECT_EQ(errno_of([&] { links().create(NewBond{{100U, 0U, {}}, "rct1", 0}); }), EEXIST);
}

}  // namespace

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BondContract);

}  // namespace rdmastate
