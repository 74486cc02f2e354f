// SPDX-License-Identifier: Apache-2.0
#include "sriov_contract.hpp"

#include <algorithm>
#include <cerrno>

namespace rdmastate {
namespace {

const VfSettings told{Guid{0xf452140300000010}, Guid{0xf452140300000011}, VfLinkState::automatic};

TEST_P(SriovContract, Fact22TheNumberGoesThroughZero) {
  EXPECT_EQ(refusal_of(sriov().total + 1), ERANGE);
  EXPECT_EQ(refusal_of(2), 0);
  EXPECT_EQ(sriov().functions.size(), 2U);
  EXPECT_EQ(refusal_of(1), EBUSY);
  EXPECT_EQ(refusal_of(2), 0) << "the present number is taken in silence";
  EXPECT_EQ(refusal_of(0), 0);
  EXPECT_EQ(refusal_of(1), 0);
  EXPECT_EQ(sriov().functions.size(), 1U);
}

// Bus, slot and function of "0000:3b:00.1" as one number.
unsigned long routing_id(const std::string& address) {
  const auto hex = [&](std::size_t at) { return std::stoul(address.substr(at), nullptr, 16); };
  return hex(5) << 8U | hex(8) << 3U | hex(11);
}

TEST_P(SriovContract, Fact22AddressesFollowFromOffsetAndStride) {
  rdma().set_vf_count(pci, 2);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(routing_id(function(i).pci), routing_id(pci) + sriov().offset + i * sriov().stride) << function(i).pci;
}

TEST_P(SriovContract, WhatIsNoPhysicalFunctionHasNone) {
  EXPECT_EQ(rdma().sriov("0000:ff:1f.7"), std::nullopt);
  EXPECT_EQ(rdma().sriov(""), std::nullopt);
  EXPECT_EQ(errno_of([&] { rdma().set_vf_count("0000:ff:1f.7", 1); }), ENOENT);
}

TEST_P(SriovContract, Fact22WithoutAutoprobeNoDriverTakesOne) {
  rdma().set_vf_autoprobe(pci, false);
  rdma().set_vf_count(pci, 1);
  EXPECT_FALSE(sriov().autoprobe);
  rdma().bind_vf(function(0).pci);
  EXPECT_EQ(function(0).driver, "");
  EXPECT_EQ(device(function(0)), std::nullopt);
  rdma().set_vf_autoprobe(pci, true);
  EXPECT_EQ(function(0).driver, "") << "those that are there stay as they are";
  rdma().bind_vf(function(0).pci);
  EXPECT_NE(function(0).driver, "");
  rdma().unbind_vf(function(0).pci);
  EXPECT_EQ(function(0).driver, "");
  EXPECT_EQ(errno_of([&] { rdma().unbind_vf("0000:ff:1f.7"); }), ENOENT);
}

TEST_P(SriovContract, Fact22WithAutoprobeADriverTakesEach) {
  rdma().set_vf_count(pci, 2);
  EXPECT_NE(function(1).driver, "");
  ASSERT_TRUE(device(function(1)));
  EXPECT_TRUE(device(function(1))->is_virtual);
  EXPECT_TRUE(settles([&] { return !function(0).netdevs.empty(); }));
}

TEST_P(SriovContract, Fact22ADriverReadsGuidsWhenItIsBound) {
  rdma().set_vf_count(pci, 1);
  links().change_vf(need(name), 0, told);
  EXPECT_EQ(links().vf_settings(need(name)), std::vector{told});
  EXPECT_NE(device(function(0))->node_guid, *told.node_guid);
  rdma().unbind_vf(function(0).pci);
  rdma().bind_vf(function(0).pci);
  ASSERT_TRUE(device(function(0)));
  EXPECT_EQ(device(function(0))->node_guid, *told.node_guid);
  EXPECT_EQ(device(function(0))->ports.at(0).guid, *told.port_guid);
}

TEST_P(SriovContract, Fact22OneSettingIsChangedAlone) {
  rdma().set_vf_count(pci, 2);
  for (const std::uint32_t number : {0U, 1U}) links().change_vf(need(name), number, told);
  VfSettings change;
  change.link_state = VfLinkState::disable;
  links().change_vf(need(name), 1, change);
  VfSettings second = told;
  second.link_state = VfLinkState::disable;
  EXPECT_EQ(links().vf_settings(need(name)), (std::vector{told, second}));
}

TEST_P(SriovContract, Fact22WhatIsNotThereIsNotTold) {
  EXPECT_TRUE(links().vf_settings(need(name)).empty());
  rdma().set_vf_count(pci, 1);
  EXPECT_EQ(errno_of([&] { links().change_vf(need(name), 1, told); }), EINVAL);
  ASSERT_TRUE(settles([&] { return !function(0).netdevs.empty() && links().find(function(0).netdevs[0]); }));
  const Link own = need(function(0).netdevs[0]);
  EXPECT_TRUE(links().vf_settings(own).empty());
  EXPECT_EQ(errno_of([&] { links().change_vf(own, 0, told); }), EOPNOTSUPP);
}

}  // namespace

void SriovContract::SetUp() {
  for (const auto& one : rdma().devices()) {
    const auto has = rdma().sriov(one.pci);
    if (!has || has->total < 2) continue;
    for (const auto& link : links().dump())
      if (link.is_ipoib() && !link.is_child() && link.port_guid() == one.ports.at(0).guid) name = link.name;
    if (!name.empty()) pci = one.pci;
  }
  if (pci.empty()) GTEST_SKIP() << "no adapter with virtual functions";
}

void SriovContract::TearDown() {
  if (pci.empty()) return;
  rdma().set_vf_count(pci, 0);
  rdma().set_vf_autoprobe(pci, true);
  LinksContract::TearDown();
}

std::optional<RdmaDevice> SriovContract::device(const VirtualFunction& of) {
  for (auto& one : rdma().devices())
    if (one.pci == of.pci) return one;
  return std::nullopt;
}

}  // namespace rdmastate
