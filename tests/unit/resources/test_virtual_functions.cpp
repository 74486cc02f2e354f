// SPDX-License-Identifier: Apache-2.0
// Virtual functions: made with their GUIDs before a driver has them, never taken from who has one, and put back.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "host/recorded/kernel.hpp"
#include "resources/link_table.hpp"
#include "resources/virtual_functions/virtual_functions.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

constexpr const char* pci = "0000:81:00.0";

std::string spec(const std::string& sriov, const std::string& port = "1") {
  return "version: 1\nmodules: {load: [ib_ipoib]}\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n    ports: {" +
         port + ": {sriov: {" + sriov + "}}}\n";
}

const std::string two =
    "vfs: 2, guids: [{node: \"f452:1403:0000:0010\", port: \"f452:1403:0000:0011\"}, {node: \"f452:1403:0000:0020\"}]";

/// The guide's host with ib_ipoib, whose second adapter can have four.
HostModel able() {
  HostModel model = loaded_model();
  model.sriov[pci] = {4, true, {}};
  for (auto& device : model.devices) device.driver = "mlx5_core";
  return model;
}

HostModel with_two() {
  RecordedHost host(able());
  EXPECT_EQ(apply_spec(host, spec(two)).code, ExitCode::done);
  return host.model();
}

Gap gap_of(const std::string& text, HostModel model) { return gap_in(std::move(model), text, virtual_functions_kind); }

const RdmaDevice* device_at(const HostModel& model, const std::string& address) {
  for (const auto& one : model.devices)
    if (one.pci == address) return &one;
  return nullptr;
}

TEST(VirtualFunctions, HaveTheirGuidsBeforeADriverHasThem) {
  RecordedHost host(able());
  ASSERT_EQ(apply_spec(host, spec(two)).code, ExitCode::done);
  std::vector<std::string> moves;
  for (const auto& call : host.calls())
    if (call.find(pci) != std::string::npos || call.find("virtual function") != std::string::npos ||
        call.starts_with("binding"))
      moves.push_back(call.substr(0, call.find(" of ")));
  EXPECT_EQ(moves, (std::vector<std::string>{"letting no drivers take virtual functions",
                                             "giving 0000:81:00.0 2 virtual functions", "setting virtual function 0",
                                             "setting virtual function 1", "letting drivers take virtual functions",
                                             "binding 0000:81:00.1", "binding 0000:81:00.2"}));
  const RdmaDevice* first = device_at(host.model(), "0000:81:00.1");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(to_text(first->node_guid), "f452:1403:0000:0010");
  EXPECT_EQ(to_text(first->ports.front().guid), "f452:1403:0000:0011");
  EXPECT_EQ(to_text(device_at(host.model(), "0000:81:00.2")->ports.front().guid), "f452:1403:0000:0020");
  for (const auto& one : host.model().sriov.at(pci).functions)
    EXPECT_EQ(one.settings.link_state, VfLinkState::automatic) << "a new one has no link by itself";
  EXPECT_TRUE(plan_spec(host, spec(two)).steps.empty());
}

TEST(VirtualFunctions, AnAbsentFieldIsLeftAlone) {
  HostModel model = with_two();
  model.sriov.at(pci).functions[0].settings.link_state = VfLinkState::enable;
  EXPECT_TRUE(gap_of(spec("vfs: 2"), model).in_sync());
  const Gap gap = gap_of(spec("vfs: 2, link_state: disable"), model);
  ASSERT_TRUE(gap.move);
  EXPECT_EQ(gap.move->to->as<VirtualFunctionsState>().functions.at({0}).node_guid, Guid{0xf452140300000010});
}

TEST(VirtualFunctions, KeepTheirSettingsWhenMoreAreMade) {
  RecordedHost host(with_two());
  ASSERT_EQ(apply_spec(host, spec("vfs: 3")).code, ExitCode::done);
  EXPECT_EQ(to_text(device_at(host.model(), "0000:81:00.1")->node_guid), "f452:1403:0000:0010");
  EXPECT_EQ(host.model().sriov.at(pci).functions.size(), 3U);
}

TEST(VirtualFunctions, OnlyThoseWithOtherGuidsAreBoundAnew) {
  RecordedHost host(with_two());
  const std::size_t before = host.calls().size();
  std::string other = two;
  other.replace(other.find("0020"), 4, "0030");
  ASSERT_EQ(apply_spec(host, spec(other)).code, ExitCode::done);
  for (std::size_t i = before; i < host.calls().size(); ++i)
    EXPECT_EQ(host.calls()[i].find("binding 0000:81:00.1"), std::string::npos) << host.calls()[i];
  EXPECT_EQ(to_text(device_at(host.model(), "0000:81:00.2")->node_guid), "f452:1403:0000:0030");
}

TEST(VirtualFunctions, WithoutAutoprobeNoDriverHasThem) {
  RecordedHost host(able());
  ASSERT_EQ(apply_spec(host, spec(two + ", autoprobe: false")).code, ExitCode::done);
  EXPECT_EQ(device_at(host.model(), "0000:81:00.1"), nullptr);
  EXPECT_FALSE(host.model().sriov.at(pci).autoprobe);
  EXPECT_TRUE(plan_spec(host, spec(two + ", autoprobe: false")).steps.empty());
  EXPECT_EQ(apply_spec(host, spec(two)).code, ExitCode::done);
  EXPECT_NE(device_at(host.model(), "0000:81:00.1"), nullptr);
}

TEST(VirtualFunctions, AreRemoved) {
  RecordedHost host(with_two());
  ASSERT_EQ(apply_spec(host, spec("vfs: 0")).code, ExitCode::done);
  EXPECT_TRUE(host.model().sriov.at(pci).functions.empty());
  EXPECT_EQ(device_at(host.model(), "0000:81:00.1"), nullptr);
}

/// Whatever is changed on the host with two, a change of their number is refused with these words, whoever allows it.
void expect_refused(const HostModel& model, const std::string& words) {
  RecordedHost host(model);
  PlanOptions options;
  for (const auto& device : model.devices) options.in_use.insert(device.name);
  const Outcome outcome = apply_spec(host, spec("vfs: 4"), options);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find(words), std::string::npos) << outcome.message;
  EXPECT_EQ(host.model(), model);
}

TEST(VirtualFunctions, AreNotTakenFromADriverThatPassesThemOn) {
  HostModel model = with_two();
  RecordedHost host(model);
  host.host().rdma->unbind_vf("0000:81:00.2");
  model = host.model();
  model.sriov.at(pci).functions[1].driver = "vfio-pci";
  expect_refused(model, "vfio-pci has virtual function 1 (0000:81:00.2)");
}

TEST(VirtualFunctions, AreNotTakenFromWhoHasTheDeviceOpen) {
  HostModel model = with_two();
  const std::string name = device_at(model, "0000:81:00.1")->name;
  model.users[name] = {{RdmaUser::What::queue_pair, 0, "ib_core"}, {RdmaUser::What::queue_pair, 812, "ib_write_bw"}};
  expect_refused(model, "process 812 (ib_write_bw, 1 queue pair) on " + name);
}

TEST(VirtualFunctions, AreNotTakenWhileAnInterfaceIsUp) {
  RecordedHost host(with_two());
  const auto sriov = host.host().rdma->sriov(pci);
  const std::string name = sriov.value().functions[0].netdevs.at(0);
  HostModel model = host.model();
  model.find(name)->link.up = true;
  expect_refused(model, name + " is up");
}

TEST(VirtualFunctions, AreNotTakenFromAnotherNamespace) {
  RecordedHost host(with_two());
  const auto sriov = host.host().rdma->sriov(pci);
  HostModel model = host.model();
  kernel::unregister(model, model.find(sriov.value().functions[0].netdevs.at(0))->link.index);
  expect_refused(model, "virtual function 0 (0000:81:00.1) is in another network namespace");
}

TEST(VirtualFunctions, AnUndoLooksAgainWhoHasThem) {
  RecordedHost host(with_two());
  HostModel model = host.model();
  const PortId id = port_id_from("node_guid f452:1403:007b:cba0 port 1");
  const State to(virtual_functions_kind, VirtualFunctionsState{id.device, id.port, {0}, true, {}});
  model.sriov.at(pci).functions[0].driver = "vfio-pci";
  RecordedHost taken(model);
  Host doors = taken.host();
  LinkTable links(doors);
  Tools tools{doors, links};
  EXPECT_THROW(virtual_functions_kind.move(tools, "node_guid f452:1403:007b:cba0 port 1", nullptr, &to), Error);
  EXPECT_EQ(taken.model(), model);
}

TEST(VirtualFunctions, WhatAnAdapterCannotHaveIsBlocked) {
  HostModel model = able();
  EXPECT_NE(gap_of(spec("vfs: 9"), model).blocked.find("can have 4 virtual functions (sriov_totalvfs), and vfs says 9"),
            std::string::npos);
  model.sriov.clear();
  EXPECT_NE(gap_of(spec("vfs: 1"), model).blocked.find("mlxconfig -d 0000:81:00.0 set SRIOV_EN=1 NUM_OF_VFS=1"),
            std::string::npos);
  for (auto& device : model.devices) device.driver = "mlx4_core";
  EXPECT_NE(gap_of(spec("vfs: 1"), model).blocked.find("num_vfs: 1"), std::string::npos);
}

TEST(VirtualFunctions, AnEthernetPortHasNoGuidsToGive) {
  const Gap gap = gap_of(spec(two, "2"), able());
  EXPECT_NE(gap.blocked.find("have MAC addresses and no GUIDs"), std::string::npos) << gap.blocked;
  EXPECT_TRUE(gap.never);
  EXPECT_TRUE(gap_of(spec("vfs: 2", "2"), able()).move);
}

// What stands on them is planned after the step that makes them, and done in the same apply.
TEST(VirtualFunctions, BringTheirDevicesAndPorts) {
  const std::string all = spec(two) +
                          "  - {match: {node_guid: \"f452:1403:0000:0010\"}, name: vf_a}\n"
                          "ipoib:\n  - {name: vfib0, match: {port_guid: \"f452:1403:0000:0011\"}}\n";
  RecordedHost host(able());
  std::map<std::string, std::string> after;
  for (const auto& item : plan_spec(host, all).items)
    if (!item.gap.after.empty()) after[std::string(item.kind->name)] = item.gap.after;
  const std::string step = "virtual_functions node_guid f452:1403:007b:cba0 port 1";
  EXPECT_EQ(after, (std::map<std::string, std::string>{{"rdma_device", step}, {"ipoib_link", step}}));
  ASSERT_EQ(apply_spec(host, all).code, ExitCode::done);
  EXPECT_NE(host.model().find("vfib0"), nullptr);
  EXPECT_EQ(device_at(host.model(), "0000:81:00.1")->name, "vf_a");
  EXPECT_TRUE(plan_spec(host, all).steps.empty());
}

// Two records whose functions would be each other's physical ones.
TEST(VirtualFunctions, DoNotBringEachOther) {
  const std::string round =
      "version: 1\ndevices:\n"
      "  - match: {node_guid: \"f452:1403:0000:0010\"}\n    ports: {1: {sriov: {vfs: 1, guids: [{node: \"f452:1403:0000:0020\"}]}}}\n"
      "  - match: {node_guid: \"f452:1403:0000:0020\"}\n    ports: {1: {sriov: {vfs: 1, guids: [{node: \"f452:1403:0000:0010\"}]}}}\n";
  EXPECT_FALSE(gap_of(round, able()).blocked.empty());
}

TEST(VirtualFunctions, WaitForTheModuleThatTellsThem) {
  HostModel model = guide_model();
  model.sriov[pci] = {4, true, {}};
  for (auto& device : model.devices) device.driver = "mlx5_core";
  std::string without = spec(two);
  without.erase(without.find("modules"), without.find("devices") - without.find("modules"));
  EXPECT_EQ(gap_of(without, model).after, "module ib_ipoib");
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_EQ(host.model().sriov.at(pci).functions.size(), 2U);
}

}  // namespace
}  // namespace rdmastate
