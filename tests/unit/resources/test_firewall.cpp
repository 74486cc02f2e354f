// SPDX-License-Identifier: Apache-2.0
// nfs.server.firewall: what is opened, now and for good, and that nothing of others is ever closed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apply/apply.hpp"
#include "base/error.hpp"
#include "resources/firewall_port.hpp"
#include "resources/zone_port/zone_port.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

const FirewallPorts tcp{20049, 20049, "tcp"};
const FirewallPorts udp{20049, 20049, "udp"};
const std::string own_file = "/etc/firewalld/zones/internal.xml";
const std::string package_file = "/usr/lib/firewalld/zones/internal.xml";
const std::string without = "version: 1\nnfs: {server: {}}\n";

std::string spec(const std::string& more = "", const std::string& port = "20049",
                 const std::string& zone = "internal") {
  return fmt::format("version: 1\nnfs: {{server: {{rdma_port: {}, firewall: {{zone: {}{}}}}}}}\n", port, zone, more);
}

HostModel with_firewall(bool running) {
  HostPart part;
  part.nfs = true;
  part.firewall = running ? 2 : 1;
  return part.model();
}

const Item& find(const Plan& plan, const Kind& kind, const FirewallPorts& port) {
  const std::string key = firewall_key("internal", port);
  for (const auto& item : plan.items)
    if (item.kind == &kind && item.key == key) return item;
  throw Error("the plan has no " + key);
}

FirewallZone& now(RecordedHost& host) { return host.model().firewall->runtime.at("internal"); }
FirewallZone& for_good(RecordedHost& host) { return host.model().firewall->permanent.at("internal"); }
std::string text_of(const RecordedHost& host, const std::string& path) { return host.model().files.at(path).bytes; }

void release_nfs(RecordedHost& host) {
  Host doors = host.host();
  ASSERT_EQ(apply(doors, release_wish(doors, "nfs"), deaf()).code, ExitCode::done);
}

ExitCode roll_back(RecordedHost& host) {
  Host doors = host.host();
  return rollback(doors, false, deaf()).code;
}

TEST(Firewall, IsOpenedNowAndForGoodAndClosedByRollback) {
  RecordedHost host(with_firewall(true));
  const FirewallZone before = now(host);
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  for (const FirewallZone& zone : {now(host), for_good(host)}) {
    EXPECT_TRUE(zone.has(tcp) && zone.has(udp));
    EXPECT_EQ(zone.services, before.services) << "ssh stays";
  }
  EXPECT_FALSE(host.model().files.contains(own_file)) << "the file is firewalld's to write";
  EXPECT_TRUE(plan_spec(host, spec()).is_empty());
  ASSERT_EQ(roll_back(host), ExitCode::done);
  EXPECT_EQ(now(host), before);
  EXPECT_EQ(for_good(host), before);
}

TEST(Firewall, RocesPortIsOpenedWhereItIsAskedFor) {
  RecordedHost host(with_firewall(true));
  ASSERT_EQ(apply_spec(host, spec(", roce: true")).code, ExitCode::done);
  EXPECT_TRUE(now(host).has({4791, 4791, "udp"}));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  EXPECT_FALSE(now(host).has({4791, 4791, "udp"}) || for_good(host).has({4791, 4791, "udp"}));
  EXPECT_TRUE(now(host).has(tcp));
}

TEST(Firewall, AnotherPortOpensAndTheOldOneCloses) {
  RecordedHost host(with_firewall(true));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  PlanOptions options;
  options.max_disruption = Disruption::service;
  ASSERT_EQ(apply_spec(host, spec("", "20050"), options).code, ExitCode::done);
  EXPECT_EQ(for_good(host).ports, (std::vector<FirewallPorts>{{20050, 20050, "tcp"}, {20050, 20050, "udp"}}));
  EXPECT_EQ(now(host).ports, for_good(host).ports);
}

// What was open before the first apply, alone, in a range, by a service or by a protocol.
TEST(Firewall, WhatOthersLetInIsNoStepAndIsNeverClosed) {
  const FirewallPorts range{20000, 20100, "tcp"};
  for (const FirewallZone& theirs :
       {FirewallZone{false, {tcp, udp}}, FirewallZone{false, {range, udp}}, FirewallZone{true},
        FirewallZone{false, {}, {}, {{"nfs-rdma", {tcp, udp}}}}, FirewallZone{false, {}, {"tcp", "udp"}}}) {
    RecordedHost host(with_firewall(true));
    now(host) = for_good(host) = theirs;
    ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
    EXPECT_EQ(now(host), theirs);
    ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
    EXPECT_EQ(now(host), theirs);
    EXPECT_EQ(for_good(host), theirs);
  }
}

TEST(Firewall, TheirsNowAndOursForGoodArePartedAgain) {
  RecordedHost host(with_firewall(true));
  now(host).ports = {tcp};
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_EQ(now(host).ports, std::vector<FirewallPorts>{tcp});
  EXPECT_TRUE(for_good(host).ports.empty());
}

TEST(Firewall, TheirRangeNowIsNotOursWhenItHasShrunkToThePort) {
  RecordedHost host(with_firewall(true));
  now(host).ports = {{20000, 20100, "tcp"}};
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  now(host).ports = {tcp};
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_EQ(now(host).ports, std::vector<FirewallPorts>{tcp});
  EXPECT_TRUE(for_good(host).ports.empty());
}

// Others' range swallows our entry; to remove the port would cut it out of the range.
TEST(Firewall, ARangeThatSwallowedItIsLeft) {
  RecordedHost host(with_firewall(true));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  const FirewallPorts range{20000, 20100, "tcp"};
  now(host).ports = for_good(host).ports = {range, udp};
  EXPECT_TRUE(plan_spec(host, spec()).is_empty());
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_EQ(for_good(host).ports, std::vector<FirewallPorts>{range});
}

// Two entries can stand beside each other in a file.
TEST(Firewall, ARangeBesideItKeepsItOpen) {
  RecordedHost host(with_firewall(true));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  const FirewallPorts range{20000, 20100, "tcp"};
  now(host).ports = for_good(host).ports = {tcp, range};
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_EQ(for_good(host).ports, (std::vector<FirewallPorts>{tcp, range}));
}

TEST(Firewall, ClosesUnderClientsOnlyForWhoMayDisturbThem) {
  HostPart part;
  part.nfs = part.serving = true;
  part.firewall = 2;
  RecordedHost host(part.model());
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  static_cast<void>(apply_spec(host, without));
  EXPECT_TRUE(now(host).has(tcp)) << "clients would be cut off";
  EXPECT_FALSE(for_good(host).has(tcp));
  PlanOptions options;
  options.max_disruption = Disruption::service;
  ASSERT_EQ(apply_spec(host, without, options).code, ExitCode::done);
  EXPECT_FALSE(now(host).has(tcp));
}

TEST(Firewall, ReleasedItStays) {
  RecordedHost host(with_firewall(true));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  release_nfs(host);
  EXPECT_TRUE(now(host).has(tcp) && for_good(host).has(tcp));
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_TRUE(for_good(host).has(tcp)) << "it is nobody's by now";
}

TEST(Firewall, AZoneThatIsNotThereIsBlockedWithThoseThatAre) {
  for (const bool running : {true, false}) {
    RecordedHost host(with_firewall(running));
    const auto outcome = apply_spec(host, spec("", "20049", "inner"));
    EXPECT_EQ(outcome.code, ExitCode::could_not);
    bool is_said = false;
    for (const auto& item : outcome.last.items)
      is_said |= item.gap.blocked == "firewalld has no zone inner: it has internal, public";
    EXPECT_TRUE(is_said);
  }
}

TEST(Firewall, WhereItDoesNotRunThePackagesZoneIsCopiedWithOneEntryMore) {
  RecordedHost host(with_firewall(false));
  const std::string packaged = text_of(host, package_file);
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  EXPECT_NE(text_of(host, own_file).find("<service name=\"ssh\"/>"), std::string::npos);
  EXPECT_NE(text_of(host, own_file).find("<port port=\"20049\" protocol=\"tcp\"/>"), std::string::npos);
  EXPECT_TRUE(plan_spec(host, spec()).is_empty());
  EXPECT_EQ(find(plan_spec(host, spec()), firewall_port_kind, tcp).gap.pending.sentence,
            "firewalld does not run here: it lets the port in from its start on");
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(own_file));
  EXPECT_EQ(text_of(host, package_file), packaged);
}

TEST(Firewall, ACopyThatOthersChangedStaysWithoutThePort) {
  RecordedHost host(with_firewall(false));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  std::string& text = host.model().files.at(own_file).bytes;
  text.insert(text.find("  <service"), "  <service name=\"http\"/>\n");
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_NE(text_of(host, own_file).find("http"), std::string::npos);
  EXPECT_EQ(text_of(host, own_file).find("20049"), std::string::npos);
}

TEST(Firewall, AFileThatWasThereKeepsItsBytesAndStays) {
  HostModel model = with_firewall(false);
  const std::string theirs = "<zone>\n\t<!-- ours -->\n\t<service name='ssh'/>\n</zone>";
  model.files[own_file] = {{FileType::regular, 0640, 0, 0}, theirs, {}};
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  ASSERT_EQ(roll_back(host), ExitCode::done);
  EXPECT_EQ(text_of(host, own_file), theirs);
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_EQ(text_of(host, own_file), theirs);
  EXPECT_EQ(host.model().files.at(own_file).meta.mode, 0640U);
}

TEST(Firewall, AFileThatIsNoZoneIsNamedAndNotTouched) {
  for (const std::string text : {"<zone>", "", "<!DOCTYPE zone>\n<zone></zone>"}) {
    HostModel model = with_firewall(false);
    model.files[own_file] = {{FileType::regular, 0644, 0, 0}, text, {}};
    RecordedHost host(std::move(model));
    const auto outcome = apply_spec(host, spec());
    EXPECT_EQ(outcome.code, ExitCode::could_not);
    EXPECT_NE(find(outcome.last, zone_port_kind, tcp).gap.unseen.find("is no zone of firewalld"), std::string::npos);
    EXPECT_EQ(text_of(host, own_file), text);
  }
}

TEST(Firewall, WhatStandsInTheWayIsBlocked) {
  HostModel model = with_firewall(false);
  model.files[own_file] = {{FileType::symlink, 0777, 0, 0}, package_file, {}};
  RecordedHost host(std::move(model));
  EXPECT_EQ(apply_spec(host, spec()).code, ExitCode::could_not);
  EXPECT_EQ(host.model().files.at(own_file).meta.type, FileType::symlink);
  HostModel closed = with_firewall(false);
  closed.files[own_file] = {{FileType::regular, 0644, 0, 0}, "<zone/>\n", {}};
  RecordedHost other(std::move(closed));
  EXPECT_EQ(apply_spec(other, spec()).code, ExitCode::could_not);
  EXPECT_EQ(text_of(other, own_file), "<zone/>\n");
}

TEST(Firewall, NotInstalledItIsPending) {
  HostPart part;
  part.nfs = true;
  RecordedHost host(part.model());
  const auto outcome = apply_spec(host, spec());
  EXPECT_EQ(outcome.code, ExitCode::done);
  for (const Kind* kind : {&zone_port_kind, &firewall_port_kind})
    EXPECT_NE(find(outcome.last, *kind, tcp).gap.pending.sentence.find("is not installed here"), std::string::npos);
  EXPECT_EQ(host.model().files.count("/etc/firewalld"), 0U);
  EXPECT_EQ(text_of(host, "/etc/rdmastate/ledger.json").find("firewall_port"), std::string::npos)
      << "what its package or others open later is not rdmastate's";
}

// NetworkManager's package brings a zone of firewalld's.
TEST(Firewall, AnothersZoneFileDoesNotMakeItInstalled) {
  HostPart part;
  part.nfs = true;
  HostModel model = part.model();
  model.files["/usr/lib/firewalld/zones/nm-shared.xml"] = {{FileType::regular, 0644, 0, 0}, "<zone></zone>\n", {}};
  add_parents(model.files);
  RecordedHost host(std::move(model));
  for (const char* zone : {"internal", "nm-shared"}) {
    const auto outcome = apply_spec(host, spec("", "20049", zone));
    EXPECT_EQ(outcome.code, ExitCode::done);
    for (const auto& item : outcome.last.items) EXPECT_EQ(item.gap.blocked, "") << item.key;
  }
}

// It was stopped at apply, and its start opened the port by our entry: so it is ours to close.
TEST(Firewall, WhatItsStartOpenedByOurEntryIsOurs) {
  RecordedHost host(with_firewall(false));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  host.model().firewall = with_firewall(true).firewall;
  now(host).ports = for_good(host).ports = {tcp, udp};
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_TRUE(now(host).ports.empty() && for_good(host).ports.empty());
}

TEST(Firewall, WhatItsStartOpenedByTheirEntryIsTheirs) {
  HostModel model = with_firewall(false);
  model.files[own_file] = {
      {FileType::regular, 0644, 0, 0},
      "<zone><port port=\"20049\" protocol=\"tcp\"/><port port=\"20049\" protocol=\"udp\"/></zone>",
      {}};
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
  host.model().firewall = with_firewall(true).firewall;
  now(host).ports = for_good(host).ports = {tcp, udp};
  ASSERT_EQ(apply_spec(host, without).code, ExitCode::done);
  EXPECT_EQ(now(host).ports.size(), 2U);
  EXPECT_EQ(for_good(host).ports.size(), 2U);
}

TEST(Firewall, ACrashAtAnyCallIsTakenBack) {
  for (const bool running : {true, false})
    for (std::size_t call = 1;; ++call) {
      RecordedHost host(with_firewall(running));
      host.crash_at(call, When::after);
      bool crashed = false;
      try {
        ASSERT_EQ(apply_spec(host, spec()).code, ExitCode::done);
      } catch (const OrderedCrash&) {
        crashed = true;
      }
      host.clear_orders();
      if (!crashed) break;
      Host doors = host.host();
      try {
        static_cast<void>(rollback(doors, false, deaf()));
      } catch (const Error&) {
        EXPECT_LT(call, 5U) << "it had no run yet";
      }
      const bool is_closed =
          running ? now(host).ports.empty() && for_good(host).ports.empty() : !host.model().files.contains(own_file);
      EXPECT_TRUE(is_closed) << call;
    }
}

}  // namespace
}  // namespace rdmastate
