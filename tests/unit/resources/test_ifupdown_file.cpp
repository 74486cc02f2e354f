// SPDX-License-Identifier: Apache-2.0
// Back end ifupdown where ifup can be run: its interfaces are up when apply ends, a change takes down what it must and
// gives it back, and whoever dies in between, a rollback brings the host back.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/textdiff.hpp"
#include "host/ifupdown.hpp"
#include "host/interfaces_text.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string port_file = "/etc/network/interfaces.d/rdmastate-ib2";
const std::string child_file = "/etc/network/interfaces.d/rdmastate-ib2-8002";

std::string spec_of(const std::string& port, const std::string& child) {
  std::string spec =
      "version: 1\nnetwork: {backend: ifupdown}\nipoib:\n  - {name: ib2, ipv4: {method: manual, addresses: [" + port +
      "]}}\n";
  if (!child.empty()) spec += "  - {parent: ib2, pkey: 0x8002, ipv4: {method: manual, addresses: [" + child + "]}}\n";
  return spec;
}

const std::string both = spec_of("192.0.2.1/24", "198.51.100.1/24");

const std::string with_ipv6 =
    spec_of("192.0.2.1/24", "198.51.100.1/24]}, ipv6: {method: manual, addresses: [2001:db8::1/64");

std::string held(const RecordedHost& host) {
  const auto file = host.model().files.find(std::string(ifstate_path));
  return file == host.model().files.end() ? std::string() : file->second.bytes;
}

std::string addresses(RecordedHost& host, const std::string& name) {
  Host doors = host.host();
  const auto link = doors.links->find(name);
  if (!link) return "no " + name;
  std::vector<std::string> all;
  for (const auto& one : doors.links->addresses(link->index))
    if (one.value.address.family == Family::v4) all.push_back(to_text(one.value));
  return fmt::format("{}", fmt::join(all, " "));
}

std::vector<std::string> programs_run(const RecordedHost& host, std::size_t from) {
  std::vector<std::string> found;
  for (std::size_t i = from; i < host.calls().size(); ++i)
    if (host.calls()[i].starts_with("ifup") || host.calls()[i].starts_with("ifdown")) found.push_back(host.calls()[i]);
  return found;
}

using Calls = std::vector<std::string>;

class IfupdownLive : public testing::Test {
 protected:
  explicit IfupdownLive(HostModel model = model_with_ifupdown()) : host(std::move(model)) {}
  void apply(const std::string& spec) {
    const std::size_t before = host.calls().size();
    const Outcome outcome = apply_spec(host, spec);
    ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
    ran = programs_run(host, before);
  }
  void add(const std::string& interface, const std::string& address) {
    Host doors = host.host();
    Address one;
    one.link = doors.links->find(interface)->index;
    ASSERT_FALSE(Text<IpInterface>::read({address, true}, one.value));
    doors.links->add(one);
  }
  void set_pkeys(const std::vector<std::uint32_t>& pkeys) {
    for (auto& device : host.model().devices)
      for (auto& port : device.ports) port.pkeys = pkeys;
  }
  RecordedHost host;
  Calls ran;
};

TEST_F(IfupdownLive, TheInterfacesAreUpWhenApplyEnds) {
  apply(both);
  EXPECT_EQ(ran, (Calls{"ifup ib2", "ifup ib2.8002"}));
  EXPECT_EQ(held(host), "ib2=ib2\nib2.8002=ib2.8002\nlo=lo\n");
  EXPECT_EQ(addresses(host, "ib2.8002"), "198.51.100.1/24");
  EXPECT_TRUE(plan_spec(host, both).is_empty());
  apply(both);
  EXPECT_EQ(ran, Calls{});
}

TEST_F(IfupdownLive, AChangeOfTheChildBouncesTheChildAlone) {
  apply(both);
  apply(spec_of("192.0.2.1/24", "198.51.100.2/24"));
  EXPECT_EQ(ran, (Calls{"ifdown ib2.8002", "ifup ib2.8002"}));
  EXPECT_EQ(addresses(host, "ib2.8002"), "198.51.100.2/24");
}

TEST_F(IfupdownLive, AChangeOfThePortGivesTheChildBack) {
  apply(both);
  add("ib2", "192.0.2.77/24");
  add("ib2.8002", "198.51.100.77/24");
  apply(spec_of("192.0.2.2/24", "198.51.100.1/24"));
  EXPECT_EQ(ran, (Calls{"ifdown ib2", "ifup ib2", "ifup ib2.8002"}));
  EXPECT_EQ(addresses(host, "ib2"), "192.0.2.2/24 192.0.2.77/24");
  EXPECT_EQ(addresses(host, "ib2.8002"), "198.51.100.1/24 198.51.100.77/24");
}

TEST_F(IfupdownLive, AChildThatIsNoLongerNamedIsTakenDownByItsFile) {
  apply(both);
  apply(spec_of("192.0.2.1/24", ""));
  EXPECT_EQ(ran, Calls{"ifdown ib2.8002"});
  EXPECT_EQ(addresses(host, "ib2.8002"), "no ib2.8002");
  EXPECT_FALSE(host.model().files.contains(child_file));
  EXPECT_EQ(held(host), "ib2=ib2\nlo=lo\n");
}

TEST_F(IfupdownLive, WhatWasConfiguredWithoutItWaitsForABoot) {
  add("ib2", "192.0.2.1/24");
  apply(spec_of("192.0.2.1/24", ""));
  EXPECT_EQ(ran, Calls{});
  EXPECT_EQ(addresses(host, "ib2"), "192.0.2.1/24");
}

TEST_F(IfupdownLive, AStaticIpv6AddressWaitsForACarrier) {
  set_pkeys({0xffff});
  apply(with_ipv6);
  EXPECT_EQ(ran, Calls{"ifup ib2"});
  EXPECT_TRUE(host.model().files.contains(child_file));
  const Plan plan = plan_spec(host, with_ipv6);
  EXPECT_TRUE(plan.is_empty());
  set_pkeys({0xffff, 0x8002});
  apply(with_ipv6);
  EXPECT_EQ(ran, Calls{"ifup ib2.8002"});
}

// While the port is down its table of P_Keys is empty, so nothing tells before that the child will have no carrier.
TEST_F(IfupdownLive, AnIfupThatFailsLeavesNothing) {
  set_pkeys({});
  const HostModel before = host.model();
  const Outcome outcome = apply_spec(host, with_ipv6);
  EXPECT_EQ(outcome.code, ExitCode::failed_restored);
  EXPECT_NE(outcome.message.find("Waiting for DAD"), std::string::npos) << outcome.message;
  EXPECT_EQ(unified_diff(seen(before), seen(host)), "");
}

TEST_F(IfupdownLive, AnAddressThatSomebodyTookAwayComesBack) {
  apply(both);
  Host doors = host.host();
  const auto link = *doors.links->find("ib2.8002");
  for (const auto& one : doors.links->addresses(link.index)) doors.links->remove(one);
  apply(both);
  EXPECT_EQ(ran, (Calls{"ifdown ib2.8002", "ifup ib2.8002"}));
}

TEST_F(IfupdownLive, WhatTheDefaultRouteLeavesByIsNotBouncedUnasked) {
  apply(both);
  Host doors = host.host();
  Route route;
  route.link = doors.links->find("ib2")->index;
  ASSERT_FALSE(Text<IpAddress>::read({"192.0.2.254", true}, route.via.emplace()));
  doors.links->add(route);
  const Outcome outcome = apply_spec(host, spec_of("192.0.2.2/24", "198.51.100.1/24"));
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("--confirm-within"), std::string::npos) << outcome.message;
}

TEST_F(IfupdownLive, WithoutDebiansIfupdownItIsAFile) {
  host.model().files.erase("/usr" + std::string(ifupdown_signs[1]));
  apply(both);
  EXPECT_EQ(ran, Calls{});
  EXPECT_TRUE(host.model().files.contains(port_file));
}

TEST_F(IfupdownLive, WhatCameBackDownWithItsDriverIsBroughtUp) {
  apply(both);
  host.model().find("ib2.8002")->link.up = false;
  apply(both);
  EXPECT_EQ(ran, (Calls{"ifdown ib2.8002", "ifup ib2.8002"}));
}

// By stanzas of another file, which --adopt takes over. ifupdown's note of it is not given back.
TEST_F(IfupdownLive, WhatOtherStanzasBroughtUpIsLiveAfterARollback) {
  host.model().files["/etc/network/interfaces.d/storage"].bytes =
      "auto ib2\niface ib2 inet static\n    address 192.0.2.9/24\n";
  host.host().ifupdown->up("ib2");
  PlanOptions adopt;
  adopt.adopt = true;
  const Outcome outcome = apply_spec(host, spec_of("192.0.2.1/24", ""), adopt);
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_EQ(held(host), "ib2=ib2\nlo=lo\n");
  Host doors = host.host();
  const Outcome back = rollback(doors, false, deaf());
  ASSERT_EQ(back.code, ExitCode::done) << back.message;
  EXPECT_EQ(addresses(host, "ib2"), "192.0.2.9/24");
  EXPECT_TRUE(host.model().find("ib2")->link.up);
}

struct Change {
  const char* name;
  std::string before;
  std::string after;
  std::string backend = "ifupdown";  ///< of `before`
};

class IfupdownCut : public testing::TestWithParam<Change> {};

HostModel started(const Change& change) {
  RecordedHost host(model_with_ifupdown());
  std::string before = change.before;
  if (before.empty()) return host.model();
  before.replace(before.find("ifupdown"), 8, change.backend);
  EXPECT_EQ(apply_spec(host, before).code, ExitCode::done);
  return host.model();
}

TEST_P(IfupdownCut, ARollbackBringsTheHostBack) {
  const HostModel start = started(GetParam());
  for (const When when : {When::before, When::after})
    for (std::size_t n = 1;; ++n) {
      RecordedHost host(start);
      host.crash_at(n, when);
      try {
        EXPECT_EQ(apply_spec(host, GetParam().after).code, ExitCode::done);
        break;
      } catch (const OrderedCrash&) {
      }
      const std::string last = host.calls().back();
      RecordedHost dead = RecordedHost::from_json(host.to_json(), "crashed.json");
      if (seen(dead) == seen(start)) continue;
      Host doors = dead.host();
      const Outcome outcome = rollback(doors, false, deaf());
      ASSERT_EQ(outcome.code, ExitCode::done) << last << ": " << outcome.message;
      ASSERT_EQ(unified_diff(seen(start), seen(dead)), "") << last;
    }
}

// A call whose failure may be borne lets the apply end well; after that the next call is tried.
TEST_P(IfupdownCut, AStepThatFailsIsTakenBack) {
  const HostModel start = started(GetParam());
  bool beyond = false;
  for (std::size_t n = 1; !beyond; ++n) {
    RecordedHost host(start);
    const std::size_t before = host.moves();
    host.fail_call(n, EIO, When::before);
    ExitCode code = ExitCode::could_not;
    try {
      code = apply_spec(host, GetParam().after).code;
    } catch (const Error&) {  // before the run's record is there
    }
    beyond = host.moves() - before < n;
    if (beyond) {
      EXPECT_EQ(code, ExitCode::done);
    } else if (code != ExitCode::done) {
      ASSERT_EQ(unified_diff(seen(start), seen(host)), "") << n;
    }
  }
}

TEST_P(IfupdownCut, AFinishedRunIsRolledBack) {
  const HostModel start = started(GetParam());
  RecordedHost host(start);
  ASSERT_EQ(apply_spec(host, GetParam().after).code, ExitCode::done);
  Host doors = host.host();
  const Outcome outcome = rollback(doors, false, deaf());
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  ASSERT_EQ(unified_diff(seen(start), seen(host)), "");
}

INSTANTIATE_TEST_SUITE_P(Changes, IfupdownCut,
                         testing::Values(Change{"FromNothing", "", both},
                                         Change{"Address", both, spec_of("192.0.2.2/24", "198.51.100.1/24")},
                                         Change{"Both", both, spec_of("192.0.2.2/24", "198.51.100.2/24")},
                                         Change{"ChildGoes", both, spec_of("192.0.2.2/24", "")},
                                         Change{"ChildComes", spec_of("192.0.2.1/24", ""), both},
                                         Change{"AllGoes", both, "version: 1\n"},
                                         Change{"FromNone", both, both, "none"}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(InterfacesText, TellsWhatEachInterfaceIsGiven) {
  const auto read = read_interfaces_text(
      "auto ib0\niface ib0 inet static\n  address 192.0.2.1/24\n  gateway 192.0.2.254\n"
      "iface ib0 inet6 static\n  address 2001:db8::1\n  up /bin/ip -6 route replace 2001:db8:1::/64 dev $IFACE\n"
      "auto eth0\n  address 192.0.2.9/24\niface eth0 inet dhcp\n");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].name, "ib0");
  EXPECT_EQ(read[0].addresses.size(), 2U);
  EXPECT_EQ(read[0].routes.size(), 1U);
  EXPECT_TRUE(read[0].has_gateway);
  EXPECT_TRUE(read[1].addresses.empty());
}

}  // namespace
}  // namespace rdmastate
