// SPDX-License-Identifier: Apache-2.0
#include "dcb_contract.hpp"

#include <cerrno>
#include <utility>

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

TEST_P(DcbContract, TrafficClassesAreReadBackAsTheDriverHasThem) {
  TrafficClasses wanted = *dcb().dcb(netdev)->classes;
  EXPECT_EQ(wanted.most, 8);
  EXPECT_EQ(wanted.selection[0], TrafficClasses::vendor);
  wanted.selection[0] = wanted.selection[3] = TrafficClasses::shared;
  wanted.selection[6] = TrafficClasses::strict;
  wanted.bandwidth = {40, 0, 0, 60, 0, 0, 0, 0};
  wanted.class_of[5] = 3;
  wanted.most = 2;  // is the driver's own, and these two are not kept
  wanted.willing = 1;
  dcb().set_classes(netdev, wanted);
  wanted.bandwidth = {40, 100, 100, 60, 100, 100, 100, 100};
  wanted.most = 8;
  wanted.willing = 0;
  EXPECT_EQ(dcb().dcb(netdev)->classes, wanted);
}

TEST_P(DcbContract, ZeroIsReadBackAsItIsBesidePartsAlone) {
  TrafficClasses wanted = *dcb().dcb(netdev)->classes;
  for (const std::size_t i : {0U, 1U, 2U, 3U}) wanted.selection[i] = TrafficClasses::shared;
  const auto read_back = [&](TrafficClasses::Eight bandwidth) {
    wanted.bandwidth = bandwidth;
    dcb().set_classes(netdev, wanted);
    return dcb().dcb(netdev)->classes->bandwidth;
  };
  EXPECT_EQ(read_back({0, 0, 40, 60, 0, 0, 0, 0}), (TrafficClasses::Eight{0, 0, 40, 60, 100, 100, 100, 100}));
  EXPECT_EQ(read_back({0, 0, 0, 100, 0, 0, 0, 0}), (TrafficClasses::Eight{33, 33, 34, 100, 100, 100, 100, 100}));
  const TrafficClasses shown = *dcb().dcb(netdev)->classes;
  EXPECT_EQ(errno_of([&] { dcb().set_classes(netdev, shown); }), EINVAL) << "what is shown cannot be set";
}

TEST_P(DcbContract, SharedClassesHaveAHundredTogether) {
  const TrafficClasses before = *dcb().dcb(netdev)->classes;
  TrafficClasses wanted = before;
  wanted.selection[0] = TrafficClasses::shared;
  for (const unsigned percent : {0U, 99U, 101U}) {
    wanted.bandwidth[0] = static_cast<std::uint8_t>(percent);
    EXPECT_EQ(errno_of([&] { dcb().set_classes(netdev, wanted); }), EINVAL) << percent;
  }
  wanted = before;
  wanted.class_of[7] = 8;
  EXPECT_EQ(errno_of([&] { dcb().set_classes(netdev, wanted); }), EINVAL);
  EXPECT_EQ(dcb().dcb(netdev)->classes, before);
}

TEST_P(DcbContract, BuffersAreReadBackInTheDevicesCells) {
  PortBuffers wanted = buffers();
  EXPECT_GT(wanted.total, wanted.sizes[0]) << "there is room for another one";
  wanted.sizes[1] = 100000;
  wanted.of_priority[4] = 1;
  const std::uint32_t total = std::exchange(wanted.total, 1);  // is the device's own
  dcb().set_buffers(netdev, wanted);
  wanted.sizes[1] = 99968;  // 781 cells of 128 bytes
  wanted.total = total;
  EXPECT_EQ(buffers(), wanted);
}

TEST_P(DcbContract, ABufferOfAPriorityWithFlowControlHasItsSizeFirst) {
  set(third);
  const PortBuffers before = buffers();
  PortBuffers wanted = before;
  wanted.of_priority[3] = 1;
  EXPECT_EQ(errno_of([&] { dcb().set_buffers(netdev, wanted); }), ENOMEM) << "it has no size";
  wanted.sizes[1] = 131072;
  EXPECT_EQ(errno_of([&] { dcb().set_buffers(netdev, wanted); }), ENOMEM) << "nor has it now";
  EXPECT_EQ(buffers(), before);
  wanted.of_priority = before.of_priority;
  dcb().set_buffers(netdev, wanted);
  wanted.of_priority[3] = 1;
  dcb().set_buffers(netdev, wanted);
  EXPECT_EQ(buffers(), wanted);
  PortBuffers less = wanted;
  less.sizes[1] = 0;
  EXPECT_EQ(errno_of([&] { dcb().set_buffers(netdev, less); }), EINVAL);
  less.sizes[1] = 4096;
  EXPECT_EQ(errno_of([&] { dcb().set_buffers(netdev, less); }), ENOMEM) << "the partner hears the pause too late";
  EXPECT_EQ(buffers(), wanted);
  set(0);
  dcb().set_buffers(netdev, less);
  EXPECT_EQ(errno_of([&] { set(third); }), ENOMEM) << "flow control is judged by it too";
  EXPECT_EQ(priorities(), third) << "and is set";
  set(0);
  wanted.of_priority[3] = 0;
  dcb().set_buffers(netdev, wanted);
}

TEST_P(DcbContract, BuffersThatTheDeviceHasNot) {
  const PortBuffers before = buffers();
  PortBuffers wanted = before;
  wanted.of_priority[7] = 8;
  EXPECT_EQ(errno_of([&] { dcb().set_buffers(netdev, wanted); }), EINVAL);
  wanted = before;
  wanted.sizes[2] = before.total - before.sizes[0] + 128;
  EXPECT_EQ(errno_of([&] { dcb().set_buffers(netdev, wanted); }), EINVAL);
  EXPECT_EQ(buffers(), before);
}

TEST_P(DcbContract, TheHostNegotiates) {
  const auto mode = dcb().dcb(netdev)->dcbx;
  ASSERT_TRUE(mode);
  EXPECT_FALSE(mode->is_firmware());
}

TEST_P(DcbContract, CountsThePausesOfItsPrioritiesWithFlowControl) {
  EXPECT_EQ(dcb().flow_counters(netdev).at("rx_discards_phy"), 5U);
  set(third);
  EXPECT_EQ(dcb().flow_counters(netdev), (FlowCounters{{"rx_discards_phy", 5}, {"tx_prio3_pause", 103}}));
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
  for (const char* none : {"lo", "rct_none", "a-name-that-no-device-has"})
    EXPECT_TRUE(dcb().flow_counters(none).empty());
  EXPECT_EQ(errno_of([&] { dcb().set_flow_control("lo", {}); }), EOPNOTSUPP);
  EXPECT_EQ(errno_of([&] { dcb().set_flow_control("rct_none", {}); }), ENODEV);
  EXPECT_EQ(errno_of([&] { dcb().set_classes("lo", {}); }), EOPNOTSUPP);
  EXPECT_EQ(errno_of([&] { dcb().set_classes("rct_none", {}); }), ENODEV);
  EXPECT_EQ(errno_of([&] { dcb().set_buffers("lo", {}); }), EOPNOTSUPP);
  EXPECT_EQ(errno_of([&] { dcb().set_buffers("rct_none", {}); }), ENODEV);
  EXPECT_EQ(errno_of([&] { dcb().add_dscp("lo", {26, 3}); }), EOPNOTSUPP);
}

}  // namespace

void DcbContract::SetUp() {
  if (netdev.empty()) GTEST_SKIP() << "no network device with DCB";
  ASSERT_EQ(priorities(), 0U);
  ASSERT_TRUE(table().empty());
  classes_before = dcb().dcb(netdev)->classes;
  ASSERT_TRUE(classes_before);
  buffers_before = dcb().dcb(netdev)->buffers;
  ASSERT_TRUE(buffers_before);
}

void DcbContract::TearDown() {
  if (netdev.empty()) return;
  for (const auto& entry : table()) dcb().remove_dscp(netdev, entry);
  set(0);
  if (classes_before) dcb().set_classes(netdev, *classes_before);
  if (buffers_before) dcb().set_buffers(netdev, *buffers_before);
}

void DcbContract::set(std::uint8_t priorities) {
  FlowControl flow = *dcb().dcb(netdev)->flow_control;
  flow.priorities = priorities;
  dcb().set_flow_control(netdev, flow);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DcbContract);

}  // namespace rdmastate
