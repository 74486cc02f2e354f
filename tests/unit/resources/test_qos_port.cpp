// SPDX-License-Identifier: Apache-2.0
// Priorities of a port: only what differs is set, and what is set bounces the link.
#include <gtest/gtest.h>

#include "resources/qos_port/qos_port.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string netdev = "enp129s0d1";

std::string spec(const std::string& qos, const std::string& number = "2") {
  return "version: 1\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n    ports: {" + number +
         ": {qos: " + qos + "}}\n";
}

HostModel with(const DcbState& state) {
  HostModel model = guide_model();
  model.find(netdev)->dcb = state;
  return model;
}

DcbState state_of(std::uint8_t pfc, std::set<DscpEntry> dscp) { return {FlowControl{pfc, 8, 0, 7}, std::move(dscp)}; }

Gap gap_of(const std::string& text, HostModel model) {
  RecordedHost host(std::move(model));
  const Plan plan = plan_spec(host, text);
  for (const auto& item : plan.items)
    if (item.kind == &qos_port_kind) return item.gap;
  return {};
}

/// The sets that an apply of this spec sends to the driver.
std::vector<std::string> sets(RecordedHost& host, const std::string& text) {
  const std::size_t before = host.calls().size();
  const Outcome outcome = apply_spec(host, text);
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  std::vector<std::string> found;
  for (std::size_t i = before; i < host.calls().size(); ++i)
    if (host.calls()[i].find(netdev) != std::string::npos) found.push_back(host.calls()[i]);
  return found;
}

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
  const auto disruption = [](const std::string& qos) {
    RecordedHost host(with(state_of(0x08, {{26, 3}})));
    const Plan plan = plan_spec(host, spec(qos));
    const auto item =
        std::find_if(plan.items.begin(), plan.items.end(), [](const Item& i) { return i.kind == &qos_port_kind; });
    return item->disruption;
  };
  EXPECT_EQ(disruption("{pfc: [4]}"), Disruption::link);
  EXPECT_EQ(disruption("{trust: pcp}"), Disruption::link);
  EXPECT_EQ(disruption("{dscp: {46: 6}}"), Disruption::none);
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
  EXPECT_EQ(gap_of(spec("{pfc: [3, 4]}"), with({FlowControl{0, 1, 0, 0}, {}})).blocked,
            "enp129s0d1 has flow control on at most 1 priorities at a time: name fewer");
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
