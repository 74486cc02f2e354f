// SPDX-License-Identifier: Apache-2.0
// What others decide: partitions, the port's state, whether a subnet manager answers.
#include <algorithm>
#include <cerrno>

#include "links_contract.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t down = 1, init = 2, active = 4;

bool lists(const RdmaPort& port, PKey pkey) {
  return std::find(port.pkeys.begin(), port.pkeys.end(), pkey.value) != port.pkeys.end();
}

TEST_P(FabricContract, Fact5_APartitionGrantedLaterBringsTheCarrier) {
  create("rct1", later);
  set("rct1", to_up(true));
  EXPECT_FALSE(need("rct1").carrier);
  fabric->grant(later);
  EXPECT_TRUE(lists(port(), later));
  EXPECT_TRUE(gets_carrier("rct1"));
}

TEST_P(FabricContract, Fact5_APartitionTakenAwayTakesTheCarrierAndNothingElse) {
  fabric->grant(later);
  const Link child = create("rct1", later);
  set("rct1", to_up(true));
  ASSERT_TRUE(gets_carrier("rct1"));
  const Address address{child.index, contract_address("192.0.2.1/24"), true, false, false};
  links().add(address);
  fabric->revoke(later);
  EXPECT_FALSE(lists(port(), later));
  EXPECT_TRUE(loses_carrier("rct1"));
  EXPECT_TRUE(need("rct1").up);
  const auto all = links().addresses(child.index);
  EXPECT_NE(std::find(all.begin(), all.end(), address), all.end());
  EXPECT_FALSE(links().routes(child.index).empty());
}

TEST_P(FabricContract, APortThatIsNotActiveHasNoCarrier) {
  create("rct1", granted());
  set("rct1", to_up(true));
  ASSERT_TRUE(gets_carrier("rct1"));
  for (const std::uint32_t state : {init, down}) {
    fabric->set_state(state);
    EXPECT_EQ(port().state, state);
    EXPECT_TRUE(loses_carrier("rct1"));
    EXPECT_TRUE(need("rct1").up);
    fabric->set_state(active);
    EXPECT_TRUE(gets_carrier("rct1"));
  }
}

TEST_P(FabricContract, AnInterfaceIsTakenUpOnAPortThatIsNotActive) {
  fabric->set_state(init);
  create("rct1", granted());
  EXPECT_EQ(set_refusal("rct1", to_up(true)), 0);
  EXPECT_TRUE(need("rct1").up);
  EXPECT_FALSE(need("rct1").carrier);
  links().add(Address{need("rct1").index, contract_address("192.0.2.1/24"), true, false, false});
  fabric->set_state(active);
  EXPECT_TRUE(gets_carrier("rct1"));
}

TEST_P(FabricContract, WithoutCarrierAnIpv6AddressStaysTentative) {
  create("rct1", later);
  set("rct1", to_up(true));
  const std::uint32_t index = need("rct1").index;
  links().add(Address{index, contract_address("2001:db8:1::1/64"), true, false, false});
  const auto is_tentative = [&] {
    for (const auto& one : links().addresses(index))
      if (one.value == contract_address("2001:db8:1::1/64")) return one.tentative;
    return false;
  };
  host.clock.sleep(std::chrono::seconds(3));
  EXPECT_TRUE(is_tentative());
  fabric->grant(later);
  EXPECT_TRUE(settles([&] { return !is_tentative(); }));
}

TEST_P(FabricContract, WithoutASubnetManagerNothingIsJoined) {
  fabric->set_subnet_manager(false);
  EXPECT_EQ(port().sm_lid, 0U);
  create("rct1", granted());
  set("rct1", to_up(true));
  host.clock.sleep(std::chrono::seconds(1));
  EXPECT_FALSE(need("rct1").carrier);
  fabric->set_subnet_manager(true);
  EXPECT_TRUE(gets_carrier("rct1"));
}

TEST_P(EnhancedContract, ConnectedModeIsRefusedAndLeavesNothing) {
  EXPECT_FALSE(need(parent).supports_connected());
  EXPECT_EQ(create_refusal("rct1", need(parent).index, granted(), IpoibMode::connected), EINVAL);
  EXPECT_FALSE(links().find("rct1"));
  const Link child = create("rct2", granted());
  EXPECT_FALSE(child.supports_connected());
  EXPECT_EQ(set_refusal("rct2", to_mode(IpoibMode::connected)), EINVAL);
  EXPECT_EQ(need("rct2").ipoib->mode, IpoibMode::datagram);
  EXPECT_EQ(set_refusal("rct2", to_mode(IpoibMode::datagram)), 0);
}

}  // namespace

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EnhancedContract);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FabricContract);

}  // namespace rdmastate
