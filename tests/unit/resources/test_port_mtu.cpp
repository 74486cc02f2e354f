// SPDX-License-Identifier: Apache-2.0
// The MTU of a RoCE port's network device: what is a step, what it costs, and what is refused.
#include <gtest/gtest.h>

#include "resources/port_mtu.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string netdev = "enp129s0d1";

std::string spec(const std::string& mtu, const std::string& number = "2") {
  return "version: 1\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n    ports: {" + number +
         ": {mtu: " + mtu + "}}\n";
}

Gap gap_of(const std::string& text, HostModel model) { return gap_in(std::move(model), text, port_mtu_kind); }

// The guide's host with one more interface.
HostModel with(const std::string& name, const std::string& kind, std::uint32_t mtu) {
  HostModel model = guide_model();
  RecordedLink link;
  link.link.name = name;
  link.link.type = 1;
  link.link.kind = kind;
  link.link.mtu = mtu;
  if (kind == "vlan") link.link.parent = model.find(netdev)->link.index;
  const std::uint32_t index = model.add(link).link.index;
  if (kind != "vlan") model.find(netdev)->link.master = index;
  return model;
}

TEST(PortMtu, AnotherOneIsAStepAndTheSameOneIsNone) {
  const Gap gap = gap_of(spec("4200"), guide_model());
  ASSERT_TRUE(gap.move);
  EXPECT_EQ(gap.move->from->as<PortMtuState>().mtu, 1500U);
  EXPECT_EQ(gap.move->to->as<PortMtuState>().mtu, 4200U);
  EXPECT_TRUE(gap_of(spec("1500"), guide_model()).in_sync());
}

TEST(PortMtu, IsSetTakenBackAndTakesTheDeviceFromItsUsers) {
  RecordedHost host(guide_model());
  ASSERT_EQ(apply_spec(host, spec("4200")).code, ExitCode::done);
  EXPECT_EQ(host.model().find(netdev)->link.mtu, 4200U);
  EXPECT_TRUE(plan_spec(host, spec("4200")).is_empty());
  const Plan plan = plan_spec(host, spec("9000"));
  const Item* item = find_item(plan, port_mtu_kind);
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->loss.devices, std::vector<std::string>{"mlx4_1"});
  EXPECT_EQ(item->loss.links, std::vector<std::uint32_t>{host.model().find(netdev)->link.index});
}

TEST(PortMtu, WhatTheDriverDoesNotTakeIsRefusedForGood) {
  HostModel model = guide_model();
  model.find(netdev)->link.max_mtu = 9978;
  EXPECT_TRUE(gap_of(spec("9978"), model).move);
  const Gap gap = gap_of(spec("9979"), model);
  EXPECT_EQ(gap.blocked, "enp129s0d1 takes an MTU of 9978 at most: write that, or less");
  EXPECT_TRUE(gap.never);
  EXPECT_FALSE(gap.move);
}

TEST(PortMtu, APortOfABondHasTheBondsMtu) {
  const Gap gap = gap_of(spec("4200"), with("bond1", "bond", 1500));
  EXPECT_EQ(gap.blocked,
            "enp129s0d1 is a port of bond1, which gives its ports their MTU: set it there, and take mtu out");
  EXPECT_FALSE(gap.never);
  EXPECT_TRUE(gap_of(spec("1500"), with("bond1", "bond", 1500)).in_sync());
}

TEST(PortMtu, APortOfABridgeHasItsOwn) { EXPECT_TRUE(gap_of(spec("4200"), with("br0", "bridge", 1500)).move); }

TEST(PortMtu, AVlanIsNotLoweredWithItsInterface) {
  HostModel model = with("roce.5", "vlan", 9000);
  model.find(netdev)->link.mtu = 9000;
  EXPECT_EQ(
      gap_of(spec("4200"), model).blocked,
      "roce.5 on enp129s0d1 has MTU 9000, which the kernel would lower: lower it first (ip link set roce.5 mtu 4200)");
  model.find("roce.5")->link.mtu = 4200;
  EXPECT_TRUE(gap_of(spec("4200"), model).move);
}

TEST(PortMtu, OtherPortsHaveNone) {
  const Gap infiniband = gap_of(spec("4200", "1"), guide_model());
  EXPECT_NE(infiniband.blocked.find("has link layer infiniband"), std::string::npos) << infiniband.blocked;
  EXPECT_TRUE(infiniband.never);
  HostModel model = guide_model();
  model.netdevs.clear();
  const Gap gap = gap_of(spec("4200"), model);
  EXPECT_NE(gap.blocked.find("has no network device in this network namespace, and the MTU is set on that"),
            std::string::npos)
      << gap.blocked;
  EXPECT_TRUE(gap.comes_late);
}

}  // namespace
}  // namespace rdmastate
