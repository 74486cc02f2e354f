// SPDX-License-Identifier: Apache-2.0
// DCB netlink, byte by byte. Numbers are those of include/uapi/linux/dcbnl.h, written out: what is sent may not depend
// on the header that was compiled with.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "sys/codec/dcb_codec.hpp"

namespace rdmastate::codec {
namespace {

struct Parts {
  std::uint16_t type = 0;
  std::uint8_t command = 0;
  std::vector<std::byte> attributes;
};

Parts parts_of(Message message) {
  const Bytes bytes = message.finish(1);
  nlmsghdr header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  return {header.nlmsg_type,
          static_cast<std::uint8_t>(bytes[sizeof header + 1]),
          {bytes.begin() + sizeof header + 4, bytes.end()}};
}

/// An answer: struct dcbmsg, and what `fill` adds.
std::vector<std::byte> answer(const std::function<void(Message&)>& fill) {
  Message message(78, 0);
  message.header(std::uint32_t{0}).put_text(1, "eth0");
  fill(message);
  const Bytes bytes = message.finish(1);
  return {bytes.begin() + sizeof(nlmsghdr), bytes.end()};
}

TEST(DcbCodec, AsksForAllOfADevice) {
  const Parts asked = parts_of(dcb_get("eth0"));
  EXPECT_EQ(asked.type, 78);
  EXPECT_EQ(asked.command, 21);
  EXPECT_EQ(text(*find(asked.attributes, 1)), "eth0");
}

TEST(DcbCodec, SetsFlowControlAsOneStruct) {
  const Parts set = parts_of(dcb_set_flow_control("eth0", {0x08, 8, 1, 0x1234}));
  EXPECT_EQ(set.type, 79);
  EXPECT_EQ(set.command, 20);
  const auto ieee = find(set.attributes, 13);
  ASSERT_TRUE(ieee);
  const auto pfc = find(ieee->payload, 2);
  ASSERT_TRUE(pfc);
  ASSERT_EQ(pfc->payload.size(), 136U);
  EXPECT_EQ(pfc->payload[0], std::byte{8});
  EXPECT_EQ(pfc->payload[1], std::byte{0x08});
  EXPECT_EQ(pfc->payload[2], std::byte{1});
  std::uint16_t delay = 0;
  std::memcpy(&delay, pfc->payload.data() + 4, sizeof delay);
  EXPECT_EQ(delay, 0x1234);
}

/// struct ieee_ets: three bytes, then seven arrays of eight; the array N holds 10 N to 10 N + 7.
std::array<std::uint8_t, 59> ets_bytes() {
  std::array<std::uint8_t, 59> bytes{1, 8, 4};  // willing, ets_cap, cbs
  for (std::size_t i = 3; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>((i - 3) / 8 * 10 + (i - 3) % 8);
  return bytes;
}

TrafficClasses ets_value() {
  const auto eight = [](std::uint8_t first) {
    TrafficClasses::Eight numbers{};
    for (auto& number : numbers) number = first++;
    return numbers;
  };
  return {8, 4, 1, eight(20), eight(0), eight(30), eight(10), eight(40), eight(50), eight(60)};
}

TEST(DcbCodec, SetsTrafficClassesAsOneStruct) {
  const Parts set = parts_of(dcb_set_classes("eth0", ets_value()));
  EXPECT_EQ(set.type, 79);
  EXPECT_EQ(set.command, 20);
  const auto ets = find(find(set.attributes, 13)->payload, 1);
  ASSERT_TRUE(ets);
  const auto wanted = ets_bytes();
  EXPECT_TRUE(std::ranges::equal(ets->payload, std::as_bytes(std::span(wanted))));
}

TEST(DcbCodec, ReadsTrafficClassesAndWhoNegotiates) {
  const DcbState state = dcb_from(answer([](Message& message) {
    message.nest(13, [](Message& ieee) {
      const auto ets = ets_bytes();
      ieee.put(1, std::as_bytes(std::span(ets)));
    });
    message.put_number(14, std::uint8_t{0x0a});
  }));
  EXPECT_EQ(state.classes, ets_value());
  EXPECT_EQ(state.dcbx, DcbxMode{0x0a});
}

/// struct dcbnl_buffer: the buffers of priorities, then sizes and their total in four bytes each.
std::array<std::uint8_t, 44> buffer_bytes() {
  std::array<std::uint8_t, 44> bytes{0, 0, 0, 1, 2, 0, 0, 7};
  const std::array<std::uint32_t, 9> numbers{262144, 131072, 3, 4, 5, 6, 7, 8, 1048576};
  std::memcpy(bytes.data() + 8, numbers.data(), sizeof numbers);
  return bytes;
}

PortBuffers buffer_value() { return {{0, 0, 0, 1, 2, 0, 0, 7}, {262144, 131072, 3, 4, 5, 6, 7, 8}, 1048576}; }

TEST(DcbCodec, SetsAndReadsBuffersAsOneStruct) {
  const Parts set = parts_of(dcb_set_buffers("eth0", buffer_value()));
  EXPECT_EQ(set.type, 79);
  EXPECT_EQ(set.command, 20);
  const auto sent = find(find(set.attributes, 13)->payload, 10);
  ASSERT_TRUE(sent);
  const auto wanted = buffer_bytes();
  EXPECT_TRUE(std::ranges::equal(sent->payload, std::as_bytes(std::span(wanted))));
  const DcbState state = dcb_from(answer([&](Message& message) {
    message.nest(13, [&](Message& ieee) { ieee.put(10, std::as_bytes(std::span(wanted))); });
  }));
  EXPECT_EQ(state.buffers, buffer_value());
  EXPECT_FALSE(state.is_before_buffers);
}

TEST(DcbCodec, AFirmwareNegotiatesUnlessTheHostDoes) {
  EXPECT_FALSE(DcbxMode{0x09}.is_firmware());  // host, IEEE
  EXPECT_TRUE(DcbxMode{0x0a}.is_firmware());   // managed, IEEE: ice
  EXPECT_TRUE(DcbxMode{0x0c}.is_firmware());   // CEE and IEEE alone: mlx5
  EXPECT_TRUE(DcbxMode{0x0b}.is_firmware());   // host and managed
  EXPECT_FALSE(DcbxMode{0x00}.is_firmware());  // a driver without DCBX
  EXPECT_FALSE(DcbxMode{0x1a}.is_firmware());  // managed, and nothing is negotiated
}

TEST(DcbCodec, AddsAndRemovesOneEntry) {
  for (const auto& [message, command] :
       {std::pair{dcb_add_dscp("eth0", {26, 3}), 20}, {dcb_remove_dscp("eth0", {26, 3}), 27}}) {
    const Parts set = parts_of(message);
    EXPECT_EQ(set.type, 79);
    EXPECT_EQ(set.command, command);
    const auto table = find(find(set.attributes, 13)->payload, 3);
    const auto app = find(table->payload, 1);
    ASSERT_EQ(app->payload.size(), 4U);
    EXPECT_EQ(app->payload[0], std::byte{5});
    EXPECT_EQ(app->payload[1], std::byte{3});
    std::uint16_t dscp = 0;
    std::memcpy(&dscp, app->payload.data() + 2, sizeof dscp);
    EXPECT_EQ(dscp, 26);
  }
}

TEST(DcbCodec, ReadsWhatItWouldSet) {
  const std::vector<std::byte> whole = answer([](Message& message) {
    message.nest(13, [](Message& ieee) {
      std::array<std::uint8_t, 136> pfc{8, 0x18, 1};
      ieee.put(2, std::as_bytes(std::span(pfc)));
      ieee.nest(3, [](Message& table) {
        table.put_number(1, std::uint32_t{26U << 16U | 3U << 8U | 5U});
        table.put_number(1, std::uint32_t{46U << 16U | 6U << 8U | 5U});
        table.put_number(1, std::uint32_t{0x8906U << 16U | 3U << 8U | 1U});  // an EtherType
        table.put_number(2, std::uint32_t{0});                               // of a newer kernel
      });
    });
  });
  const DcbState state = dcb_from(whole);
  ASSERT_TRUE(state.flow_control);
  EXPECT_EQ(*state.flow_control, (FlowControl{0x18, 8, 1, 0}));
  EXPECT_EQ(state.dscp, (std::set<DscpEntry>{{26, 3}, {46, 6}}));
}

TEST(DcbCodec, ADriverWithoutFlowControlHasNone) {
  EXPECT_EQ(dcb_from(answer([](Message&) {})), DcbState{});
  EXPECT_EQ(dcb_from(answer([](Message& message) { message.nest(13, [](Message&) {}); })), DcbState{});
}

TEST(DcbCodec, AnOutcomeIsAnErrnoInOneByte) {
  const auto outcome = [](std::uint8_t value) {
    return dcb_outcome_from(answer([&](Message& message) { message.put_number(13, value); }));
  };
  EXPECT_EQ(outcome(0), 0);
  EXPECT_EQ(outcome(static_cast<std::uint8_t>(-95)), 95);
  EXPECT_EQ(outcome(static_cast<std::uint8_t>(-22)), 22);
  EXPECT_EQ(outcome(static_cast<std::uint8_t>(-133)), 133) << "the highest errno of errno.h";
  EXPECT_EQ(outcome(static_cast<std::uint8_t>(-524 & 0xff)), 12) << "ENOTSUPP, cut off";
  EXPECT_EQ(outcome(1), 0) << "ice: in place, and nothing had to change";
  EXPECT_EQ(outcome(2), 0) << "ice: in place";
  EXPECT_THROW(dcb_outcome_from(answer([](Message&) {})), Error);
}

TEST(DcbCodec, WhatIsCutOffIsAnError) {
  EXPECT_THROW(dcb_from({}), Error);
  EXPECT_THROW(dcb_from(answer([](Message& message) {
                 message.nest(13, [](Message& ieee) { ieee.put_number(2, std::uint32_t{8}); });
               })),
               Error);
  EXPECT_THROW(dcb_from(answer([](Message& message) {
                 message.nest(13, [](Message& ieee) { ieee.put_number(1, std::uint32_t{8}); });
               })),
               Error);
}

}  // namespace
}  // namespace rdmastate::codec
