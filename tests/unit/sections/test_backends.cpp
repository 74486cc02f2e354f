// SPDX-License-Identifier: Apache-2.0
// The list of back ends, and the profile that they print.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "resources/networkd_file/networkd_file.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/networkd/keys.hpp"
#include "sections/ipoib/backends/networkd/text.hpp"

namespace rdmastate {
namespace {

Spec with_interface(Backend backend) {
  Spec spec;
  spec.version = 1;
  spec.network = NetworkSection{backend};
  spec.ipoib.emplace_back().name = IfName{"mlx4_ib0"};
  return spec;
}

std::string chosen(const Facts& facts) {
  Report report;
  return to_text(choose_backend(with_interface(Backend::automatic), facts, report).backend);
}

TEST(Backends, EachThatASpecCanNameHasOneRow) {
  for (const auto& name : Names<Backend>::table) {
    if (name.value == Backend::automatic) continue;
    const auto rows = all_backends();
    EXPECT_EQ(1, std::count_if(rows.begin(), rows.end(), [&](const auto* row) { return row->backend == name.value; }))
        << name.text;
    EXPECT_EQ(name.value, row_of(name.value).backend) << name.text;
  }
  EXPECT_EQ(Names<Backend>::table.size() - 1, all_backends().size());
}

TEST(Backends, AutoTakesTheFirstOwnerOfTheList) {
  Facts facts;
  const auto runs = [&](const char* name) {
    facts.managers.insert(facts.managers.begin(), {name, true, true, "/run/x"});
  };
  EXPECT_EQ("none", chosen(facts));
  runs("ifupdown");
  EXPECT_EQ("ifupdown", chosen(facts));
  runs("wicked");
  EXPECT_EQ("wicked", chosen(facts));
  runs("networkd");
  EXPECT_EQ("networkd", chosen(facts));
  runs("networkmanager");
  EXPECT_EQ("networkmanager", chosen(facts));
  runs("netplan");
  EXPECT_EQ("netplan", chosen(facts));
}

Facts tree_with(const std::vector<std::string>& by_preset) {
  Facts facts;
  facts.distribution = "rhel";
  facts.first_boot = true;
  facts.installed = by_preset;
  for (const auto& name : by_preset)
    facts.managers.push_back({name, false, false, "/usr/lib/systemd/system/" + name + ".service", "90-default.preset"});
  return facts;
}

struct Chosen {
  std::string backend;
  std::string reason;
  std::string said;  ///< errors and warnings
};

Chosen choose(const Facts& facts, Backend backend = Backend::automatic) {
  Report report;
  const BackendChoice choice = choose_backend(with_interface(backend), facts, report);
  Chosen chosen{to_text(choice.backend), choice.reason, ""};
  for (const auto& one : report.diagnostics())
    chosen.said += fmt::format("{}: {}; {}\n", one.path, one.complaint.message, one.complaint.hint);
  return chosen;
}

TEST(Backends, ATreeTakesTheOneThatPresetsEnable) {
  const Chosen one = choose(tree_with({"networkmanager"}));
  EXPECT_EQ("networkmanager", one.backend);
  EXPECT_EQ(
      "it is the only network manager installed here, and presets enable it at the first boot (90-default.preset)",
      one.reason);
  EXPECT_EQ("", one.said);
  for (const char* name : {"networkd", "wicked"}) EXPECT_EQ(name, choose(tree_with({name})).backend);
  const Chosen two = choose(tree_with({"networkmanager", "networkd"}));
  EXPECT_EQ("none", two.backend);
  EXPECT_EQ("no network manager is enabled here, and presets enable more than one (networkmanager, networkd)",
            two.reason);
  Facts facts = tree_with({"networkmanager"});
  facts.installed->push_back("networkd");
  EXPECT_EQ("of the network managers installed here presets enable it alone at the first boot (90-default.preset)",
            choose(facts).reason);
}

TEST(Backends, PresetsThatNobodyReadsAreAWarning) {
  Facts facts = tree_with({"networkmanager"});
  facts.first_boot = false;
  const Chosen one = choose(facts);
  EXPECT_EQ("networkmanager", one.backend);
  EXPECT_NE(one.said.find("network.backend: nothing enables networkmanager.service in this tree but presets"),
            std::string::npos)
      << one.said;
  EXPECT_NE(one.said.find("systemctl --root=DIR preset networkmanager.service"), std::string::npos) << one.said;
}

// It comes in systemd's own package there.
TEST(Backends, DebiansNetworkdIsTakenAtAFirstBootAlone) {
  Facts facts = tree_with({"networkd"});
  facts.distribution = "debian";
  EXPECT_EQ("networkd", choose(facts).backend);
  facts.first_boot = false;
  EXPECT_EQ("none", choose(facts).backend);
}

TEST(Backends, OneChosenByHandThatIsNotInstalledIsAWarning) {
  Facts facts;
  facts.live = true;
  facts.distribution = "rhel";
  facts.version = "9.4";
  EXPECT_EQ("", choose(facts, Backend::networkd).said) << "what may not be looked at is not absent";
  facts.installed.emplace();
  const Chosen one = choose(facts, Backend::networkd);
  EXPECT_EQ("networkd", one.backend);
  EXPECT_EQ(
      "network.backend: networkd is not installed on this host, and nothing else reads the files that this back end "
      "writes; install the package systemd-networkd, or choose another back end\n",
      one.said);
  EXPECT_NE(choose(facts, Backend::ifupdown).said.find("no package of this distribution"), std::string::npos);
  EXPECT_EQ("", choose(facts, Backend::none).said);
  facts.installed->push_back("networkd");
  EXPECT_EQ("", choose(facts, Backend::networkd).said);
  facts.installed.emplace();
  facts.managers = {{"networkd", true, false, "/run/systemd/netif/state"}};
  EXPECT_EQ("", choose(facts, Backend::networkd).said);
}

// The text of what a plan for netplan's files says on this host, beside the plan.
std::string said_of_netplan(const Facts& facts) {
  const Spec spec = with_interface(Backend::netplan);
  const auto profiles = profiles_of(spec);
  Desired desired;
  Report report;
  netplan_backend.expand({spec, profiles, facts, desired, report});
  std::string said;
  for (const auto& one : report.diagnostics()) said += one.complaint.message + "\n";
  return said;
}

TEST(Netplan, TheOneThatUbuntu22CameWithIsAWarningWhereItCannotBeAsked) {
  Facts facts;
  facts.distribution = "ubuntu";
  facts.version = "22.04";
  facts.netplan_renderer = "NetworkManager";
  const auto warns = [&] { return said_of_netplan(facts).find("netplan 0.104") != std::string::npos; };
  EXPECT_TRUE(warns());
  facts.netplan = true;
  EXPECT_FALSE(warns()) << "a netplan that runs refuses the file itself, before anything is changed";
  facts.netplan = false;
  facts.netplan_renderer = "networkd";
  EXPECT_FALSE(warns()) << "nothing is said that it does not know";
  facts.netplan_renderer = "NetworkManager";
  facts.version = "24.04";
  EXPECT_FALSE(warns());
}

// Before networkd's DHCP= was a boolean or a family, it was one of none, v4, v6 and both: such a file is adopted too.
TEST(Networkd, DhcpIsReadInItsFormerWordsToo) {
  const auto read = [](const char* text) {
    const auto [four, six] = networkd_dhcp(text);
    return fmt::format("{}{}", four ? "4" : "", six ? "6" : "");
  };
  for (const char* text : {"yes", "true", "both"}) EXPECT_EQ("46", read(text)) << text;
  for (const char* text : {"ipv4", "v4"}) EXPECT_EQ("4", read(text)) << text;
  for (const char* text : {"ipv6", "v6"}) EXPECT_EQ("6", read(text)) << text;
  for (const char* text : {"no", "none", "", "ipv5"}) EXPECT_EQ("", read(text)) << text;
}

TEST(Networkd, LinkLocalAddressesAreReadAsSystemdReadsABoolean) {
  for (const char* text : {"", "yes", "1", "on", "ipv6", "fallback", "ipv5"})
    EXPECT_TRUE(networkd_link_local_six(text)) << text;
  for (const char* text : {"no", "0", "off", "n", "f", "false", "No", "ipv4", "ipv4-fallback"})
    EXPECT_FALSE(networkd_link_local_six(text)) << text;
}

TEST(Profiles, WhatIsLeftOutIsWhatTheFieldTableSays) {
  Spec spec = with_interface(Backend::none);
  auto& child = spec.ipoib.emplace_back();
  child.parent = IfName{"mlx4_ib0"};
  child.pkey = PKey{0x8002};
  const auto profiles = profiles_of(spec);
  for (const auto& profile : profiles) {
    for (const char* field : {"ipv4", "ipv6"}) {
      const std::string method =
          field[3] == '4' ? to_text(profile.made.ipv4->method) : to_text(profile.made.ipv6->method);
      EXPECT_EQ(record_of<IpoibRecord>().find(field)->rules.on_create, "{method: " + method + "}");
    }
  }
  EXPECT_EQ(std::nullopt, profiles[0].made.mode) << "a port's interface keeps its mode";
  EXPECT_EQ(record_of<IpoibRecord>().find("mode")->rules.on_create, to_text(*profiles[1].made.mode));
  EXPECT_EQ(std::nullopt, profiles[1].asked.mode);
  EXPECT_EQ(std::vector<std::string>{"mlx4_ib0.8002"}, profiles[0].children);
}

TEST(Profiles, AGatewayIsARouteToAnywhere) {
  Ipv6Block block;
  Scalar text{"2001:db8::1", true};
  ASSERT_FALSE(Text<IpAddress>::read(text, block.gateway.emplace()));
  block.routes.emplace_back().metric = 50;
  const auto routes = all_routes_of(block, Family::v6);
  ASSERT_EQ(2U, routes.size());
  EXPECT_EQ("gateway", routes[0].field);
  EXPECT_EQ("::/0", to_text(routes[0].to));
  EXPECT_EQ("routes[0]", routes[1].field);
  EXPECT_EQ(1U, routes_of(block, Family::v6).size());
}

// A route without a gateway, where the block has none either, is no gateway's route.
TEST(NetworkdOver, AForeignDefaultRouteWithoutAGatewayIsTheOneOfTheList) {
  IpoibRecord asked;
  asked.name = IfName{"ib0"};
  asked.ipv4.emplace().routes.push_back({});  // to: default
  const std::string path = "/etc/systemd/network/ib0.network";
  const auto over = [&](const std::string& text) {
    const State theirs(networkd_file_kind, wanted_networkd_file(path, text));
    const TakenOver taken = network_file_over({asked, {}}, path, theirs);
    EXPECT_TRUE(taken.against.empty());
    return file_of(taken.state).content->value;
  };
  const std::string once = over("[Match]\nName=ib0\n\n[Route]\nDestination=0.0.0.0/0\n");
  EXPECT_EQ(once.find("[Route]"), once.rfind("[Route]")) << once;
}

}  // namespace
}  // namespace rdmastate
