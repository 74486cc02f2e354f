// SPDX-License-Identifier: Apache-2.0
#include "dcb_contract.hpp"

#include <cerrno>

namespace rdmastate {
namespace {

constexpr std::uint8_t third = 1U << 3U;

TEST_P(DcbContract, FlowControlIsReadBackAndItsRestStays) {
  const FlowControl before = *dcb().dcb(netdev)->flow_control;
  set(third);
  FlowControl wanted = before;
  wanted.priorities = third;
  EXPECT_EQ(dcb().dcb(netdev)->flow_control, wanted);
  EXPECT_GT(wanted.most, 0) << "the driver says how many it can have";
}

TEST_P(DcbContract, OnePriorityForEachDscp) {
  dcb().add_dscp(netdev, {26, 3});
  dcb().add_dscp(netdev, {46, 6});
  EXPECT_EQ(table(), (std::set<DscpEntry>{{26, 3}, {46, 6}}));
  dcb().add_dscp(netdev, {26, 1});
  EXPECT_EQ(table(), (std::set<DscpEntry>{{26, 1}, {46, 6}}));
}

TEST_P(DcbContract, OnlyAnEntryThatIsThereIsRemoved) {
  dcb().add_dscp(netdev, {26, 3});
  EXPECT_EQ(errno_of([&] { dcb().remove_dscp(netdev, {26, 4}); }), ENOENT);
  EXPECT_EQ(errno_of([&] { dcb().remove_dscp(netdev, {46, 3}); }), ENOENT);
  dcb().remove_dscp(netdev, {26, 3});
  EXPECT_TRUE(table().empty());
}

TEST_P(DcbContract, ADscpHasSixBits) {
  EXPECT_EQ(errno_of([&] { dcb().add_dscp(netdev, {64, 3}); }), EINVAL);
  EXPECT_TRUE(table().empty());
}

TEST_P(DcbContract, ADriverWithoutItAndADeviceThatIsNotThere) {
  EXPECT_EQ(dcb().dcb("lo"), std::nullopt);
  EXPECT_EQ(dcb().dcb("rct_none"), std::nullopt);
  EXPECT_EQ(dcb().pause("lo"), std::nullopt);
  EXPECT_EQ(dcb().pause("rct_none"), std::nullopt);
  EXPECT_EQ(errno_of([&] { dcb().set_flow_control("lo", {}); }), EOPNOTSUPP);
  EXPECT_EQ(errno_of([&] { dcb().set_flow_control("rct_none", {}); }), ENODEV);
  EXPECT_EQ(errno_of([&] { dcb().add_dscp("lo", {26, 3}); }), EOPNOTSUPP);
}

}  // namespace

void DcbContract::SetUp() {
  if (netdev.empty()) GTEST_SKIP() << "no network device with DCB";
  ASSERT_EQ(priorities(), 0U);
  ASSERT_TRUE(table().empty());
}

void DcbContract::TearDown() {
  if (netdev.empty()) return;
  for (const auto& entry : table()) dcb().remove_dscp(netdev, entry);
  set(0);
}

void DcbContract::set(std::uint8_t priorities) {
  FlowControl flow = *dcb().dcb(netdev)->flow_control;
  flow.priorities = priorities;
  dcb().set_flow_control(netdev, flow);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DcbContract);

}  // namespace rdmastate
