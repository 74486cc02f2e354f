// SPDX-License-Identifier: Apache-2.0
// Back end networkmanager and interfaces without carrier: which profiles wait for one, and what else goes on.
#include <gtest/gtest.h>

#include "base/ini.hpp"
#include "host/network_manager.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

constexpr const char* profile = "/etc/NetworkManager/system-connections/ib1.nmconnection";

// As nmcli was seen to activate them, or not, on a port that is down (scenario nm-carrier).
TEST(NmCarrier, IsNotNeededForAStaticAddressOrNoIp) {
  const auto needs = [](const std::string& ipv4, const std::string& ipv6, const std::string& connection = {}) {
    const std::string text =
        "[connection]\n" + connection + "\n[ipv4]\nmethod=" + ipv4 + "\n[ipv6]\nmethod=" + ipv6 + "\n";
    return needs_carrier(ini::File(ini::keyfile, text));
  };
  for (const char* six : {"disabled", "ignore"}) {
    EXPECT_FALSE(needs("disabled", six)) << six;
    EXPECT_FALSE(needs("manual", six)) << six;
    EXPECT_TRUE(needs("auto", six)) << six;
  }
  for (const char* six : {"link-local", "manual", "auto"}) {
    EXPECT_TRUE(needs("disabled", six)) << six;
    EXPECT_TRUE(needs("auto", six)) << six;
    EXPECT_FALSE(needs("manual", six)) << six;
    EXPECT_TRUE(needs("manual", std::string(six) + "\nmay-fail=false")) << six;
    for (const char* other : {"type=bond", "master=bond0", "controller=bond0"})
      EXPECT_FALSE(needs("auto", six, other)) << other;
  }
}

std::string spec(const std::string& more, const std::string& mode = "datagram") {
  return "version: 1\nnetwork: {backend: networkmanager}\nipoib:\n  - {name: ib1, mode: " + mode + more + "}\n";
}
const std::string fixed = ", ipv4: {method: manual, addresses: [192.0.2.1/24]}";

// A host whose ports no subnet manager has made ACTIVE. ib1 is up.
class NmWithoutCarrier : public testing::Test {
 protected:
  void SetUp() override {
    host.model().find("ib1")->link.up = true;
    set_ports(2);
  }
  void set_ports(std::uint32_t state) {
    for (auto& device : host.model().devices)
      for (auto& port : device.ports) port.state = state;
    host.fabric_changed();
  }
  void apply(const std::string& text) {
    const Outcome outcome = apply_spec(host, text);
    EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  }
  /// What waits of the profile, which then has no step.
  std::string waits(const std::string& text, const char* path = profile) {
    const Plan plan = plan_spec(host, text);
    const Item* item = find_item(plan, nm_profile_kind, path);
    return item == nullptr || item->has_step() ? "" : item->gap.pending.sentence;
  }
  const NmDevice* device(const std::string& name) { return host.model().networkmanager->device(name); }
  RecordedHost host{model_run_by("networkmanager")};
};

TEST_F(NmWithoutCarrier, ANewProfileIsLoadedAndWaits) {
  apply(spec(""));
  EXPECT_NE(host.model().networkmanager->from_file(profile), nullptr);
  EXPECT_EQ(device("ib1"), nullptr);
  EXPECT_EQ(waits(spec("")), "ib1 has no carrier: NetworkManager activates the profile when it has one");
}

TEST_F(NmWithoutCarrier, AStaticOneIsActivated) {
  apply(spec(fixed));
  EXPECT_NE(device("ib1"), nullptr);
  EXPECT_EQ(waits(spec(fixed)), "");
}

// Device.Reapply needs no carrier; another mode needs an activation.
TEST_F(NmWithoutCarrier, AnActiveOneIsReappliedAndNotActivatedAnew) {
  set_ports(4);
  apply(spec(", ipv6: {method: auto}"));
  ASSERT_NE(device("ib1"), nullptr);
  const std::string digest = device("ib1")->digest;
  set_ports(2);
  apply(spec(", ipv6: {method: auto}", "connected"));
  EXPECT_EQ(device("ib1")->digest, digest);
  apply(spec(", ipv6: {method: manual, addresses: [\"2001:db8::1/64\"]}", "connected"));
  EXPECT_EQ(device("ib1")->digest, digest);
  apply(spec(", ipv6: {method: auto}"));
  apply(spec(", ipv6: {method: manual, addresses: [\"2001:db8::1/64\"]}"));
  EXPECT_NE(device("ib1")->digest, digest);
}

// NetworkManager let go of the old profile, and activates the new one when the carrier comes.
TEST_F(NmWithoutCarrier, ARollbackReachesWhatCameByItself) {
  set_ports(4);
  apply(spec(""));
  const std::string uuid = device("ib1")->uuid, digest = device("ib1")->digest;
  host.host().networkmanager->deactivate("ib1");
  host.model().find("ib1")->link.up = true;  // unlike where somebody deactivates it
  set_ports(2);
  apply(spec("", "connected"));
  EXPECT_EQ(device("ib1"), nullptr);
  set_ports(4);
  host.host().networkmanager->activate(uuid, "ib1");
  EXPECT_NE(device("ib1")->digest, digest);
  Host doors = host.host();
  const Outcome outcome = rollback(doors, /*force=*/false, deaf());
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_EQ(device("ib1")->digest, digest);
}

// One that is activated without a carrier, such as a static one, goes with the rollback, and the old one waits again.
TEST_F(NmWithoutCarrier, ARollbackLetsTheOldProfileWaitAgain) {
  apply(spec(""));
  apply(spec(fixed, "connected"));
  ASSERT_NE(device("ib1"), nullptr);
  Host doors = host.host();
  const Outcome outcome = rollback(doors, /*force=*/false, deaf());
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_EQ(device("ib1"), nullptr);
}

TEST_F(NmWithoutCarrier, WhatRunsWithOlderSettingsNeedsAnotherApply) {
  apply(spec(fixed));
  const std::string changed = spec(", ipv4: {method: auto}", "connected");
  apply(changed);
  EXPECT_EQ(waits(changed), "ib1 has no carrier: apply again when it has one");
}

// An interface that came up a moment ago has not joined its group yet.
TEST_F(NmWithoutCarrier, APortThatIsWellIsNotWaitedFor) {
  set_ports(4);
  host.model().find("ib1")->link.carrier = false;
  const Plan plan = plan_spec(host, spec(""));
  const Item* item = find_item(plan, nm_profile_kind, profile);
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->gap.pending.sentence, "");
}

TEST_F(NmWithoutCarrier, AChildWaitsForItsPartitionAndForItsPort) {
  constexpr const char* child = "/etc/NetworkManager/system-connections/ib1.9001.nmconnection";
  const std::string text = spec(fixed) + "  - {parent: ib1, pkey: 0x9001, mode: datagram, ipv4: {method: auto}}\n";
  apply(text);
  EXPECT_EQ(waits(text, child), "ib1.9001 has no carrier: NetworkManager activates the profile when it has one");
  set_ports(4);
  EXPECT_EQ(waits(text, child), "ib1.9001 has no carrier: NetworkManager activates the profile when it has one");
}

TEST_F(NmWithoutCarrier, AnInterfaceThatIsDownWaitsForItsPort) {
  host.model().find("ib1")->link.up = false;
  apply(spec(""));
  EXPECT_EQ(device("ib1"), nullptr);
}

TEST_F(NmWithoutCarrier, ANewNameWaitsToo) {
  const std::string text =
      "version: 1\nnetwork: {backend: networkmanager}\nipoib:\n  - {name: store0, match: {port_guid: \"0002:c903:0031:78f2\"}, "
      "mode: datagram}\n";
  apply(text);
  ASSERT_NE(host.model().find("store0"), nullptr);
  EXPECT_EQ(device("store0"), nullptr);
}

}  // namespace
}  // namespace rdmastate
