// SPDX-License-Identifier: Apache-2.0
// RDMA netlink, attribute by attribute. Numbers are those of include/uapi/rdma/rdma_netlink.h, written out: what is
// sent may not depend on the header that was compiled with.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "captured.hpp"
#include "sys/codec/rdma_codec.hpp"

namespace rdmastate::codec {
namespace {

/// What stands behind a message's header.
std::vector<std::byte> payload_of(Message message) {
  const Bytes bytes = message.finish(1);
  return {bytes.begin() + sizeof(nlmsghdr), bytes.end()};
}

std::uint16_t type_of(Message message) {
  nlmsghdr header{};
  const Bytes bytes = message.finish(1);
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.nlmsg_type;
}

std::vector<std::byte> answer(const std::function<void(Message&)>& fill) {
  Message message(0x1401, 0);
  fill(message);
  return payload_of(std::move(message));
}

TEST(RdmaCodec, RequestsAreOfTheirTypes) {
  EXPECT_EQ(type_of(rdma_device_dump()), 0x1401);
  EXPECT_TRUE(rdma_device_dump().is_dump());
  EXPECT_EQ(type_of(rdma_set_name(3, "a")), 0x1402);
  EXPECT_EQ(type_of(rdma_link_add({SoftType::rxe, "eth0", "rxe0"})), 0x1403);
  EXPECT_EQ(type_of(rdma_link_delete(3)), 0x1404);
  EXPECT_EQ(type_of(rdma_port_get(3, 1)), 0x1405);
  EXPECT_EQ(type_of(rdma_system_get()), 0x1406);
  EXPECT_EQ(type_of(rdma_system_set(NetnsMode::shared)), 0x1407);
  EXPECT_EQ(type_of(rdma_users_dump(3, RdmaResource::queue_pair)), 0x140a);
  EXPECT_EQ(type_of(rdma_users_dump(3, RdmaResource::cm_id)), 0x140b);
  EXPECT_EQ(type_of(rdma_uverbs_get(3)), 0x140f);
  EXPECT_TRUE(is_rdma_answer(0x1401));
  EXPECT_FALSE(is_rdma_answer(16));
}

TEST(RdmaCodec, RequestsHoldWhatTheKernelWants) {
  const auto added = payload_of(rdma_link_add({SoftType::siw, "eth0", "siw0"}));
  EXPECT_EQ(text(*find(added, 2)), "siw0");
  EXPECT_EQ(text(*find(added, 51)), "eth0");
  EXPECT_EQ(text(*find(added, 65)), "siw");
  const auto named = payload_of(rdma_set_name(7, "store_a"));
  EXPECT_EQ(number<std::uint32_t>(*find(named, 1)), 7U);
  EXPECT_EQ(text(*find(named, 2)), "store_a");
  EXPECT_EQ(number<std::uint8_t>(*find(payload_of(rdma_system_set(NetnsMode::exclusive)), 66)), 0);
  EXPECT_EQ(number<std::uint8_t>(*find(payload_of(rdma_system_set(NetnsMode::shared)), 66)), 1);
  EXPECT_EQ(text(*find(payload_of(rdma_uverbs_get(7)), 69)), "uverbs");
}

TEST(RdmaCodec, DevicesPortsAndDrivers) {
  const auto device = answer(
      [](Message& m) { m.put_number(999, std::uint32_t{1}).put_number(1, std::uint32_t{4}).put_text(2, "rxe0"); });
  EXPECT_EQ(rdma_index_from(device), (RdmaIndex{4, "rxe0"}));
  EXPECT_THROW(rdma_index_from(answer([](Message& m) { m.put_text(2, "rxe0"); })), Error);
  EXPECT_THROW(rdma_index_from(answer([](Message& m) { m.put_number(1, std::uint8_t{4}).put_text(2, "x"); })), Error);
  EXPECT_EQ(rdma_netdev_from(answer([](Message& m) { m.put_text(51, "eth0"); })), "eth0");
  EXPECT_EQ(rdma_netdev_from({}), "");
  EXPECT_EQ(rdma_driver_from(answer([](Message& m) { m.put_number(73, std::uint32_t{14}); })), driver_rxe);
  EXPECT_EQ(rdma_driver_from(answer([](Message& m) { m.put_number(73, std::uint64_t{18}); })), driver_siw);
  EXPECT_EQ(rdma_driver_from({}), 0U);
}

TEST(RdmaCodec, TheSystemsMode) {
  const auto mode = [](std::uint8_t value) {
    return rdma_netns_mode_from(answer([&](Message& m) { m.put_number(66, value); }));
  };
  EXPECT_EQ(mode(0), NetnsMode::exclusive);
  EXPECT_EQ(mode(1), NetnsMode::shared);
  EXPECT_THROW(mode(2), Error);
  EXPECT_EQ(rdma_netns_mode_from({}), std::nullopt);
}

TEST(RdmaCodec, UsersOfAllEntries) {
  const auto pairs = answer([](Message& m) {
    m.nest(19, [](Message& table) {
      table.nest(20,
                 [](Message& entry) { entry.put_number(21, std::uint32_t{17}).put_number(28, std::uint32_t{812}); });
      table.nest(20, [](Message& entry) { entry.put_text(29, "ib_core"); });
      table.nest(777, [](Message&) {});
    });
  });
  std::vector<RdmaUser> users;
  add_rdma_users(pairs, RdmaResource::queue_pair, users);
  EXPECT_EQ(users,
            (std::vector<RdmaUser>{{RdmaUser::What::queue_pair, 812, ""}, {RdmaUser::What::queue_pair, 0, "ib_core"}}));
  add_rdma_users(pairs, RdmaResource::cm_id, users);
  EXPECT_EQ(users.size(), 2U);
  const auto ids = answer([](Message& m) {
    m.nest(30, [](Message& table) { table.nest(31, [](Message& entry) { entry.put_number(28, std::uint32_t{5}); }); });
  });
  add_rdma_users(ids, RdmaResource::cm_id, users);
  EXPECT_EQ(users.back(), (RdmaUser{RdmaUser::What::connection, 5, ""}));
}

}  // namespace
}  // namespace rdmastate::codec
