// SPDX-License-Identifier: Apache-2.0
// Receive buffers of a port: the order of the sets, sizes that the device rounds, what cannot be had, and that flow
// control alone leaves them to the firmware.
#include <gtest/gtest.h>

#include "apply/undo.hpp"
#include "qos_scene.hpp"
#include "resources/qos_port/buffers.hpp"

namespace rdmastate {
namespace {

using namespace qos_scene;

// As mlx5 begins: all priorities in buffer 0, and room for more.
PortBuffers first_buffers() {
  PortBuffers buffers;
  buffers.sizes[0] = 1U << 18U;
  buffers.total = 1U << 20U;
  return buffers;
}

HostModel with_buffers(std::uint8_t pfc, const PortBuffers& buffers = first_buffers()) {
  DcbState state = qos_scene::state_of(pfc, {});
  state.buffers = buffers;
  return with(state);
}

const PortBuffers& buffers_of(RecordedHost& host) { return *host.model().find(netdev)->dcb->buffers; }

const std::string set = "setting receive buffers on enp129s0d1";
const std::string flow = "setting priority flow control (PFC) on enp129s0d1";

TEST(QosBuffers, ABufferHasItsSizeBeforeAPriorityWithFlowControlComes) {
  RecordedHost host(with_buffers(0x08));
  EXPECT_EQ(sets(host, spec("{priority_buffers: {3: 1}, buffers: {1: 131072}}")), (std::vector<std::string>{set, set}));
  PortBuffers wanted = first_buffers();
  wanted.of_priority[3] = 1;
  wanted.sizes[1] = 131072;
  EXPECT_EQ(buffers_of(host), wanted);
  EXPECT_EQ(sets(host, spec("{priority_buffers: {3: 0}, buffers: {1: 0}}")), (std::vector<std::string>{set, set}))
      << "and keeps it until the priority has left";
  EXPECT_EQ(buffers_of(host), first_buffers());
}

TEST(QosBuffers, TheyComeBeforeFlowControlAndAreTakenBack) {
  RecordedHost host(with_buffers(0));
  EXPECT_EQ(sets(host, spec("{pfc: [3], priority_buffers: {3: 1}, buffers: {1: 131072}}")),
            (std::vector<std::string>{set, set, flow}));
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  HostModel before = with_buffers(0);
  EXPECT_EQ(host.model().find(netdev)->dcb, before.find(netdev)->dcb);
}

TEST(QosBuffers, ASizeThatTheDeviceRoundsIsAsAsked) {
  RecordedHost host(with_buffers(0));
  const std::string text = spec("{buffers: {1: 100000}}");
  EXPECT_EQ(sets(host, text), std::vector<std::string>{set});
  EXPECT_EQ(buffers_of(host).sizes[1], 99968U);
  EXPECT_TRUE(sets(host, text).empty());
  EXPECT_TRUE(sets(host, spec("{buffers: {1: 99968}}")).empty());
  EXPECT_EQ(sets(host, spec("{buffers: {1: 101024}}")), std::vector<std::string>{set});
  EXPECT_EQ(sets(host, spec("{buffers: {1: 0}}")), std::vector<std::string>{set});
  EXPECT_EQ(sets(host, spec("{buffers: {1: 1000}}")), std::vector<std::string>{set}) << "no size is another thing";
  Host doors = host.host();
  EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done) << "nor did another program change it";
  EXPECT_EQ(buffers_of(host).sizes[1], 0U);
}

TEST(QosBuffers, ASpecWithoutThemLeavesThemToTheFirmware) {
  RecordedHost host(with_buffers(0));
  EXPECT_EQ(sets(host, spec("{pfc: [3]}")), std::vector<std::string>{flow});
  host.model().find(netdev)->dcb->buffers->sizes[2] = 65536;  // as mlx5's firmware may after it
  EXPECT_TRUE(sets(host, spec("{pfc: [3]}")).empty());
  const std::size_t before = host.calls().size();
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(std::count(host.calls().begin() + static_cast<std::ptrdiff_t>(before), host.calls().end(), set), 0);
  EXPECT_EQ(buffers_of(host).sizes[2], 65536U);
}

TEST(QosBuffers, WhatCannotBeHadIsBlocked) {
  const Gap none = gap_of(spec("{pfc: [3], buffers: {0: 65536}}"), with(qos_scene::state_of(0, {})));
  EXPECT_EQ(none.blocked,
            "the driver of enp129s0d1 has no receive buffers that can be set: take buffers and priority_buffers out");
  EXPECT_EQ(none.never, (std::vector<std::string_view>{"priority_buffers", "buffers"}));
  ASSERT_TRUE(none.move) << "flow control goes on";
  EXPECT_FALSE(has_buffers(none.move->to->as<QosPortState>()));

  const Gap much = gap_of(spec("{buffers: {0: 1000000, 1: 131072}}"), with_buffers(0));
  EXPECT_EQ(
      much.blocked,
      "the receive buffers of enp129s0d1 would have 1131072 bytes together, and it has 1048576: give each its size "
      "in buffers, and some of them less");
  EXPECT_TRUE(much.never) << "by the spec alone";
  const Gap beside = gap_of(spec("{buffers: {1: 1000000}}"), with_buffers(0));
  EXPECT_NE(beside.blocked.find("would have 1262144 bytes together"), std::string::npos);
  EXPECT_FALSE(beside.never) << "somebody else's buffer 0 may shrink";

  EXPECT_EQ(gap_of(spec("{priority_buffers: {3: 2}}"), with_buffers(0)).blocked,
            "priority 3 would have buffer 2, and that no size: give it one in buffers, or the priority another in "
            "priority_buffers");
}

TEST(QosBuffers, SizesOnTheWayFitToo) {
  PortBuffers large = first_buffers();
  large.sizes[0] = 1U << 20U;
  std::string all;
  for (char priority = '0'; priority < '8'; ++priority) all += std::string(all.empty() ? "" : ", ") + priority + ": 1";
  EXPECT_EQ(
      gap_of(spec("{priority_buffers: {" + all + "}, buffers: {0: 0, 1: 131072}}"), with_buffers(0, large)).blocked,
      "on the way the receive buffers of enp129s0d1 would have more than its 1048576 bytes together, as a buffer "
      "keeps its size until its priorities have left: give it less first, and 0 with a second apply");
  EXPECT_TRUE(gap_of(spec("{priority_buffers: {" + all + "}, buffers: {0: 0, 1: 131072}}"), with_buffers(0)).move);
}

TEST(QosBuffers, ARecordOfAnEarlierVersionDoesNotTell) {
  HostModel model = with_buffers(0);
  model.find(netdev)->dcb->buffers.reset();
  model.find(netdev)->dcb->is_before_buffers = true;
  const Gap gap = gap_of(spec("{buffers: {0: 65536}}"), model);
  EXPECT_NE(gap.unseen.find("the record does not say what receive buffers enp129s0d1 has"), std::string::npos);
  EXPECT_TRUE(gap_of(spec("{pfc: [3]}"), model).move);
}

}  // namespace
}  // namespace rdmastate
