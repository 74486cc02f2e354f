// SPDX-License-Identifier: Apache-2.0
// Ethtool netlink's pause, byte by byte. Numbers are those of include/uapi/linux/ethtool_netlink.h and genetlink.h.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "sys/codec/pause_codec.hpp"

namespace rdmastate::codec {
namespace {

std::vector<std::byte> body(Message message) {
  const Bytes bytes = message.finish(1);
  return {bytes.begin() + sizeof(nlmsghdr), bytes.end()};
}

/// An answer: struct genlmsghdr, and what `fill` adds.
std::vector<std::byte> answer(const std::function<void(Message&)>& fill) {
  Message message(30, 0);
  message.header(std::uint32_t{0});
  fill(message);
  return body(std::move(message));
}

TEST(PauseCodec, AsksForOneDevice) {
  for (const bool statistics : {false, true}) {
    const auto asked = body(pause_get(30, "eth0", statistics));
    EXPECT_EQ(asked[0], std::byte{21});
    const auto header = find(Bytes(asked).subspan(4), 1);
    ASSERT_TRUE(header);
    EXPECT_EQ(text(*find(header->payload, 2)), "eth0");
    const auto flags = find(header->payload, 3);
    ASSERT_EQ(flags.has_value(), statistics);
    if (flags) {
      EXPECT_EQ(number<std::uint32_t>(*flags), 4U);
    }
  }
}

TEST(PauseCodec, FindsTheFamily) {
  const auto asked = body(ethtool_family_get());
  EXPECT_EQ(asked[0], std::byte{3});
  EXPECT_EQ(text(*find(Bytes(asked).subspan(4), 2)), "ethtool");
  EXPECT_EQ(family_from(answer([](Message& message) { message.put_number(1, std::uint16_t{21}); })), 21);
  EXPECT_THROW(family_from(answer([](Message&) {})), Error);
}

TEST(PauseCodec, ReadsWhatIsThere) {
  const auto full = answer([](Message& message) {
    message.put_number(2, std::uint8_t{1}).put_number(3, std::uint8_t{0}).put_number(4, std::uint8_t{1});
    message.nest(5, [](Message& statistics) { statistics.put_number(2, std::uint64_t{77}); });
  });
  EXPECT_EQ(pause_from(full), (PauseState{true, false, true, 77}));
  EXPECT_EQ(pause_from(answer([](Message&) {})), PauseState{});
  EXPECT_THROW(pause_from(answer([](Message& message) { message.put_number(3, std::uint32_t{1}); })), Error);
}

}  // namespace
}  // namespace rdmastate::codec
