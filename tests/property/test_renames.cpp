// SPDX-License-Identifier: Apache-2.0
// A port's interface that gets another name, on every back end: live, held back, and taken back.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "plan/print.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string address = "198.51.100.1/28";

std::string spec_of(const std::string& backend, const std::string& name, bool with_child = true) {
  std::string text = fmt::format(
      "version: 1\nnetwork: {{backend: {0}}}\nmodules: {{load: [ib_ipoib]}}\nipoib:\n"
      "  - name: {1}\n    match: {{port_guid: \"f452:1403:007b:cba1\"}}\n    mode: datagram\n"
      "    ipv4: {{method: manual, addresses: [{2}]}}\n",
      backend, name, address);
  if (with_child)
    text += fmt::format("  - {{parent: {}, pkey: 0x8002, ipv4: {{method: manual, addresses: [198.51.100.17/28]}}}}\n",
                        name);
  return text;
}

void set_up(RecordedHost& host, const std::string& name, bool up) {
  const Host doors = host.host();
  const auto link = doors.links->find(name);
  ASSERT_TRUE(link) << name;
  LinkChange change;
  change.up = up;
  doors.links->change(*link, change);
}

bool is_there(RecordedHost& host, const std::string& name) { return host.host().links->find(name).has_value(); }

bool takes_down(const std::string& backend) {
  return backend == "networkmanager" || backend == "networkd" || backend == "netplan";
}

// The files by which an owner knows this interface and its child.
std::vector<std::string> files_of(const std::string& backend, const std::string& name) {
  if (backend == "networkmanager")
    return {"/etc/NetworkManager/system-connections/" + name + ".nmconnection",
            "/etc/NetworkManager/system-connections/" + name + ".8002.nmconnection"};
  if (backend == "netplan")
    return {"/etc/systemd/network/60-rdmastate-" + name + ".8002.network",
            "/etc/systemd/network/60-rdmastate-" + name + ".8002.netdev"};
  return {"/etc/systemd/network/60-rdmastate-" + name + ".network",
          "/etc/systemd/network/60-rdmastate-" + name + ".8002.network",
          "/etc/systemd/network/60-rdmastate-" + name + ".8002.netdev"};
}

PlanOptions undisturbed() {
  PlanOptions options;
  options.max_disruption = Disruption::none;
  return options;
}

class Renames : public testing::TestWithParam<const char*> {};

TEST_P(Renames, APortThatIsDownIsNamedAtOnce) {
  RecordedHost host(model_run_by(GetParam()));
  const Outcome outcome = apply_spec(host, spec_of(GetParam(), "store0", false), undisturbed());
  EXPECT_EQ(ExitCode::done, outcome.code) << outcome.message;
  EXPECT_TRUE(is_there(host, "store0"));
  EXPECT_FALSE(is_there(host, "ib2"));
}

TEST_P(Renames, APortThatIsUpGoesDownForItWhereAnOwnerTakesItUp) {
  RecordedHost host(model_run_by(GetParam()));
  set_up(host, "ib2", true);
  const std::string spec = spec_of(GetParam(), "store0");
  const Outcome outcome = apply_spec(host, spec);
  EXPECT_EQ(ExitCode::done, outcome.code) << outcome.message;
  EXPECT_EQ(takes_down(GetParam()), is_there(host, "store0"));
  if (!takes_down(GetParam())) {
    const std::string told = plan_text(plan_spec(host, spec), Paint(false));
    EXPECT_NE(std::string::npos, told.find("at the next boot")) << told;
    return;
  }
  EXPECT_TRUE(host.host().links->find("store0")->up);
  const std::size_t moves = host.moves();
  EXPECT_EQ(ExitCode::done, apply_spec(host, spec).code);
  EXPECT_EQ(moves, host.moves()) << "the second apply moves nothing";
  for (const auto& file : files_of(GetParam(), "store0")) EXPECT_TRUE(host.model().files.contains(file)) << file;
}

TEST_P(Renames, WhatMayNotBeDisturbedKeepsItsFilesUntilTheBootThatGivesTheName) {
  if (!takes_down(GetParam())) return;
  RecordedHost host(model_run_by(GetParam()));
  ASSERT_EQ(ExitCode::done, apply_spec(host, spec_of(GetParam(), "first0")).code);
  set_up(host, "first0", true);
  const Host doors = host.host();  // the recorded NetworkManager makes no children
  if (!is_there(host, "first0.8002"))
    doors.links->create({{}, doors.links->find("first0")->index, "first0.8002", PKey{0x8002}});
  const std::string spec = spec_of(GetParam(), "second0");
  const Outcome outcome = apply_spec(host, spec, undisturbed());
  EXPECT_EQ(ExitCode::done, outcome.code) << outcome.message;
  EXPECT_TRUE(is_there(host, "first0"));
  for (const char* name : {"first0", "second0"})
    for (const auto& file : files_of(GetParam(), name)) EXPECT_TRUE(host.model().files.contains(file)) << file;
  const std::string told = plan_text(plan_spec(host, spec, undisturbed()), Paint(false));
  EXPECT_NE(std::string::npos, told.find("first0 becomes second0 at the next boot")) << told;
  const std::size_t moves = host.moves();
  EXPECT_EQ(ExitCode::done, apply_spec(host, spec, undisturbed()).code);
  EXPECT_EQ(moves, host.moves());
  const Outcome last = apply_spec(host, spec);
  EXPECT_EQ(ExitCode::done, last.code) << last.message;
  EXPECT_TRUE(is_there(host, "second0"));
  for (const auto& file : files_of(GetParam(), "first0")) EXPECT_FALSE(host.model().files.contains(file)) << file;
  Host again = host.host();
  const Outcome back = rollback(again, false, deaf());
  EXPECT_EQ(ExitCode::done, back.code) << back.message;
  EXPECT_TRUE(is_there(host, "first0"));
  EXPECT_EQ(is_there(host, "first0.8002"), std::string(GetParam()) != "networkmanager");
  EXPECT_FALSE(is_there(host, "second0.8002")) << "two children in one partition";
}

TEST_P(Renames, AreTakenBack) {
  RecordedHost host(model_run_by(GetParam()));
  ASSERT_EQ(ExitCode::done, apply_spec(host, spec_of(GetParam(), "first0", false)).code);
  set_up(host, "first0", true);
  const std::string before = seen(host);
  ASSERT_EQ(ExitCode::done, apply_spec(host, spec_of(GetParam(), "second0", false)).code);
  Host doors = host.host();
  const Outcome back = rollback(doors, false, deaf());
  EXPECT_EQ(ExitCode::done, back.code) << back.message;
  EXPECT_EQ(before, seen(host));
}

TEST(RenameOnNetworkManager, AnotherProfileIsTakenOffFirst) {
  HostModel model = model_run_by("networkmanager");
  model.networkmanager->profiles.push_back({"11111111-1111-5111-8111-111111111111", "", "", false});
  model.networkmanager->devices.push_back({"ib2", "11111111-1111-5111-8111-111111111111", "", true});
  RecordedHost host(model);
  set_up(host, "ib2", true);
  EXPECT_EQ(ExitCode::done, apply_spec(host, spec_of("networkmanager", "store0")).code);
  EXPECT_EQ(nullptr, host.model().networkmanager->device("ib2"));
  EXPECT_NE(nullptr, host.model().networkmanager->device("store0"));
}

std::set<std::string> addresses_of(RecordedHost& host, const std::string& name) {
  const Host doors = host.host();
  std::set<std::string> found;
  for (const auto& one : doors.links->addresses(doors.links->find(name)->index)) found.insert(to_text(one.value));
  return found;
}

TEST_P(Renames, KeepWhatOthersHaveOnChildrenOfThePort) {
  if (!takes_down(GetParam())) return;
  RecordedHost host(model_run_by(GetParam()));
  set_up(host, "ib2", true);
  const Host doors = host.host();
  doors.links->create({{}, doors.links->find("ib2")->index, "others", PKey{0x8005}});
  set_up(host, "others", true);
  Address six;
  six.link = doors.links->find("others")->index;
  ASSERT_FALSE(Text<IpInterface>::read({"2001:db8:77::1/64", true}, six.value));
  doors.links->add(six);
  const auto before = addresses_of(host, "others");
  ASSERT_TRUE(before.contains("2001:db8:77::1/64"));
  EXPECT_EQ(ExitCode::done, apply_spec(host, spec_of(GetParam(), "store0", false)).code);
  EXPECT_TRUE(is_there(host, "store0"));
  EXPECT_EQ(before, addresses_of(host, "others"));
}

// What others have on an interface that rdmastate takes down for a moment.
class Bounce : public testing::Test {
 protected:
  void SetUp() override {
    set_up(host, "ib2", true);
    port = doors.links->find("ib2")->index;
    virtual_ip.link = port;
    ASSERT_FALSE(Text<IpInterface>::read({"2001:db8:77::9/128", true}, virtual_ip.value));
    doors.links->add(virtual_ip);
    Route route{{}, {}, port, 30, 4};  // RTPROT_STATIC
    ASSERT_FALSE(Text<IpNetwork>::read({"2001:db8:99::/48", true}, route.to));
    doors.links->add(route);
    before = routes();
  }
  std::vector<Route> routes() const {
    auto all = doors.links->routes(port);
    std::erase_if(all, [](const Route& one) { return one.metric != 30; });
    return all;
  }
  bool has_virtual_ip() { return addresses_of(host, "ib2").contains("2001:db8:77::9/128"); }

  const std::string spec =
      "version: 1\nnetwork: {backend: none}\nipoib:\n"
      "  - {name: ib2, match: {port_guid: \"f452:1403:007b:cba1\"}, mode: connected}\n";
  RecordedHost host{loaded_model()};
  Host doors = host.host();
  std::uint32_t port = 0;
  Address virtual_ip;
  std::vector<Route> before;
};

TEST_F(Bounce, BringsBackAddressesAndRoutes) {
  const Outcome outcome = apply_spec(host, spec);
  ASSERT_EQ(ExitCode::done, outcome.code) << outcome.message;
  EXPECT_TRUE(has_virtual_ip());
  EXPECT_EQ(before, routes());
  ASSERT_EQ(ExitCode::done, rollback(doors, false, deaf()).code);
  EXPECT_TRUE(has_virtual_ip());
  EXPECT_EQ(before, routes());
}

TEST_F(Bounce, GivesNothingBackThatOthersHaveTakenAwaySince) {
  ASSERT_EQ(ExitCode::done, apply_spec(host, spec).code);
  doors.links->remove(virtual_ip);
  const Outcome back = rollback(doors, false, deaf());
  EXPECT_EQ(ExitCode::done, back.code) << back.message;
  EXPECT_FALSE(has_virtual_ip());
}

INSTANTIATE_TEST_SUITE_P(Backends, Renames, testing::ValuesIn(every_back_end()),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace rdmastate
