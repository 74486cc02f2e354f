// SPDX-License-Identifier: Apache-2.0
// Receive buffers of a port: the order of the sets, sizes that the device rounds, what cannot be had, and that flow
// control alone leaves them to the firmware.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

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
  EXPECT_EQ(sets(host, spec("{priority_buffers: {3: 1}, buffers: {1: 128KiB}}")), (std::vector<std::string>{set, set}));
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
  EXPECT_EQ(sets(host, spec("{pfc: [3], priority_buffers: {3: 1}, buffers: {1: 128KiB}}")),
            (std::vector<std::string>{set, set, flow}));
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  HostModel before = with_buffers(0);
  EXPECT_EQ(host.model().find(netdev)->dcb, before.find(netdev)->dcb);
}

TEST(QosBuffers, ASizeThatTheDeviceRoundsIsAsAsked) {
  RecordedHost host(with_buffers(0));
  const std::string text = spec("{buffers: {1: 100000B}}");
  EXPECT_EQ(sets(host, text), std::vector<std::string>{set});
  EXPECT_EQ(buffers_of(host).sizes[1], 99968U);
  EXPECT_TRUE(sets(host, text).empty());
  EXPECT_TRUE(sets(host, spec("{buffers: {1: 99968B}}")).empty());
  EXPECT_EQ(sets(host, spec("{buffers: {1: 101024B}}")), std::vector<std::string>{set});
  EXPECT_EQ(sets(host, spec("{buffers: {1: 0}}")), std::vector<std::string>{set});
  EXPECT_EQ(sets(host, spec("{buffers: {1: 1KiB}}")), std::vector<std::string>{set}) << "no size is another thing";
  EXPECT_EQ(sets(host, text), std::vector<std::string>{set});
  Host doors = host.host();
  EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(buffers_of(host).sizes[1], 1024U) << "no other program changed it, so it is taken back";
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
  const Gap none = gap_of(spec("{pfc: [3], buffers: {0: 64KiB}}"), with(qos_scene::state_of(0, {})));
  EXPECT_EQ(none.blocked,
            "the driver of enp129s0d1 has no receive buffers that can be set: take buffers and priority_buffers out");
  EXPECT_EQ(none.never, (std::vector<std::string_view>{"priority_buffers", "buffers"}));
  ASSERT_TRUE(none.move) << "flow control goes on";
  EXPECT_FALSE(has_buffers(none.move->to->as<QosPortState>()));

  const Gap much = gap_of(spec("{buffers: {0: 1000000B, 1: 128KiB}}"), with_buffers(0));
  EXPECT_EQ(
      much.blocked,
      "the receive buffers of enp129s0d1 would have 1131072 bytes together, and it has 1048576: name all of them in buffers, with less");
  EXPECT_TRUE(much.never) << "by the spec alone";
  const Gap beside = gap_of(spec("{buffers: {1: 1000000B}}"), with_buffers(0));
  EXPECT_NE(beside.blocked.find("would have 1262144 bytes together"), std::string::npos);
  EXPECT_FALSE(beside.never) << "somebody else's buffer 0 may shrink";

  EXPECT_EQ(gap_of(spec("{priority_buffers: {3: 2}}"), with_buffers(0)).blocked,
            "buffer 2 would have no size, and priority 3 is in it: give the buffer a size in buffers, or the priority "
            "another in priority_buffers");
  EXPECT_EQ(
      gap_of(spec("{pfc: [3], priority_buffers: {3: 2}, buffers: {2: 8KiB}}"), with_buffers(0)).blocked,
      "buffer 2 would have 8KiB, and a priority with flow control is in it: what comes after the partner was asked "
      "to pause needs more than 9216 bytes: give it more in buffers");
  PortBuffers of_others = first_buffers();
  of_others.of_priority[7] = 7;
  EXPECT_TRUE(gap_of(spec("{buffers: {1: 128KiB}}"), with_buffers(0, of_others)).move) << "which was so before";
}

TEST(QosBuffers, AnErrnoComesWithItsReason) {
  RecordedHost host(with_buffers(0x08));
  const Outcome outcome = apply_spec(host, spec("{priority_buffers: {3: 1}, buffers: {1: 16KiB}}"));
  EXPECT_EQ(outcome.code, ExitCode::failed_restored);
  EXPECT_NE(outcome.message.find("is too small for what comes after the partner was asked to pause"), std::string::npos)
      << outcome.message;
  EXPECT_EQ(buffers_of(host), first_buffers());
}

// A port whose flow control and buffers mlx5 takes: a buffer with a priority of them has room for what is under way.
struct Port {
  std::uint8_t pfc = 0;
  PortBuffers buffers;
};

class Ports {
 public:
  Port port(std::uint32_t total) {
    Port made;
    made.pfc = static_cast<std::uint8_t>(below(2) == 0 ? 0 : 1U << below(8));
    made.buffers.total = total;
    for (auto& one : made.buffers.of_priority) one = static_cast<std::uint8_t>(below(3));
    std::uint32_t left = total / 128;
    for (const auto one : made.buffers.of_priority) made.buffers.sizes[one] = least(made, one);
    for (const auto size : made.buffers.sizes) left -= size / 128;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t more = below(2) == 0 ? left : below(left + 1);
      made.buffers.sizes[i] += more * 128;
      left -= more;
    }
    return made;
  }

 private:
  std::uint32_t below(std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random_);
  }
  static std::uint32_t least(const Port& port, std::uint8_t number) {
    for (std::size_t i = 0; i < PortBuffers::count; ++i)
      if ((port.pfc >> i & 1U) != 0 && port.buffers.of_priority[i] == number) return 65536;
    return 1024;
  }
  std::mt19937 random_{1};
};

std::string spec_of(const Port& port) {
  std::string pfc, priorities, sizes;
  for (const auto one : priorities_of(port.pfc)) pfc += to_text(one);
  for (std::uint32_t i = 0; i < PortBuffers::count; ++i) {
    priorities += fmt::format("{}: {}, ", i, port.buffers.of_priority[i]);
    sizes += fmt::format("{}: {}, ", i, to_text(BufferSize{port.buffers.sizes[i]}));
  }
  return spec("{pfc: [" + pfc + "], priority_buffers: {" + priorities + "}, buffers: {" + sizes + "}}");
}

TEST(QosBuffers, FromAnyPortToAnyOtherAndBack) {
  Ports ports;
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t total = i % 2 == 0 ? 262016 : 1U << 20U;
    const Port from = ports.port(total), to = ports.port(total);
    RecordedHost host(with_buffers(from.pfc, from.buffers));
    SCOPED_TRACE(spec_of(from) + spec_of(to));
    const Outcome outcome = apply_spec(host, spec_of(to));
    ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
    EXPECT_EQ(buffers_of(host), to.buffers);
    EXPECT_EQ(host.model().find(netdev)->dcb->flow_control->priorities, to.pfc);
    Host doors = host.host();
    const Outcome back = rollback(doors, false, deaf());
    ASSERT_EQ(back.code, ExitCode::done) << back.message;
    EXPECT_EQ(buffers_of(host), from.buffers);
    EXPECT_EQ(host.model().find(netdev)->dcb->flow_control->priorities, from.pfc);
  }
}

TEST(QosBuffers, ASizeAboveTheAskedOneIsSomebodyElses) {
  PortBuffers more = first_buffers();
  more.sizes[0] = 131968;
  RecordedHost host(with_buffers(0, more));
  EXPECT_EQ(sets(host, spec("{buffers: {0: 128KiB, 1: 917504B}}")), std::vector<std::string>{set});
  EXPECT_EQ(buffers_of(host).sizes[0], 131072U);
}

TEST(QosBuffers, ARecordOfAnEarlierVersionDoesNotTell) {
  HostModel model = with_buffers(0);
  model.find(netdev)->dcb->buffers.reset();
  model.find(netdev)->dcb->is_before_buffers = true;
  const Gap gap = gap_of(spec("{buffers: {0: 64KiB}}"), model);
  EXPECT_NE(gap.unseen.find("the record does not say what receive buffers enp129s0d1 has"), std::string::npos);
  EXPECT_TRUE(gap_of(spec("{pfc: [3]}"), model).move);
}

}  // namespace
}  // namespace rdmastate
