// SPDX-License-Identifier: Apache-2.0
// What ports are: in the adapter's order, never under what is configured, and what stands on them afterwards.
#include <gtest/gtest.h>

#include "host/recorded/kernel.hpp"
#include "resources/link_types.hpp"
#include "resources/roce_port.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

constexpr auto ib = LinkType::infiniband;
constexpr auto eth = LinkType::ethernet;

std::string spec(const std::string& ports) {
  return "version: 1\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n    ports: {" + ports + "}\n";
}

/// The guide's host with an adapter whose ports are told what they are, and nothing on it.
HostModel with(std::optional<LinkType> first, std::optional<LinkType> second) {
  HostModel model = guide_model();
  const std::optional<LinkType> types[] = {first, second};
  for (auto& device : model.devices) {
    if (device.name != "mlx4_1") continue;
    for (std::size_t i = 0; i < 2; ++i) {
      device.ports[i].link_type = types[i];
      if (types[i]) device.ports[i].link_layer = types[i] == eth ? LinkLayer::ethernet : LinkLayer::infiniband;
    }
  }
  model.users.clear();
  for (auto& [index, one] : model.links) one.link.up = one.link.is_ipoib() ? false : one.link.up;
  std::erase_if(model.addresses, [&](const Address& one) { return model.find(one.link)->link.is_ipoib(); });
  model.netdevs.clear();
  return model;
}

Item item_in(const Plan& plan, const Kind& kind) {
  for (const auto& item : plan.items)
    if (item.kind == &kind) return item;
  ADD_FAILURE() << "the plan has no " << kind.name;
  return {};
}

Gap gap_of(const std::string& ports, HostModel model) {
  RecordedHost host(std::move(model));
  return item_in(plan_spec(host, spec(ports)), link_types_kind).gap;
}

std::vector<std::string> sets(HostModel model, const std::string& ports) {
  RecordedHost host(std::move(model));
  const Outcome outcome = apply_spec(host, spec(ports));
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  std::vector<std::string> found;
  for (const auto& call : host.calls())
    if (call.starts_with("making port"))
      found.push_back(call.substr(0, call.find(" of")) + call.substr(call.rfind(' ')));
  return found;
}

constexpr const char* both_ethernet = "1: {link_type: ethernet}, 2: {link_type: ethernet}";
constexpr const char* both_infiniband = "1: {link_type: infiniband}, 2: {link_type: infiniband}";

TEST(LinkTypes, ChangeInTheAdaptersOrder) {
  EXPECT_EQ(sets(with(ib, ib), both_ethernet),
            (std::vector<std::string>{"making port 2 ethernet", "making port 1 ethernet"}));
  EXPECT_EQ(sets(with(eth, eth), both_infiniband),
            (std::vector<std::string>{"making port 1 infiniband", "making port 2 infiniband"}));
  EXPECT_EQ(sets(with(ib, eth), "2: {link_type: auto}"), std::vector<std::string>{"making port 2 auto"});
  EXPECT_TRUE(sets(with(ib, eth), "1: {link_type: infiniband}").empty());
}

TEST(LinkTypes, BeingToldWhatItIsDisturbsNothing) {
  HostModel model = with(LinkType::automatic, eth);
  model.devices.at(1).ports.at(0).link_layer = LinkLayer::infiniband;
  kernel::create_port_link(model, model.devices.at(1).ports.at(0));
  for (auto& [index, one] : model.links)
    if (one.link.is_ipoib()) one.link.up = true;
  RecordedHost host(model);
  const Item item = item_in(plan_spec(host, spec("1: {link_type: infiniband}")), link_types_kind);
  EXPECT_TRUE(item.has_step());
  EXPECT_TRUE(item.loss.is_nothing());
  EXPECT_FALSE(gap_of("1: {link_type: ethernet}", model).move);
}

TEST(LinkTypes, EthernetBeforeInfinibandIsBlocked) {
  EXPECT_EQ(gap_of("1: {link_type: ethernet}", with(ib, ib)).blocked,
            "port 1 of mlx4_1 would be Ethernet and a later one InfiniBand, which the adapter cannot be: make port 1 "
            "InfiniBand, or both Ethernet");
}

TEST(LinkTypes, WhatHasNoChoiceIsBlockedUnlessItIsSo) {
  HostModel model = with(std::nullopt, std::nullopt);
  EXPECT_TRUE(gap_of("1: {link_type: infiniband}, 2: {link_type: ethernet}", model).in_sync());
  EXPECT_EQ(gap_of("2: {link_type: infiniband}", model).blocked,
            "the driver of mlx4_1, mlx4_core cannot choose what a port is: only mlx4's can");
  for (auto& device : model.devices) device.driver = "mlx5_core";
  EXPECT_NE(gap_of("2: {link_type: infiniband}", model).blocked.find("mlxconfig"), std::string::npos);
  EXPECT_EQ(gap_of("3: {link_type: ethernet}", model).blocked, "mlx4_1 has no port 3 (ports: 1, 2)");
}

TEST(LinkTypes, WaitForABootWhereInterfacesAreConfigured) {
  HostModel model = with(ib, eth);
  kernel::create_port_link(model, model.devices.at(1).ports.at(0));
  EXPECT_TRUE(gap_of(both_ethernet, model).move) << "a bare interface comes back as it was";
  for (auto& [index, one] : model.links)
    if (one.link.is_ipoib()) one.link.up = true;
  const Gap gap = gap_of(both_ethernet, model);
  EXPECT_FALSE(gap.move);
  EXPECT_NE(gap.pending.sentence.find("this waits for a boot"), std::string::npos) << gap.pending.sentence;
}

TEST(LinkTypes, WhoHasTheDeviceOpenIsNamed) {
  HostModel model = with(ib, eth);
  model.users["mlx4_1"] = {{RdmaUser::What::queue_pair, 812, "opensm"}};
  RecordedHost host(model);
  const Outcome outcome = apply_spec(host, spec(both_ethernet));
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_EQ(host.model(), model);
}

TEST(LinkTypes, WhatStandsOnAPortFollowsInTheSameApply) {
  HostModel model = with(ib, ib);
  RecordedHost host(model);
  const std::string wanted = spec("2: {link_type: ethernet, roce: {tos: 106}}");
  EXPECT_EQ(item_in(plan_spec(host, wanted), roce_port_kind).gap.after, "link_types node_guid f452:1403:007b:cba0");
  ASSERT_EQ(apply_spec(host, wanted).code, ExitCode::done);
  EXPECT_EQ(host.model().roce.at({"mlx4_1", 2}).defaults.tos, 106U);
  EXPECT_TRUE(item_in(plan_spec(host, wanted), link_types_kind).gap.in_sync());
}

TEST(LinkTypes, AStateWithoutAPortIsRefusedByItsPlace) {
  RecordedHost host(with(ib, ib));
  const Item item = item_in(plan_spec(host, spec(both_ethernet)), link_types_kind);
  ASSERT_TRUE(item.gap.move);
  const State damaged =
      item.gap.move->from->changed<LinkTypesState>([](LinkTypesState& state) { state.ports.erase(PortNumber{1}); });
  Host doors = host.host();
  const Snapshot snapshot(doors);
  const Facts facts = read_facts(snapshot);
  try {
    link_types_kind.loses({facts, snapshot}, item.key, &damaged, &*item.gap.move->to);
    ADD_FAILURE() << "it was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the state before the step has no ports.1"), std::string::npos)
        << error.what();
  }
}

TEST(LinkTypes, AreTakenBack) {
  HostModel model = with(ib, ib);
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, spec(both_ethernet)).code, ExitCode::done);
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  const auto& device = host.model().devices.at(1);
  ASSERT_EQ(device.name, "mlx4_1");
  for (const auto& port : device.ports) EXPECT_EQ(port.link_layer, LinkLayer::infiniband);
}

}  // namespace
}  // namespace rdmastate
