// SPDX-License-Identifier: Apache-2.0
// Which device is meant, and what is expected of it.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "resources/file/file.hpp"
#include "sections/device_names.hpp"
#include "sections/devices/devices.hpp"
#include "sections/devices/match.hpp"

namespace rdmastate {
namespace {

template <class T>
std::optional<T> read(const std::string& text) {
  T value;
  if (Text<T>::read({text, true}, value)) return std::nullopt;
  return value;
}

DeviceId id(const std::string& text) { return device_id_from(text); }

std::vector<RdmaDevice> devices() {
  RdmaPort port;
  port.guid = {0x11};
  port.state = 2;
  port.phys_state = 5;
  port.link_layer = LinkLayer::infiniband;
  port.rate = "40 Gb/sec (4X QDR)";
  RdmaDevice first{"mlx4_0", {0x10}, {}, "0000:3b:00.0", "mlx4_core", "MT_1", "2.42.5000", {port}};
  RdmaDevice second{"mlx4_1", {0x20}, {}, "0000:3b:00.1", "mlx4_core", "MT_1", "2.9.1", {}};
  RdmaDevice vf{"mlx4_2", {}, {}, "0000:3b:00.2", "mlx4_core", "", "", {}, true};
  RdmaDevice rxe{"rxe0", {0x30}, {}, "", "", "", "", {}};
  RdmaDevice siw{"siw0", {0x30}, {}, "", "", "", "", {}};
  return {first, second, vf, rxe, siw};
}

TEST(DeviceIds, ComeBackFromTheirText) {
  for (const char* text : {"node_guid f452:1403:007b:cba0", "port_guid f452:1403:007b:cba1", "pci 0000:3b:00.0",
                           "board_id MT_1090120019 driver mlx4_core", "name mlx4_0", "pci 0000:3b:00.0 name mlx4_0"})
    EXPECT_EQ(to_text(id(text)), text);
  for (const char* text : {"", "mlx4_0", "pci", "pci ", "pci 3b", "name a name b", "guid f452:1403:007b:cba0"})
    EXPECT_THROW(id(text), Error) << text;
}

TEST(DeviceIds, MeanDevices) {
  const auto all = devices();
  const auto count = [&](const std::string& text) { return meant_of(all, id(text)).size(); };
  EXPECT_EQ(count("node_guid 0000:0000:0000:0010"), 1U);
  EXPECT_EQ(count("port_guid 0000:0000:0000:0011"), 1U);
  EXPECT_EQ(count("driver mlx4_core"), 3U);
  EXPECT_EQ(count("board_id MT_1 pci 0000:3b:00.1"), 1U);
  EXPECT_EQ(count("driver mlx4_core name rxe0"), 0U);
  DeviceId zero;
  zero.node_guid = Guid{};
  EXPECT_TRUE(meant_of(all, zero).empty());
  EXPECT_TRUE(meant_of(all, {}).empty());
}

TEST(DeviceIds, AreAsStableAsTheDeviceAllows) {
  const auto all = devices();
  const auto stable = [&](std::size_t i) { return to_text(stable_id(all, all[i])); };
  EXPECT_EQ(stable(0), "node_guid 0000:0000:0000:0010");
  EXPECT_EQ(stable(2), "pci 0000:3b:00.2");
  EXPECT_EQ(stable(3), "name rxe0");  // rxe and siw on one network device have the same node GUID
}

TEST(DeviceValues, PciAddresses) {
  EXPECT_EQ(read<PciAddress>("3B:00.0")->value, "0000:3b:00.0");
  EXPECT_EQ(read<PciAddress>("0000:3b:00.7")->value, "0000:3b:00.7");
  EXPECT_EQ(read<PciAddress>("10000:3b:00.7")->value, "10000:3b:00.7");
  for (const char* text : {"", "3b", "3b:00", "3b:00.8", "0000:3b:00.0 ", "xyz:3b:00.0"})
    EXPECT_FALSE(read<PciAddress>(text)) << text;
}

TEST(DeviceValues, Names) {
  EXPECT_TRUE(read<DeviceName>("mlx4_a"));
  EXPECT_TRUE(read<DeviceName>(std::string(63, 'a')));
  for (const std::string& text : {std::string(), std::string("a b"), std::string("a%d"), std::string("a/1"),
                                  std::string(".."), std::string(64, 'a')})
    EXPECT_FALSE(read<DeviceName>(text)) << text;
  for (const char* name : {"mlx4_0", "mlx5_10", "ib0", "qib3"}) EXPECT_TRUE(is_drivers_name(name)) << name;
  for (const char* name : {"mlx4_a", "store0", "rxe0", "7", "mlx4_"}) EXPECT_FALSE(is_drivers_name(name)) << name;
}

TEST(DeviceValues, Bounds) {
  const auto holds = [](const std::string& bound, const std::string& version) {
    return read<VersionBound>(bound)->holds(version);
  };
  EXPECT_TRUE(holds(">=2.30.8000", "2.30.8000"));
  EXPECT_TRUE(holds(">=2.30.8000", "2.42.5000"));
  EXPECT_TRUE(holds(">=2.9", "2.10"));
  EXPECT_FALSE(holds(">2.30", "2.30.0"));
  EXPECT_TRUE(holds("<3", "2.99"));
  EXPECT_TRUE(holds("2.30", "2.30.0"));
  EXPECT_FALSE(holds("2.30", "2.31"));
  EXPECT_TRUE(holds(">4.0", "4.0(1b)"));
  EXPECT_FALSE(holds("4.0", "4.0(1b)"));
  EXPECT_TRUE(holds("<4.1", "4.0(10b)"));
  EXPECT_FALSE(holds("2.30", "unknown"));
  EXPECT_TRUE(holds("99999999999999999999", "99999999999999999999"));
  for (const char* text : {"", ">=", "a", "1..2", "1.", ">= 1"}) EXPECT_FALSE(read<VersionBound>(text)) << text;
  EXPECT_TRUE(read<RateBound>(">=56")->holds("56 Gb/sec (4X FDR)"));
  EXPECT_FALSE(read<RateBound>("56")->holds("40 Gb/sec (4X QDR)"));
  EXPECT_TRUE(read<RateBound>("2.5")->holds("2.5 Gb/sec (1X SDR)"));
  EXPECT_FALSE(read<RateBound>("2.55"));
  EXPECT_FALSE(read<RateBound>(">0")->holds(""));
}

TEST(Expectations, AreSentences) {
  DeviceExpectation expected;
  expected.firmware = read<VersionBound>(">=2.42");
  EXPECT_TRUE(unmet(expected, devices()[0]).empty());
  EXPECT_EQ(unmet(expected, devices()[1]),
            std::vector<std::string>{"mlx4_1 has firmware 2.9.1, not >=2.42: update it with the vendor's tool"});
  expected.firmware.reset();
  expected.ports[{1}] = {PortState::active, read<RateBound>(">=56"), LinkLayer::infiniband};
  expected.ports[{2}] = {};
  EXPECT_EQ(unmet(expected, devices()[0]),
            (std::vector<std::string>{
                "mlx4_0 port 1 is init, not active: no subnet manager has answered",
                "mlx4_0 port 1 runs at 40 Gb/sec (4X QDR), not >=56 Gb/s: see to cable, switch port and firmware",
                "mlx4_0 has no port 2"}));
}

TEST(Expectations, OfALinkLayerSayWhoChoosesIt) {
  DeviceExpectation expected;
  expected.ports[{1}].link_layer = LinkLayer::ethernet;
  RdmaDevice device = devices()[0];
  const auto why = [&](const char* driver) {
    device.driver = driver;
    const auto all = unmet(expected, device);
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? "" : all[0].substr(all[0].find(": ") + 2);
  };
  EXPECT_EQ(why("mlx4_core"), "devices.ports.link_type in a spec changes it");
  EXPECT_NE(why("mlx5_core").find("mlxconfig -d PCI set LINK_TYPE_P1=1 (InfiniBand) or 2 (Ethernet)"),
            std::string::npos);
  EXPECT_NE(why("mlx5_core").find("a cold reboot"), std::string::npos);
  EXPECT_NE(why("hfi1").find("cannot choose what a port is"), std::string::npos);
  expected.ports[{1}].link_layer = LinkLayer::infiniband;
  EXPECT_TRUE(unmet(expected, device).empty());
}

std::string port_rules(const std::vector<MatchedDevice>& watched, bool has_roce = false) {
  Desired desired;
  add_port_rules(watched, has_roce, desired);
  const std::string& text = desired.wanted.at(0).state->as<FileState>().content.value().value;
  return text.substr(text.find("ACTION"));
}

TEST(PortRules, WatchTheParentOfBoth) {
  const auto all = devices();
  const auto rule = [](const std::string& parent) {
    return "ACTION!=\"remove\", SUBSYSTEM==\"net\", " + parent +
           ", ATTR{type}==\"1\", TAG+=\"systemd\", ENV{SYSTEMD_WANTS}+=\"rdmastate-event@$env{SEQNUM}.service\"\n";
  };
  const DeviceId guid = id("node_guid 0000:0000:0000:0010");
  EXPECT_EQ(port_rules({{guid, &all[0]}, {guid, &all[0]}}), rule("KERNELS==\"0000:3b:00.0\""));
  EXPECT_EQ(port_rules({{id("pci 0000:3b:00.7"), nullptr}, {guid, &all[0]}}),
            rule("KERNELS==\"0000:3b:00.0\"") + rule("KERNELS==\"0000:3b:00.7\""));
  EXPECT_EQ(port_rules({{id("driver mlx5_core"), nullptr}}), rule("DRIVERS==\"mlx5_core\""));
  EXPECT_EQ(port_rules({{guid, nullptr}}), rule("DRIVERS==\"?*\""));
}

TEST(PortRules, WatchWhatKeepsRoceValues) {
  EXPECT_EQ(port_rules({}, true),
            "ACTION!=\"remove\", SUBSYSTEM==\"module\", KERNEL==\"rdma_cm\", TAG+=\"systemd\", "
            "ENV{SYSTEMD_WANTS}+=\"rdmastate-event@$env{SEQNUM}.service\"\n");
}

TEST(Matching, OneOrEveryOrNone) {
  Facts facts;
  facts.devices = devices();
  DeviceRecord record;
  record.match.driver = "mlx4_core";
  Report several;
  EXPECT_TRUE(match_devices(record, 3, facts, several).empty());
  ASSERT_EQ(several.diagnostics().size(), 1U);
  EXPECT_EQ(several.diagnostics()[0].path, "devices[3].match");
  Report report;
  record.every = true;
  EXPECT_EQ(match_devices(record, 0, facts, report).size(), 2U);
  record.with_virtual = true;
  EXPECT_EQ(match_devices(record, 0, facts, report).size(), 3U);
  record.match.driver = "mlx5_core";
  const auto none = match_devices(record, 0, facts, report);
  ASSERT_EQ(none.size(), 1U);
  EXPECT_EQ(none[0].device, nullptr);
  EXPECT_EQ(to_text(none[0].id), "driver mlx5_core");
  EXPECT_FALSE(report.failed());
}

TEST(Matching, EveryLeavesVirtualFunctionsOut) {
  Facts facts;
  facts.devices = devices();
  DeviceRecord record;
  record.match.pci = PciAddress{"0000:3b:00.2"};
  Report report;
  const auto one = match_devices(record, 0, facts, report);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].device->name, "mlx4_2") << "a record of one device means it whatever it is";
  record.every = true;
  record.optional = true;
  EXPECT_TRUE(match_devices(record, 0, facts, report).empty());
  EXPECT_FALSE(report.failed());
  record.optional = false;
  EXPECT_TRUE(match_devices(record, 0, facts, report).empty());
  ASSERT_EQ(report.diagnostics().size(), 1U);
  EXPECT_EQ(report.diagnostics()[0].complaint.message,
            "pci 0000:3b:00.2 fits virtual functions alone, which every leaves out: mlx4_2");
}

}  // namespace
}  // namespace rdmastate
