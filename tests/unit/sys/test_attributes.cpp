// SPDX-License-Identifier: Apache-2.0
// Netlink attributes: reading, nesting, and what is malformed.
#include <gtest/gtest.h>

#include <cerrno>

#include "base/error.hpp"
#include "captured.hpp"
#include "support/property.hpp"
#include "sys/codec/address_codec.hpp"
#include "sys/codec/link_codec.hpp"
#include "sys/codec/route_codec.hpp"

namespace rdmastate::codec {
namespace {

TEST(ForEach, FindsAttributesInOrder) {
  Message message(1, 0);
  message.put_number(1, std::uint8_t{5}).put_text(2, "ib").put_number(1, std::uint8_t{6});
  const Bytes attributes = message.finish(1).subspan(sizeof(nlmsghdr));
  EXPECT_EQ(number<std::uint8_t>(*find(attributes, 1)), 6);  // the last one counts
  EXPECT_EQ(text(*find(attributes, 2)), "ib");
  EXPECT_FALSE(find(attributes, 3));
}

TEST(ForEach, ALengthThatLiesIsRefused) {
  const auto ignore = [](const Attribute&) {};
  for (const std::string_view bytes : {"03000100", "00000100", "0900010000000000", "ffff0100", "080001", "04"})
    EXPECT_THROW(for_each(captured::bytes(bytes), ignore), Error) << bytes;
  EXPECT_NO_THROW(for_each(captured::bytes("0500010007"), ignore));  // the last one's padding may be missing
}

TEST(Message, AnOversizedAttributeIsRefused) {
  Message message(1, 0);
  EXPECT_THROW(message.put(1, std::vector<std::byte>(70000)), Error);
}

Received answer(std::uint16_t type, std::uint16_t flags, Bytes payload) {
  Received message;
  message.header.nlmsg_type = type;
  message.header.nlmsg_flags = flags;
  message.payload = payload;
  return message;
}

TEST(AnswerFrom, CarriesTheKernelsOwnWords) {
  const auto request = nlmsghdr{.nlmsg_len = 64, .nlmsg_type = 16, .nlmsg_flags = 5, .nlmsg_seq = 1, .nlmsg_pid = 0};
  Message built(NLMSG_ERROR, 0);
  built.header(std::int32_t{-EINVAL}).header(request).put_text(NLMSGERR_ATTR_MSG, "invalid P_Key");
  const Bytes payload = built.finish(1).subspan(sizeof(nlmsghdr));
  const Answer capped = answer_from(answer(NLMSG_ERROR, NLM_F_CAPPED | NLM_F_ACK_TLVS, payload));
  EXPECT_EQ(capped.error, EINVAL);
  EXPECT_EQ(capped.explains, "invalid P_Key");
  EXPECT_EQ(answer_from(answer(NLMSG_ERROR, NLM_F_CAPPED, payload)).explains, "");
}

TEST(AnswerFrom, ADumpsEndMayBeAnError) {
  EXPECT_EQ(answer_from(answer(NLMSG_DONE, 0, {})).error, 0);
  EXPECT_EQ(answer_from(answer(NLMSG_DONE, 0, captured::bytes("edffffff"))).error, ENODEV);
  EXPECT_THROW(answer_from(answer(NLMSG_ERROR, 0, captured::bytes("edff"))), Error);
  EXPECT_THROW(answer_from(answer(NLMSG_DONE, 0, captured::bytes("00000080"))), Error);
}

/// Whatever the bytes: a value or an Error, and (under the sanitizers) nothing read beyond them.
void feed(const std::vector<std::byte>& bytes) {
  const auto tried = [](auto&& work) {
    try {
      work();
    } catch (const Error&) {
    }
  };
  tried([&] { link_from(bytes); });
  tried([&] { address_from(bytes); });
  tried([&] { route_from(bytes); });
  tried([&] {
    for_each_message(bytes, [&](const Received& message) {
      tried([&] { answer_from(message); });
      return true;
    });
  });
}

TEST(Malformed, ArbitraryBytesNeverCrash) {
  for_all("a value or an error", [](Case& drawn) {
    const std::string raw = drawn.bytes();
    const Bytes bytes = std::as_bytes(std::span(raw));
    feed({bytes.begin(), bytes.end()});
  });
}

TEST(Malformed, OneWrongByteNeverCrashes) {
  constexpr std::array sources{captured::veth_link,       captured::address_v4,   captured::address_v6,
                               captured::route_multipath, captured::route_metric, captured::route_v6_default};
  for_all("a value or an error", [&](Case& drawn) {
    auto bytes = captured::bytes(sources[drawn.index(sources.size())]);
    const int count = drawn.number(1, 5);
    const auto growing = [&](std::size_t end) { return drawn.from({Range::Spread::growing, end}); };
    for (int i = 0; i < count; ++i) bytes[growing(bytes.size())] = static_cast<std::byte>(drawn.bits(8));
    bytes.resize(growing(bytes.size() + 1));
    feed(bytes);
  });
}

}  // namespace
}  // namespace rdmastate::codec
