// SPDX-License-Identifier: Apache-2.0
// Virtual functions as parts of netlink messages about a link. Numbers of attributes are those of linux/if_link.h.
#include <gtest/gtest.h>
#include <linux/rtnetlink.h>

#include <array>

#include "base/error.hpp"
#include "sys/codec/link_codec.hpp"

namespace rdmastate::codec {
namespace {

constexpr std::uint16_t vfinfo_list = 22, vf_info = 1, link_state = 5, ib_node_guid = 10, ib_port_guid = 11,
                        ext_mask = 29;

/// Two numbers of 32 bits, and a GUID behind one.
std::vector<std::byte> pair_of(std::uint32_t number, std::uint32_t value) {
  const std::array<std::uint32_t, 2> both{number, value};
  const Bytes bytes = std::as_bytes(std::span(both));
  return {bytes.begin(), bytes.end()};
}
std::vector<std::byte> guid_of(std::uint32_t number, std::uint64_t guid) {
  std::array<std::uint64_t, 2> both{number, guid};
  const Bytes bytes = std::as_bytes(std::span(both));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> behind_headers(Message message) {
  const Bytes bytes = message.finish(1);
  return {bytes.begin() + sizeof(nlmsghdr) + sizeof(ifinfomsg), bytes.end()};
}

std::vector<std::byte> answer(const std::function<void(Message&)>& fill) {
  Message message(RTM_NEWLINK, 0);
  message.header(ifinfomsg{});
  fill(message);
  const Bytes bytes = message.finish(1);
  return {bytes.begin() + sizeof(nlmsghdr), bytes.end()};
}

TEST(VfCodec, AsksForVirtualFunctions) {
  const auto attributes = behind_headers(vf_settings_get(7));
  EXPECT_EQ(number<std::uint32_t>(*find(attributes, ext_mask)) & 1U, 1U) << "RTEXT_FILTER_VF";
}

// The kernel leaves out a function whose driver tells nothing.
TEST(VfCodec, GoesByTheirNumbers) {
  const auto bytes = answer([](Message& message) {
    message.nest(vfinfo_list,
                 [](Message& list) { list.nest(vf_info, [](Message& info) { info.put(link_state, pair_of(2, 1)); }); });
  });
  const std::vector<VfSettings> expected{{}, {}, {std::nullopt, std::nullopt, VfLinkState::enable}};
  EXPECT_EQ(vf_settings_from(bytes), expected);
}

TEST(VfCodec, ReadsThemInTheirOrder) {
  const auto bytes = answer([](Message& message) {
    message.nest(vfinfo_list, [](Message& list) {
      list.nest(vf_info, [](Message& info) {
        info.put(ib_node_guid, guid_of(0, 0xf452140300000010)).put(ib_port_guid, guid_of(0, 0));
        info.put(link_state, pair_of(0, 2));
      });
      list.nest(vf_info, [](Message& info) { info.put(link_state, pair_of(1, 0)); });
    });
  });
  const std::vector<VfSettings> expected{{Guid{0xf452140300000010}, ReportedGuid{}, VfLinkState::disable},
                                         {std::nullopt, std::nullopt, VfLinkState::automatic}};
  EXPECT_EQ(vf_settings_from(bytes), expected);
  EXPECT_TRUE(vf_settings_from(answer([](Message&) {})).empty());
}

TEST(VfCodec, AnUnknownLinkStateIsBroken) {
  const auto bytes = answer([](Message& message) {
    message.nest(vfinfo_list,
                 [](Message& list) { list.nest(vf_info, [](Message& info) { info.put(link_state, pair_of(0, 3)); }); });
  });
  EXPECT_THROW(vf_settings_from(bytes), Error);
}

TEST(VfCodec, TellsOneSettingPerMessage) {
  const VfSettings wanted{Guid{0x10}, Guid{0x11}, VfLinkState::enable};
  const std::vector<std::uint16_t> types{ib_node_guid, ib_port_guid, link_state};
  const std::vector<std::vector<std::byte>> values{guid_of(3, 0x10), guid_of(3, 0x11), pair_of(3, 1)};
  auto messages = vf_changes(7, 3, wanted);
  ASSERT_EQ(messages.size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto attributes = behind_headers(std::move(messages[i]));
    const auto info = find(find(attributes, vfinfo_list)->payload, vf_info);
    ASSERT_TRUE(info);
    EXPECT_TRUE(std::ranges::equal(find(info->payload, types[i])->payload, values[i])) << types[i];
  }
  EXPECT_TRUE(vf_changes(7, 3, {}).empty());
}

}  // namespace
}  // namespace rdmastate::codec
