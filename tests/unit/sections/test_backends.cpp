// SPDX-License-Identifier: Apache-2.0
// The list of back ends, and the profile that they print.
#include <gtest/gtest.h>

#include <algorithm>

#include "sections/network/backend.hpp"

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
  const auto choice = choose_backend(with_interface(Backend::automatic), facts, report);
  return choice ? to_text(choice->backend) : "refused";
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
  EXPECT_EQ("refused", chosen(facts));
  runs("networkd");
  EXPECT_EQ("networkd", chosen(facts));
  runs("networkmanager");
  EXPECT_EQ("networkmanager", chosen(facts));
  runs("netplan");
  EXPECT_EQ("netplan", chosen(facts));
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

}  // namespace
}  // namespace rdmastate
