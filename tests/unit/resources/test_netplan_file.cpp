// SPDX-License-Identifier: Apache-2.0
// Back end netplan where netplan can be told: its renderer has the interfaces when apply ends, others' changes are not
// brought along, and what an earlier version wrote as plain files is taken up.
#include <fmt/format.h>

#include "host/netplan.hpp"
#include "plan/ledger.hpp"
#include "plan/print.hpp"
#include "resources/netplan_file/netplan_file.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string our_file = "/etc/netplan/90-rdmastate.yaml";
const std::string site_file = "/etc/netplan/01-site.yaml";
const std::string try_stamp(netplan_try_stamp);

std::string spec_of(const std::string& port, const std::string& child) {
  std::string spec =
      "version: 1\nnetwork: {backend: netplan}\nipoib:\n"
      "  - {name: ib2, mode: datagram, ipv4: {method: manual, addresses: [" +
      port + "]}}\n";
  if (!child.empty())
    spec += "  - {parent: ib2, pkey: 0x8002, mode: datagram, ipv4: {method: manual, addresses: [" + child + "]}}\n";
  return spec;
}

const std::string both = spec_of("192.0.2.1/24", "198.51.100.1/24");
const std::string none = "version: 1\n";

class NetplanLive : public testing::TestWithParam<const char*> {
 protected:
  NetplanLive() : host(model_with_netplan(GetParam())) {}
  bool by_networkd() const { return std::string(GetParam()) == "networkd"; }
  std::string generated() const { return by_networkd() ? netplan_network_path("ib2") : netplan_profile_path("ib2"); }
  void apply(const std::string& spec) {
    const Outcome outcome = apply_spec(host, spec);
    ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  }
  bool is_there(const std::string& path) const { return host.model().files.contains(path); }
  std::string told(const std::string& spec) { return plan_text(plan_spec(host, spec), Paint(false)); }
  std::string refused(const std::string& spec) {
    std::string all;
    for (const auto& item : plan_spec(host, spec).items) all += item.gap.blocked;
    return all;
  }
  RecordedHost host;
};

TEST_P(NetplanLive, TheRendererHasTheInterfacesWhenApplyEnds) {
  EXPECT_EQ(told(both).find("at the next boot, or by netplan apply"), std::string::npos) << told(both);
  apply(both);
  EXPECT_TRUE(is_there(generated()));
  Host doors = host.host();
  const Snapshot snapshot(doors);
  EXPECT_TRUE(runs_definition(snapshot, "ib2"));
  EXPECT_EQ(doors.links->find("ib2.8002").has_value(), by_networkd());  // the recorded NetworkManager makes no children
  const std::size_t moves = host.moves();
  apply(both);
  EXPECT_EQ(host.moves(), moves) << "the second apply moves nothing";
}

TEST_P(NetplanLive, AChangeIsToldAsABounceAndRolledBack) {
  apply(both);
  for (const auto& link : host.host().links->dump())
    if (link.name == "ib2") {
      LinkChange up;
      up.up = true;
      host.host().links->change(link, up);
    }
  const std::string was = host.model().files.at(generated()).bytes;
  const std::string changed = spec_of("192.0.2.2/24", "198.51.100.1/24");
  EXPECT_NE(told(changed).find("disrupts: link"), std::string::npos) << told(changed);
  apply(changed);
  EXPECT_NE(host.model().files.at(generated()).bytes, was);
  Host doors = host.host();
  EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(host.model().files.at(generated()).bytes, was);
}

TEST_P(NetplanLive, AnEmptySpecTakesAwayAllThatWasMade) {
  const auto files = host.model().files;
  apply(both);
  apply(none);
  EXPECT_FALSE(is_there(our_file));
  EXPECT_FALSE(is_there(generated()));
  EXPECT_FALSE(host.host().links->find("ib2.8002"));
  Host doors = host.host();
  const Snapshot snapshot(doors);
  EXPECT_FALSE(runs_definition(snapshot, "ib2"));
  for (const auto& [path, file] : host.model().files)
    EXPECT_TRUE(files.contains(path) || path.find("ib2") == std::string::npos) << path;
}

// networkd configures an interface anew whose file was written, whatever is in it.
TEST_P(NetplanLive, FilesOfOtherInterfacesAreNotWritten) {
  const std::string others = by_networkd() ? netplan_network_path("enp1s0") : netplan_profile_path("enp1s0");
  FileContent generated;
  generated.meta.mode = 0600;
  generated.bytes = "[Match]\nName=enp1s0\n[connection]\ntype=ethernet\n";
  host.model().files[others] = generated;
  add_parents(host.model().files);
  host.model().files[site_file].bytes += "    enp2s0: {dhcp4: false}\n";
  apply(both);
  apply(spec_of("192.0.2.2/24", "198.51.100.1/24"));
  apply(none);
  EXPECT_EQ(host.model().files.at(others), generated);
  EXPECT_FALSE(is_there(netplan_network_path("enp2s0")) || is_there(netplan_profile_path("enp2s0")))
      << "what somebody wrote and did not apply is not brought along";
}

TEST_P(NetplanLive, AReloadOfSystemdGeneratesForAllInterfaces) {
  apply(both);
  const std::string others = by_networkd() ? netplan_network_path("enp1s0") : netplan_profile_path("enp1s0");
  EXPECT_FALSE(is_there(others));
  host.model().systemd.emplace();
  host.host().units->reload();
  EXPECT_TRUE(is_there(others));
  EXPECT_TRUE(plan_spec(host, both).is_empty());
}

// A netplan beside which somebody reloads systemd, as each installation of a package may.
class ReloadedMeanwhile final : public Netplan {
 public:
  explicit ReloadedMeanwhile(const Host& host) : units_(*host.units), netplan_(*host.netplan) {}
  bool is_here() override { return netplan_.is_here(); }
  GeneratedFiles generated() override {
    units_.reload();
    return netplan_.generated();
  }

 private:
  Units& units_;
  Netplan& netplan_;
};

// The step finds the generated file as it should be, and still tells the renderer.
TEST_P(NetplanLive, WhatAReloadOfSystemdGeneratesMeanwhileIsTold) {
  apply(both);
  host.model().systemd.emplace();
  Host doors = host.host();
  ReloadedMeanwhile netplan(doors);
  doors.netplan = &netplan;
  const std::size_t before = host.calls().size();
  const auto wish = wish_for(spec_of("192.0.2.2/24", "198.51.100.1/24"), {});
  EXPECT_EQ(rdmastate::apply(doors, wish, deaf()).code, ExitCode::done);
  std::string calls;
  for (std::size_t i = before; i < host.calls().size(); ++i) calls += host.calls()[i] + "\n";
  EXPECT_NE(calls.find("making systemd read its files again"), std::string::npos) << calls;
  for (const auto& told : {"making NetworkManager read " + generated(), "activating profile " + generated()})
    EXPECT_TRUE(by_networkd() || calls.find(told) != std::string::npos) << told << " is not among:\n" << calls;
  EXPECT_TRUE(!by_networkd() || calls.find("reloading systemd-networkd") != std::string::npos) << calls;
}

TEST_P(NetplanLive, APortThatStaysKeepsItsFile) {
  const std::string other = "  - {name: ib0, match: {port_guid: \"0002:c903:0031:78f1\"}, mode: datagram}\n";
  apply(spec_of("192.0.2.1/24", "") + other);
  const std::size_t before = host.calls().size();
  apply(spec_of("192.0.2.2/24", "") + other);
  for (std::size_t i = before; i < host.calls().size(); ++i) {
    // ib0's generated file (...-ib0.network, ...-ib0.nmconnection), or a change of ib0 itself.
    const bool is_others =
        host.calls()[i].find("ib0.n") != std::string::npos || host.calls()[i].find(" on ib0") != std::string::npos;
    EXPECT_FALSE(is_others) << host.calls()[i];
  }
}

TEST_P(NetplanLive, WhileATryWaitsNothingIsTold) {
  apply(both);
  host.model().files[try_stamp] = {};
  add_parents(host.model().files);
  EXPECT_TRUE(plan_spec(host, both).is_empty());
  EXPECT_NE(refused(spec_of("192.0.2.2/24", "")).find("netplan try waits"), std::string::npos);
}

// An earlier version, and a host without netplan, have plain files: their entries in the ledger become those of the
// kinds that they are of now, and no file is removed on the way.
TEST_P(NetplanLive, WhatWasWrittenAsPlainFilesIsTakenUp) {
  HostModel without = model_with_netplan(GetParam());
  without.files.erase(std::string(netplan_program_path));
  RecordedHost early(without);
  ASSERT_EQ(apply_spec(early, both).code, ExitCode::done);
  HostModel model = early.model();
  model.files[std::string(netplan_program_path)].meta.mode = 0755;
  RecordedHost now(model);
  for (const auto& item : plan_spec(now, both).items) EXPECT_FALSE(item.is_removal()) << item.key;
  ASSERT_EQ(apply_spec(now, both).code, ExitCode::done);
  EXPECT_TRUE(now.model().files.contains(our_file));
  Host doors = now.host();
  const Snapshot snapshot(doors);
  for (const auto& entry : read_ledger(snapshot, read_facts(snapshot).machine_id).entries) {
    const bool is_told = entry.key == our_file || entry.key.find("ib2.8002.net") != std::string::npos;
    EXPECT_FALSE(is_told && entry.kind == "file") << entry.key;
  }
  const std::size_t moves = now.moves();
  ASSERT_EQ(apply_spec(now, both).code, ExitCode::done);
  EXPECT_EQ(now.moves(), moves);
}

INSTANTIATE_TEST_SUITE_P(Renderers, NetplanLive, testing::Values("networkd", "networkmanager"),
                         [](const auto& one) { return std::string(one.param); });

TEST(NetplanDefinitions, AreEqualWhereTheyMeanTheSame) {
  const auto texts = [](const std::string& one) {
    return netplan_definitions("network:\n  ethernets:\n    ib0: " + one + "\n");
  };
  EXPECT_EQ(texts("{mtu: 2044, dhcp4: false}"), texts("{ mtu: 2044,  dhcp4: false }"));
  EXPECT_NE(texts("{addresses: [a, b]}"), texts("{addresses: [ab]}"));
  EXPECT_EQ(texts("{}").front().id, "ib0");
  EXPECT_TRUE(netplan_definitions("network: [").empty());
}

}  // namespace
}  // namespace rdmastate
