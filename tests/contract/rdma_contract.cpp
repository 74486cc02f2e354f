// SPDX-License-Identifier: Apache-2.0
#include "rdma_contract.hpp"

#include <algorithm>
#include <cerrno>

#include "host/recorded/kernel.hpp"

namespace rdmastate {
namespace {

TEST_P(RdmaContract, ARxeDeviceIsOnItsNetworkDevice) {
  const SoftDevice wanted{SoftType::rxe, spare, "rct_rxe"};
  rdma().add(wanted);
  EXPECT_EQ(ours(), std::vector{wanted});
  const RdmaDevice* made = device("rct_rxe");
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->node_guid, kernel::eui64_of(need(spare).address));
  EXPECT_EQ(made->pci, "");
  ASSERT_EQ(made->ports.size(), 1U);
  EXPECT_EQ(made->ports[0].link_layer, LinkLayer::ethernet);
  EXPECT_EQ(made->ports[0].pkeys, std::vector<std::uint32_t>{0xffff});
  rdma().remove(wanted);
  EXPECT_EQ(ours(), std::vector<SoftDevice>());
}

TEST_P(RdmaContract, Fact9OnePerNetworkDeviceAndName) {
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  EXPECT_EQ(refusal_of({SoftType::rxe, spare, "rct_two"}), EEXIST);
  EXPECT_EQ(refusal_of({SoftType::rxe, "lo", "rct_rxe"}), ENFILE);
  EXPECT_EQ(refusal_of({SoftType::rxe, "rct_none", "rct_two"}), ENODEV);
  EXPECT_EQ(refusal_of({SoftType::rxe, "lo", "rct%d"}), EINVAL);
  EXPECT_EQ(refusal_of({SoftType::rxe, "lo", ""}), EINVAL);
  EXPECT_EQ(refusal_of({SoftType::rxe, spare + ".5", "rct_two"}), EPERM);
  EXPECT_EQ(ours().size(), 1U);
}

TEST_P(RdmaContract, Fact9ADeviceGoesWithItsNetworkDevice) {
  const std::string doomed = spare + ".x";
  if (!links().find(doomed)) GTEST_SKIP() << "no " << doomed << " to remove";
  rdma().add({SoftType::rxe, doomed, "rct_rxe"});
  rdma().add({SoftType::siw, doomed, "rct_siw"});
  links().remove(need(doomed));
  EXPECT_TRUE(settles([&] { return device("rct_rxe") == nullptr && device("rct_siw") == nullptr; }));
  EXPECT_EQ(ours(), std::vector<SoftDevice>());
}

TEST_P(RdmaContract, Fact9TheDriverTakesItsDevices) {
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  EXPECT_EQ(host.modules->users({"rdma_rxe"}), 0U);
  host.modules->unload({"rdma_rxe"});
  EXPECT_EQ(device("rct_rxe"), nullptr);
  EXPECT_EQ(ours(), std::vector<SoftDevice>());
}

TEST_P(RdmaContract, ASiwDeviceIsOnEthernet) {
  if (parent.empty()) GTEST_SKIP() << "no IPoIB interface here";
  const SoftDevice wanted{SoftType::siw, spare, "rct_siw"};
  rdma().add(wanted);
  EXPECT_EQ(ours(), std::vector{wanted});
  EXPECT_EQ(refusal_of({SoftType::siw, spare, "rct_two"}), EEXIST);
  EXPECT_EQ(refusal_of({SoftType::siw, "lo", "rct_siw"}), ENFILE);
  EXPECT_EQ(refusal_of({SoftType::siw, "rct_none", "rct_two"}), ENODEV);
  EXPECT_EQ(refusal_of({SoftType::siw, parent, "rct_two"}), EINVAL);
  EXPECT_EQ(refusal_of({SoftType::rxe, spare, "rct_two"}), 0);
}

TEST_P(RdmaContract, NamesAreChanged) {
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  rdma().add({SoftType::rxe, "lo", "rct_two"});
  const auto rename = [&](const std::string& from, const std::string& to) {
    return errno_of([&] { rdma().rename(from, to); });
  };
  EXPECT_EQ(rename("rct_rxe", "rct_two"), EEXIST);
  EXPECT_EQ(rename("rct_none", "rct_three"), ENODEV);
  EXPECT_EQ(rename("rct_rxe", ""), EINVAL);
  EXPECT_EQ(rename("rct_rxe", "rct_rxe"), 0);
  EXPECT_EQ(rename("rct_rxe", "rct_three"), 0);
  EXPECT_EQ(device("rct_rxe"), nullptr);
  ASSERT_NE(device("rct_three"), nullptr);
  EXPECT_EQ(ours(), (std::vector<SoftDevice>{{SoftType::rxe, spare, "rct_three"}, {SoftType::rxe, "lo", "rct_two"}}));
}

TEST_P(RdmaContract, WhatIsNotSoftIsNotRemoved) {
  const auto all = rdma().devices();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(errno_of([&] { rdma().remove({SoftType::rxe, "lo", all[0].name}); }), EINVAL);
  EXPECT_EQ(errno_of([&] { rdma().remove({SoftType::rxe, "lo", "rct_none"}); }), ENODEV);
}

TEST_P(RdmaContract, Fact11TheModeIsChangedAndChangedBack) {
  ASSERT_EQ(rdma().netns_mode(), NetnsMode::shared);
  ASSERT_EQ(rdma().other_namespaces(), std::vector<std::string>());
  rdma().set_netns_mode(NetnsMode::shared);
  rdma().set_netns_mode(NetnsMode::exclusive);
  EXPECT_EQ(rdma().netns_mode(), NetnsMode::exclusive);
  rdma().set_netns_mode(NetnsMode::shared);
  EXPECT_EQ(rdma().netns_mode(), NetnsMode::shared);
}

TEST_P(RdmaContract, Fact11AnotherNamespaceKeepsTheMode) {
  const auto refusal = [&](NetnsMode mode) { return errno_of([&] { rdma().set_netns_mode(mode); }); };
  if (!bed->set_other_namespace(true)) GTEST_SKIP() << "nobody else to have a namespace";
  EXPECT_EQ(rdma().other_namespaces().size(), 1U);
  EXPECT_EQ(refusal(NetnsMode::exclusive), EBUSY);
  EXPECT_EQ(refusal(NetnsMode::shared), 0) << "the same mode is none of anybody's business";
  bed->set_other_namespace(false);
  ASSERT_TRUE(settles([&] { return refusal(NetnsMode::exclusive) == 0; }));
  bed->set_other_namespace(true);
  EXPECT_EQ(refusal(NetnsMode::shared), EBUSY);
  EXPECT_EQ(rdma().netns_mode(), NetnsMode::exclusive);
  bed->set_other_namespace(false);
  EXPECT_TRUE(settles([&] { return refusal(NetnsMode::shared) == 0; }));
}

TEST_P(RdmaContract, Fact10RoceDefaultsAreOfTheDevice) {
  host.modules->load({"rdma_cm"});
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  const RoceDefaults fresh{RoceMode::v2, 0};
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), fresh);
  rdma().set_roce_tos("rct_rxe", 1, 106);
  rdma().set_roce_mode("rct_rxe", 1, RoceMode::v2);
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), (RoceDefaults{RoceMode::v2, 106}));
  rdma().rename("rct_rxe", "rct_two");
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), std::nullopt);
  EXPECT_EQ(rdma().roce_defaults("rct_two", 1), (RoceDefaults{RoceMode::v2, 106}));
  rdma().remove({SoftType::rxe, spare, "rct_two"});
  rdma().add({SoftType::rxe, spare, "rct_two"});
  EXPECT_EQ(rdma().roce_defaults("rct_two", 1), fresh);
}

TEST_P(RdmaContract, Fact10RoceRefusals) {
  host.modules->load({"rdma_cm"});
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  EXPECT_EQ(rdma().roce_modes("rct_rxe", 1), std::vector{RoceMode::v2});
  EXPECT_TRUE(rdma().roce_modes("rct_none", 1).empty());
  EXPECT_EQ(rdma().roce_defaults("rct_none", 1), std::nullopt);
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 2), std::nullopt);
  EXPECT_EQ(errno_of([&] { rdma().set_roce_mode("rct_rxe", 1, RoceMode::v1); }), EINVAL);
  EXPECT_EQ(errno_of([&] { rdma().set_roce_tos("rct_rxe", 1, 256); }), ERANGE);
  EXPECT_EQ(errno_of([&] { rdma().set_roce_tos("rct_rxe", 2, 1); }), ENOENT);
  EXPECT_EQ(errno_of([&] { rdma().set_roce_mode("rct_none", 1, RoceMode::v2); }), ENODEV);
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), (RoceDefaults{RoceMode::v2, 0}));
}

TEST_P(RdmaContract, Fact10ASiwPortHasTheV1WordAlone) {
  host.modules->load({"rdma_cm"});
  rdma().add({SoftType::siw, spare, "rct_siw"});
  EXPECT_EQ(rdma().roce_modes("rct_siw", 1), std::vector{RoceMode::v1});
  EXPECT_EQ(rdma().roce_defaults("rct_siw", 1), (RoceDefaults{RoceMode::v1, 0}));
  EXPECT_EQ(errno_of([&] { rdma().set_roce_mode("rct_siw", 1, RoceMode::v2); }), EINVAL);
}

TEST_P(RdmaContract, Fact18TheDefaultsGoWithTheDriver) {
  host.modules->load({"rdma_cm"});
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  rdma().set_roce_tos("rct_rxe", 1, 106);
  host.modules->unload({"rdma_rxe"});
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), std::nullopt);
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), (RoceDefaults{RoceMode::v2, 0}));
}

TEST_P(RdmaContract, Fact18TheDefaultsGoWithRdmaCm) {
  host.modules->load({"rdma_cm"});
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  rdma().set_roce_tos("rct_rxe", 1, 106);
  host.modules->unload({"rdma_cm"});
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), std::nullopt);
  host.modules->load({"rdma_cm"});
  EXPECT_EQ(rdma().roce_defaults("rct_rxe", 1), (RoceDefaults{RoceMode::v2, 0}));
}

TEST_P(RdmaContract, Fact10AnInfiniBandPortHasTheV1WordAlone) {
  host.modules->load({"rdma_cm"});
  for (const auto& device : rdma().devices())
    for (const auto& port : device.ports) {
      if (port.link_layer != LinkLayer::infiniband) continue;
      EXPECT_EQ(rdma().roce_defaults(device.name, port.number), (RoceDefaults{RoceMode::v1, 0}));
      EXPECT_EQ(errno_of([&] { rdma().set_roce_mode(device.name, port.number, RoceMode::v2); }), EINVAL);
    }
}

TEST_P(RdmaContract, ATypeIsOfAPortWhoseDriverHasAChoice) {
  const auto refusal = [&](const std::string& pci, std::uint32_t port) {
    return errno_of([&] { rdma().set_link_type(pci, port, LinkType::ethernet); });
  };
  EXPECT_EQ(refusal("0000:ff:1f.7", 1), ENOENT);
  for (const auto& device : rdma().devices()) {
    if (device.pci.empty()) continue;
    EXPECT_EQ(refusal(device.pci, 3), ENOENT);
    if (device.ports.at(0).link_type) continue;
    EXPECT_EQ(refusal(device.pci, 1), ENOENT);
  }
}

TEST_P(RdmaContract, LeftToTheDriverAPortStaysWhatItIs) {
  for (const auto& before : rdma().devices()) {
    if (!before.ports.at(0).link_type) continue;
    rdma().set_link_type(before.pci, 1, LinkType::automatic);
    const RdmaDevice* now = device(before.name);
    ASSERT_NE(now, nullptr);
    EXPECT_EQ(now->ports[0].link_type, LinkType::automatic);
    EXPECT_EQ(now->ports[0].link_layer, before.ports[0].link_layer);
    rdma().set_link_type(before.pci, 1, *before.ports[0].link_type);
    now = device(before.name);
    ASSERT_NE(now, nullptr);
    EXPECT_EQ(*now, before);
  }
}

TEST_P(RdmaContract, NoPortIsEthernetBeforeAnInfiniBandOne) {
  for (const auto& before : rdma().devices()) {
    if (before.ports.size() < 2 || !before.ports[0].link_type) continue;
    const auto refusal = [&](std::uint32_t port, LinkType type) {
      return errno_of([&] { rdma().set_link_type(before.pci, port, type); });
    };
    EXPECT_EQ(refusal(1, LinkType::ethernet), 0);
    EXPECT_EQ(refusal(2, LinkType::infiniband), EOPNOTSUPP);
    EXPECT_EQ(refusal(1, LinkType::infiniband), 0);
    EXPECT_TRUE(settles([&] { return device(before.name) != nullptr; })) << "the driver makes it anew, udev names it";
    const RdmaDevice* now = device(before.name);
    ASSERT_NE(now, nullptr);
    EXPECT_EQ(now->ports[0].link_type, LinkType::infiniband);
    EXPECT_EQ(now->ports[0].link_layer, LinkLayer::infiniband);
    EXPECT_EQ(now->ports[1].link_type, before.ports[1].link_type);
    return;
  }
  GTEST_SKIP() << "no adapter with two ports that can be either";
}

TEST_P(RdmaContract, NoProcessUsesAFreshDevice) {
  rdma().add({SoftType::rxe, spare, "rct_rxe"});
  for (const auto& user : rdma().users("rct_rxe")) EXPECT_EQ(user.pid, 0U) << user.command;
  EXPECT_TRUE(rdma().users("rct_none").empty());
}

}  // namespace

void RdmaContract::SetUp() {
  if (spare.empty()) GTEST_SKIP() << "no Ethernet link to play with";
  host.modules->load({"rdma_rxe"});
}

void RdmaContract::TearDown() {
  if (spare.empty()) return;
  for (const auto& one : ours()) rdma().remove(one);
  LinksContract::TearDown();
}

const RdmaDevice* RdmaContract::device(const std::string& name) {
  devices_ = rdma().devices();
  const auto found =
      std::find_if(devices_.begin(), devices_.end(), [&](const RdmaDevice& one) { return one.name == name; });
  return found == devices_.end() ? nullptr : &*found;
}

std::vector<SoftDevice> RdmaContract::ours() {
  auto all = rdma().soft_devices();
  std::erase_if(all, [](const SoftDevice& one) { return !one.name.starts_with("rct_"); });
  return all;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RdmaContract);

}  // namespace rdmastate
