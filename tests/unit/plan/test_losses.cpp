// SPDX-License-Identifier: Apache-2.0
// What a step takes away: every kind answers, and what it answers is all that the guards know.
#include <fmt/format.h>

#include <set>

#include "plan/interrupts.hpp"
#include "resources/address.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/registry.hpp"
#include "resources/route.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

// Of these no step takes anything from those who use it, and each has its reason.
const std::set<std::string_view> harmless{
    "file",              // read at a boot, or by whoever is told to
    "entry",             // the same
    "group",             // who is in it stays
    "initrd",            // for the next boot
    "module",            // loaded, and never unloaded while it is used
    "module_block",      // never moved
    "module_parameter",  // taken at any time
    "rdma_device",       // a rename leaves queue pairs alone
    "rdma_system",       // only without another namespace
    "roce_port",         // for connections to come
    "device_nodes",      // what is open stays open
    "unit_files",        // read, and nothing started by it
    "login_limit",       // never moved
    "nfs_threads",       // never 0: fewer serve the same clients
    "zone_port",         // read at firewalld's next start, and the running rules stay
    "opensm_unit",       // the fabric loses, which needs --allow-fabric (Section::felt)
};

TEST(Losses, EveryKindAnswersOrIsHarmless) {
  constexpr decltype(Kind::loses) no_answer = nothing;
  std::set<std::string_view> silent;
  for (const Kind* kind : all_kinds())
    if (kind->loses == no_answer) silent.insert(kind->name);
  EXPECT_EQ(silent, harmless);
}

IpAddress ip(const std::string& text) {
  IpAddress address;
  EXPECT_FALSE(Text<IpAddress>::read({text, true}, address)) << text;
  return address;
}

Connection session_from(const std::string& remote, const std::string& local) {
  Connection session;
  session.what = Connection::What::session;
  session.name = "812";
  session.type = "sshd";
  session.remotes = {ip(remote)};
  if (!local.empty()) session.local = ip(local);
  return session;
}

// Back end none, applied: ib2 has two addresses, a gateway's route, and nothing else.
const std::string both = spec_head +
                         "  - {name: ib2, ipv4: {method: manual, addresses: [192.0.2.7/24, 198.51.100.7/24], routes: "
                         "[{to: 203.0.113.0/24, via: 192.0.2.254, metric: 50}]}}\n";

std::string with(const std::string& ipv4) {
  return spec_head + "  - {name: ib2, ipv4: {method: manual, " + ipv4 + "}}\n";
}

struct Case {
  std::string spec;
  std::string remote;
  std::string local;
  bool refused;
};

TEST(Losses, OfAddressesAndRoutesGuardASession) {
  const std::string first = "addresses: [192.0.2.7/24], routes: [{to: 203.0.113.0/24, via: 192.0.2.254, metric: 50}]";
  const std::string second = "addresses: [198.51.100.7/24]";
  const std::string no_route = "addresses: [192.0.2.7/24, 198.51.100.7/24]";
  const std::string other_gateway =
      "addresses: [192.0.2.7/24, 198.51.100.7/24], routes: [{to: 203.0.113.0/24, via: 192.0.2.253, metric: 50}]";
  const Case cases[] = {
      {with(first), "198.51.100.9", "198.51.100.7", true},      // its own address goes
      {with(first), "192.0.2.9", "192.0.2.7", false},           // another one goes
      {with(first), "198.51.100.9", "", true},                  // the network of the address that goes
      {with(second), "203.0.113.9", "", true},                  // the route goes
      {with(no_route), "203.0.113.9", "192.0.2.7", true},       // the same, its address stays
      {with(no_route), "192.0.2.9", "192.0.2.7", false},        //
      {with(other_gateway), "203.0.113.9", "192.0.2.7", true},  // another way than it was
      {with(other_gateway), "198.51.100.9", "", false},         //
  };
  for (const auto& one : cases) {
    RecordedHost host(loaded_model());
    ASSERT_EQ(apply_spec(host, both).code, ExitCode::done);
    EXPECT_EQ(plan_spec(host, one.spec).refused(), std::vector<std::string>()) << one.spec;
    host.model().connections = {session_from(one.remote, one.local)};
    const auto said = fmt::format("{}", fmt::join(plan_spec(host, one.spec).refused(), "\n"));
    EXPECT_EQ(said.find("this session") != std::string::npos, one.refused)
        << one.spec << one.remote << " from " << one.local << "\n"
        << said;
  }
}

TEST(Losses, WithTheLastAddressGoOthersRoutes) {
  for (const bool last : {true, false}) {
    RecordedHost host(loaded_model());
    ASSERT_EQ(
        apply_spec(host, with(last ? "addresses: [192.0.2.7/24]" : "addresses: [192.0.2.7/24, 192.0.2.8/24]")).code,
        ExitCode::done);
    Route others;  // in no file of ours
    others.to.address = ip("203.0.113.0");
    others.to.length = 24;
    others.via = ip("192.0.2.254");
    others.link = host.host().links->find("ib2")->index;
    host.model().routes.push_back(others);
    host.model().connections = {session_from("203.0.113.9", "")};
    const auto refused =
        plan_spec(host, with(last ? "addresses: [198.51.100.7/24]" : "addresses: [192.0.2.7/24]")).refused();
    EXPECT_EQ(refused.size(), last ? 1U : 0U) << fmt::format("{}", fmt::join(refused, "\n"));
  }
}

TEST(Losses, ADefaultRouteIsNotTakenAwayUnasked) {
  const std::string gateway = with("addresses: [192.0.2.7/24], gateway: 192.0.2.254");
  RecordedHost host(loaded_model());
  std::erase_if(host.model().routes, [](const Route& route) { return route.to.is_default(); });
  ASSERT_EQ(apply_spec(host, gateway).code, ExitCode::done);
  const std::string without = with("addresses: [192.0.2.7/24]");
  const auto said = fmt::format("{}", fmt::join(plan_spec(host, without).refused(), "\n"));
  EXPECT_NE(said.find("would take what it needs away, and the default route leaves by ib2"), std::string::npos) << said;
  PlanOptions options;
  options.confirm_within = 60;
  EXPECT_EQ(plan_spec(host, without, options).refused(), std::vector<std::string>());
  Route other;
  other.link = 1;
  other.metric = 100;
  other.to.address.family = Family::v4;
  host.model().routes.push_back(other);
  EXPECT_EQ(plan_spec(host, without).refused(), std::vector<std::string>()) << "another one takes over";
}

TEST(Losses, WhatDisturbsAnybodyIsSaidAndLimited) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, both).code, ExitCode::done);
  PlanOptions none;
  none.max_disruption = Disruption::none;
  const std::string less =
      with("addresses: [192.0.2.7/24], routes: [{to: 203.0.113.0/24, via: 192.0.2.254, metric: 50}]");
  const Plan plan = plan_spec(host, less, none);
  ASSERT_EQ(plan.steps.size(), 2U);  // boot.json is the other one
  EXPECT_EQ(plan.items[plan.steps[0]].kind, &address_kind);
  EXPECT_EQ(plan.items[plan.steps[0]].disruption, Disruption::link);
  EXPECT_EQ(plan.refusals.size(), 1U);
}

// An address of a port whose module comes with the run is made by us: nobody else brings it.
TEST(Losses, NobodyWaitsForWhatWeMake) {
  RecordedHost host(guide_model());
  const auto before = host.host().clock.ticks();
  ASSERT_EQ(apply_spec(host, spec_one).code, ExitCode::done);
  EXPECT_LT(host.host().clock.ticks() - before, std::chrono::seconds(1));
}

}  // namespace
}  // namespace rdmastate
