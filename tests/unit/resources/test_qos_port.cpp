// SPDX-License-Identifier: Apache-2.0
// Priorities of a port: only what differs is set, and what is set bounces the link.
#include <gtest/gtest.h>

#include "apply/undo.hpp"
#include "qos_scene.hpp"

namespace rdmastate {
namespace {

using namespace qos_scene;

TEST(QosPort, OnlyWhatDiffersIsSet) {
  RecordedHost host(with(state_of(0x08, {{26, 3}, {46, 6}})));
  EXPECT_TRUE(sets(host, spec("{trust: dscp, pfc: [3], dscp: {26: 3}}")).empty());
  EXPECT_EQ(sets(host, spec("{pfc: [3], dscp: {26: 4}}")),
            std::vector<std::string>{"mapping DSCP 26 to priority 4 on enp129s0d1"});
  EXPECT_EQ(host.model().find(netdev)->dcb, state_of(0x08, {{26, 4}, {46, 6}}));
  EXPECT_EQ(sets(host, spec("{pfc: [4, 3]}")),
            std::vector<std::string>{"setting priority flow control (PFC) on enp129s0d1"});
  EXPECT_EQ(host.model().find(netdev)->dcb, state_of(0x18, {{26, 4}, {46, 6}}));
  EXPECT_TRUE(sets(host, spec("{pfc: [4, 3]}")).empty());
  EXPECT_EQ(sets(host, spec("{pfc: []}")).size(), 1U);
  EXPECT_EQ(host.model().find(netdev)->dcb->flow_control->priorities, 0);
}

TEST(QosPort, TrustFollowsTheTable) {
  RecordedHost host(with(state_of(0, {{26, 3}, {46, 6}})));
  EXPECT_EQ(sets(host, spec("{trust: pcp}")).size(), 2U);
  EXPECT_TRUE(host.model().find(netdev)->dcb->dscp.empty());
  EXPECT_EQ(gap_of(spec("{trust: dscp}"), with(state_of(0, {}))).blocked,
            "enp129s0d1 trusts DSCP while its table gives one a priority, and it is empty: name one in dscp");
}

TEST(QosPort, ABounceIsSaid) {
  const auto disruption = [](const std::string& qos, const std::string& driver = "mlx5_core") {
    DcbState state = state_of(0x08, {{26, 3}});
    state.classes = classes_of_vendor();
    RecordedHost host(of_driver(driver, with(state)));
    const Plan plan = plan_spec(host, spec(qos));
    const auto item =
        std::find_if(plan.items.begin(), plan.items.end(), [](const Item& i) { return i.kind == &qos_port_kind; });
    return item->disruption;
  };
  EXPECT_EQ(disruption("{pfc: [4]}"), Disruption::link);
  EXPECT_EQ(disruption("{trust: pcp}"), Disruption::link);
  EXPECT_EQ(disruption("{dscp: {46: 6}}"), Disruption::none);
  EXPECT_EQ(disruption("{dscp: {46: 6}}", "ice"), Disruption::link);
  EXPECT_EQ(disruption("{priorities: {3: 2}}"), Disruption::link);
  EXPECT_EQ(disruption("{classes: {3: strict}}"), Disruption::link);
}

TEST(QosPort, WhatCannotBeHadIsBlocked) {
  EXPECT_EQ(
      gap_of(spec("{pfc: [3]}", "1"), guide_model()).blocked,
      "mlx4_1 port 1 has link layer infiniband: qos needs an Ethernet port (remove qos from the spec, or change the port's "
      "link type)");
  EXPECT_EQ(gap_of(spec("{pfc: [3]}", "3"), guide_model()).blocked, "mlx4_1 has no port 3 (ports: 1, 2)");
  HostModel model = guide_model();
  model.find(netdev)->dcb.reset();
  EXPECT_EQ(gap_of(spec("{pfc: [3]}"), model).blocked,
            "the driver of enp129s0d1 (mlx4_1 port 2) has no DCB: priorities cannot be set on it");
  model.netdevs.clear();
  EXPECT_EQ(gap_of(spec("{pfc: [3]}"), model).blocked,
            "mlx4_1 port 2 has no network device in this network namespace, and priorities are set on that");
  EXPECT_EQ(gap_of(spec("{pfc: [3]}"), with({std::nullopt, {}})).blocked,
            "the driver of enp129s0d1 has no priority flow control: take pfc out");
}

TEST(QosPort, FlowControlCountsTrafficClasses) {
  const std::string many =
      "enp129s0d1 can have flow control in 1 traffic class at a time, and these priorities are in 2: name fewer in "
      "pfc, or put them into one class (priorities)";
  const Gap alone = gap_of(spec("{pfc: [3, 4]}"), with({FlowControl{0, 1, 0, 0}, {}}));
  EXPECT_EQ(alone.blocked, many);
  EXPECT_EQ(alone.never, std::vector<std::string_view>{"pfc"}) << "each priority is a class of its own";
  DcbState state = state_of(0, {});
  state.flow_control->most = 1;
  state.classes = classes_of_vendor();
  const Gap gap = gap_of(spec("{pfc: [3, 4]}"), with(state));
  EXPECT_EQ(gap.blocked, many);
  EXPECT_FALSE(gap.never) << "somebody may put both into one class";
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4], priorities: {3: 2, 4: 2}}"), with(state)).blocked.empty());
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4], priorities: {3: 4}}"), with(state)).blocked.empty());
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4], priorities: {3: 2, 4: 3}}"), with(state)).never);
  state.classes->class_of.fill(0);
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4]}"), with(state)).blocked.empty());
  state.flow_control->priorities = 0x18;
  const Gap apart = gap_of(spec("{priorities: {3: 3}}"), with(state));
  EXPECT_EQ(apart.blocked, many);
  EXPECT_FALSE(apart.move);
  EXPECT_FALSE(gap_of(spec("{priorities: {3: 3}, classes: {3: 100%}}"), with(state)).move) << "classes do not go alone";
}

TEST(QosPort, IsTakenBack) {
  const DcbState before = state_of(0x02, {{26, 1}, {48, 6}});
  RecordedHost host(with(before));
  apply_spec(host, spec("{trust: dscp, pfc: [3], dscp: {26: 3, 46: 5}}"));
  EXPECT_EQ(host.model().find(netdev)->dcb, state_of(0x08, {{26, 3}, {46, 5}, {48, 6}}));
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(host.model().find(netdev)->dcb, before);
}

TEST(QosPort, TheWayToTheHostIsNotBounced) {
  HostModel model = guide_model();
  model.netdevs[{"mlx4_1", 2}] = "enp1s0";
  model.find("enp1s0")->dcb = state_of(0, {});
  RecordedHost host(model);
  EXPECT_EQ(apply_spec(host, spec("{pfc: [3]}")).code, ExitCode::refused);
}

}  // namespace
}  // namespace rdmastate
