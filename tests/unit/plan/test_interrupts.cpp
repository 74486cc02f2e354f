// SPDX-License-Identifier: Apache-2.0
// Mounts, storage and sessions over what a step takes down: found by address or route, named, refused or held.
#include <fmt/format.h>
#include "plan/interrupts.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

IpAddress ip(const std::string& text) {
  IpAddress address;
  EXPECT_FALSE(Text<IpAddress>::read({text, true}, address)) << text;
  return address;
}

Connection mount_of(const std::string& target, const std::string& server, const std::string& local = "") {
  Connection mount;
  mount.name = target;
  mount.type = "nfs4";
  mount.source = server + ":/x";
  mount.remotes = {ip(server)};
  if (!local.empty()) mount.local = ip(local);
  mount.carries = {target};
  return mount;
}

// The second spec's interfaces are there; ib2, which spec_one puts into connected mode, has 192.0.2.1/24.
class Interrupts : public testing::Test {
 protected:
  Interrupts() : host_(start()) {}

  static HostModel start() {
    RecordedHost host(loaded_model());
    Host doors = host.host();
    const Link port = *doors.links->find("ib2");
    LinkChange change;
    change.up = true;
    doors.links->change(port, change);
    IpInterface address;
    EXPECT_FALSE(Text<IpInterface>::read({"192.0.2.1/24", true}, address));
    doors.links->add(Address{port.index, address});
    return host.model();
  }

  void connect(Connection connection) { host_.model().connections.push_back(std::move(connection)); }
  std::string refusals(const std::string& spec = spec_one, PlanOptions options = {}) {
    return fmt::format("{}", fmt::join(plan_spec(host_, spec, options).refused(), "\n"));
  }
  RecordedHost host_;
};

TEST_F(Interrupts, AMountByItsOwnAddress) {
  connect(mount_of("/mnt", "198.51.100.9", "192.0.2.1"));
  EXPECT_NE(refusals().find(
                "would interrupt mount /mnt (nfs4 from 198.51.100.9:/x) over ib2: end it or take it elsewhere first, "
                "or let --in-use mlx4_1 interrupt it"),
            std::string::npos)
      << refusals();
}

TEST_F(Interrupts, AMountByTheRouteToItsServer) {
  connect(mount_of("/mnt", "192.0.2.9"));
  EXPECT_NE(refusals().find("mount /mnt"), std::string::npos) << refusals();
}

TEST_F(Interrupts, NotWhatGoesElsewhere) {
  connect(mount_of("/mnt", "10.0.2.2", "10.0.2.15"));
  connect(mount_of("/far", "203.0.113.9"));  // by the default route, over Ethernet
  EXPECT_EQ(refusals(), "");
}

TEST_F(Interrupts, GivenUpByTheDevicesName) {
  connect(mount_of("/mnt", "192.0.2.9"));
  PlanOptions options;
  options.in_use = {"mlx4_0"};
  EXPECT_NE(refusals(spec_one, options), "");
  options.in_use = {"mlx4_1"};
  EXPECT_EQ(refusals(spec_one, options), "");
  EXPECT_EQ(apply_spec(host_, spec_one, options).code, ExitCode::done);
}

TEST_F(Interrupts, ASessionIsNotGivenUpButConfirmed) {
  Connection session = mount_of("812", "192.0.2.9");
  session.what = Connection::What::session;
  session.type = "sshd";
  connect(session);
  PlanOptions options;
  options.in_use = {"mlx4_1"};
  EXPECT_NE(
      refusals(spec_one, options).find("this session (sshd, process 812, from 192.0.2.9) over ib2: --confirm-within"),
      std::string::npos)
      << refusals(spec_one, options);
  options = {};
  options.confirm_within = 60;
  EXPECT_EQ(refusals(spec_one, options), "");
  host_.model().connections.push_back(mount_of("/mnt", "192.0.2.9"));
  EXPECT_NE(refusals(spec_one, options).find("mount /mnt"), std::string::npos) << "others are still asked";
  EXPECT_EQ(refusals(spec_one, options).find("this session"), std::string::npos);
}

TEST_F(Interrupts, NobodyIsAskedWhenNothingIsInterrupted) {
  connect(mount_of("/mnt", "192.0.2.9"));
  PlanOptions options;
  options.in_use = {"mlx4_1"};
  ASSERT_EQ(apply_spec(host_, spec_one, options).code, ExitCode::done);
  host_.reset_reads();
  EXPECT_TRUE(plan_spec(host_, spec_one).is_empty());
  EXPECT_EQ(host_.reads().connections, 0U);
}

TEST_F(Interrupts, WhatCarriesTheRunsIsPendingWhateverTheFlags) {
  for (const std::string target : {"/", "/usr", "/var", "/var/lib", "/var/lib/rdmastate"}) {
    host_.model().connections = {mount_of(target, "192.0.2.9")};
    PlanOptions options;
    options.in_use = {"mlx4_1"};
    const Plan plan = plan_spec(host_, spec_one, options);
    const auto link = std::find_if(plan.items.begin(), plan.items.end(),
                                   [](const Item& item) { return item.kind == &ipoib_link_kind; });
    EXPECT_FALSE(link->has_step()) << target;
    EXPECT_EQ(link->gap.pending.sentence.find(target + " is mounted (nfs4 from 192.0.2.9:/x) over ib2"), 0U)
        << link->gap.pending.sentence;
    EXPECT_EQ(plan.refused(), std::vector<std::string>()) << target;
  }
}

TEST_F(Interrupts, OtherMountPointsAreNotTheSystems) {
  for (const std::string target : {"/usr/local", "/variable", "/var/lib/docker", "/srv"}) {
    host_.model().connections = {mount_of(target, "192.0.2.9")};
    EXPECT_NE(refusals().find("mount " + target), std::string::npos) << target;
  }
}

TEST_F(Interrupts, APendingLinkIsLeftAloneByApplyAndTheNextRunIsSilent) {
  connect(mount_of("/var", "192.0.2.9"));
  ASSERT_EQ(apply_spec(host_, spec_one).code, ExitCode::done);
  EXPECT_EQ(host_.host().links->find("ib2")->ipoib->mode, IpoibMode::datagram);
  const Plan again = plan_spec(host_, spec_one);
  EXPECT_TRUE(again.is_empty());
  EXPECT_GT(again.count_pending(), 0U);
}

TEST_F(Interrupts, AnAddressThatAMountHasIsNotRemovedUnasked) {
  const std::string with = spec_head + "  - {name: ib2, ipv4: {method: manual, addresses: [192.0.2.7/24]}}\n";
  const std::string without = spec_head + "  - {name: ib2}\n";
  ASSERT_EQ(apply_spec(host_, with).code, ExitCode::done);
  EXPECT_EQ(refusals(without), "");
  connect(mount_of("/mnt", "192.0.2.9", "192.0.2.7"));
  EXPECT_NE(refusals(without).find("would interrupt mount /mnt"), std::string::npos) << refusals(without);
  host_.model().connections = {mount_of("/mnt", "192.0.2.9", "192.0.2.1")};
  EXPECT_EQ(refusals(without), "");
}

TEST_F(Interrupts, ARemovedChildNamesAMountOnce) {
  ASSERT_EQ(apply_spec(host_, spec_two).code, ExitCode::done);
  const auto& model = host_.model();
  const auto child = std::find_if(model.addresses.begin(), model.addresses.end(), [&](const Address& one) {
    const auto& link = model.links.at(one.link).link;
    return link.is_child() && one.value.address.family == Family::v4;
  });
  ASSERT_NE(child, model.addresses.end());
  connect(mount_of("/mnt", "203.0.113.250", to_text(child->value.address)));
  const std::string said = refusals("version: 1\n");
  EXPECT_NE(said.find("mount /mnt"), std::string::npos) << said;
  EXPECT_EQ(said.find("mount /mnt"), said.rfind("mount /mnt")) << said;
}

TEST_F(Interrupts, OverASoftDeviceOnlyWhatUsesRdma) {
  host_.model().modules.loadable.insert("ib_uverbs");
  const std::string soft = "version: 1\nsoft_devices:\n  - {name: rxe_a, type: rxe, netdev: enp1s0}\n";
  ASSERT_EQ(apply_spec(host_, soft).code, ExitCode::done);
  connect(mount_of("/mnt", "10.0.2.2", "10.0.2.15"));
  EXPECT_EQ(refusals("version: 1\n"), "");
  host_.model().connections[0].rdma = true;
  EXPECT_NE(refusals("version: 1\n").find("let --in-use rxe_a interrupt it"), std::string::npos)
      << refusals("version: 1\n");
}

TEST(InterruptsText, NamesEachSort) {
  Connection storage;
  storage.what = Connection::What::storage;
  storage.name = "session1";
  storage.type = "iscsi";
  storage.source = "iqn.2026-01.com.example:disk";
  EXPECT_EQ(connection_text(storage), "storage session1 (iscsi from iqn.2026-01.com.example:disk)");
  storage.carries = {"/data", "/srv"};
  EXPECT_EQ(connection_text(storage),
            "storage session1 (iscsi from iqn.2026-01.com.example:disk, which carries /data and /srv)");
  Connection session;
  session.what = Connection::What::session;
  session.name = "812";
  session.type = "sshd";
  session.remotes = {ip("2001:db8::7")};
  EXPECT_EQ(connection_text(session), "this session (sshd, process 812, from 2001:db8::7)");
}

// The file is written and loaded; the interface keeps what it runs, on the way back too.
TEST(InterruptsProfile, IsLeftToTheNextActivation) {
  NmProfileState running = wanted_nm_profile("[connection]\nuuid=a\ninterface-name=ib2\n");
  running.active = "b";
  running.applied = false;
  NmProfileState wanted = wanted_nm_profile("[connection]\nuuid=a\ninterface-name=ib2\n[infiniband]\nmtu=2044\n");
  const State from(nm_profile_kind, running);
  const auto left = nm_profile_still(&from, State(nm_profile_kind, wanted));
  ASSERT_TRUE(left);
  EXPECT_EQ(left->as<NmProfileState>().content, wanted.content);
  EXPECT_EQ(left->as<NmProfileState>().loaded, true);
  EXPECT_FALSE(left->as<NmProfileState>().active);
  const State there(nm_profile_kind, wanted);
  EXPECT_FALSE(nm_profile_still(&there, there));
}

}  // namespace
}  // namespace rdmastate
