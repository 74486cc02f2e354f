// SPDX-License-Identifier: Apache-2.0
// What the kernel forgets has a twin, and the twins bring it back.
#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/ledger.hpp"
#include "plan/print.hpp"
#include "property/rich.hpp"
#include "resources/registry.hpp"
#include "sections/boot_file.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "spec/load.hpp"

namespace rdmastate {
namespace {

const std::string every_field_port =
    "  - name: mlx4_ib0\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: connected\n    mtu: 65520\n"
    "    named_by: udev-rule\n    ipv4: {method: manual, addresses: [198.51.100.1/28], gateway: 198.51.100.14}\n"
    "    ipv6: {method: manual, addresses: [\"2001:db8::1/64\"], gateway: \"2001:db8::ff\"}\n";
const std::string every_field_child =
    "  - parent: mlx4_ib0\n    pkey: 0x8002\n    name: mlx4_ib0.8002\n    mode: datagram\n    mtu: 2044\n"
    "    ipv4: {method: manual, addresses: [198.51.100.33/28], routes: [{to: 203.0.113.0/28, via: 198.51.100.46, metric: 50}]}\n"
    "    ipv6: {method: manual, addresses: [\"2001:db8:1::1/64\"], routes: [{to: default, via: \"2001:db8:1::ff\"}]}\n";

std::string devices_with_vfs() {
  std::string text = rdma("store_a", "store_b", "rxe0");
  const std::string port = "1: {link_type: infiniband";
  return text.insert(text.find(port) + port.size(), ", sriov: {vfs: 1, guids: [{node: 0xf452140300000010}]}");
}

bool makes_bonds(std::string_view backend) {
  for (const BackendRow* row : all_backends())
    if (to_text(row->backend) == backend) return row->bond_by != nullptr;
  return false;
}

std::string every_field(const std::string& backend) {
  const std::string umcast = "    umcast: true\n";
  const std::string bond = "  - {parent: mlx4_ib0, pkey: 0x8003}\nbonds:\n  - {name: bond0, ports: [mlx4_ib0.8003]}\n";
  std::string port = every_field_port;
  // networkmanager refuses umcast, and the others what they write no profile for.
  port += backend == "networkmanager" ? "    profile: storage port\n    profile_settings: {connection.zone: trusted}\n"
                                      : umcast;
  return "version: 1\nnetwork: {backend: " + backend +
         "}\nmodules: {load: [ib_ipoib, ib_umad], block: [rds_rdma], options: {ib_ipoib: {recv_queue_size: 512}}}\n" +
         "permissions: {umad: {group: daemon}}\nnfs: {server: {run: true, firewall: {zone: internal}, threads: 16, exports: [{path: /nfs, clients: [{host: \"*\", options: [rw]}]}]}, client: {mounts: [{source: \"server.example.com:/nfs\", target: /mnt/nfs}]}}\n"
         "memlock: {soft: 64GiB, hard: unlimited, services: [slurmd.service]}\n"
         "subnet_manager: {run: true, instances: [{port_guid: \"f452:1403:007b:cba1\"}]}\n" +
         devices_with_vfs() + "ipoib:\n" + port + every_field_child + (backend == "networkmanager" ? "" : umcast) +
         (makes_bonds(backend) ? bond : "");
}

Desired desired_of(const std::string& spec, HostModel model) {
  FileContent interfaces;
  interfaces.meta.mode = 0644;
  interfaces.bytes = "source /etc/network/interfaces.d/*\n";
  model.files["/etc/network/interfaces"] = interfaces;
  add_parents(model.files);
  RecordedHost host(model);
  const Host doors = host.host();
  Host copy = doors;
  const Snapshot snapshot(copy);
  return desired_by(spec, read_facts(snapshot));
}

Desired desired_on(const std::string& backend, const HostModel& model) {
  return desired_of(every_field(backend), model);
}

// The fields that a state sets and none of its twins covers.
std::vector<std::string> uncovered(const Wanted& one, const std::set<std::string>& files) {
  std::set<std::string> named;
  bool rest = false;
  for (const auto& twin : one.twins) {
    if (!files.contains(twin.file.key)) return {"a twin in " + twin.file.key + ", which nobody writes"};
    rest = rest || twin.fields.empty();
    named.insert(twin.fields.begin(), twin.fields.end());
  }
  std::vector<std::string> missing;
  for (const auto& field : one.kind->record().fields)
    if (!field.rules.identity && field.look(one.state->raw()) != nullptr && !rest &&
        !named.contains(std::string(field.name)))
      missing.emplace_back(field.name);
  if (one.twins.empty()) missing.emplace_back("everything");
  return missing;
}

class Twins : public testing::TestWithParam<const char*> {};

TEST_P(Twins, EveryVolatileFieldHasOne) {
  for (const auto& model : {guide_model(), loaded_model()}) {
    const Desired desired = desired_on(GetParam(), model);
    std::set<std::string> files;
    std::set<std::string_view> kinds;
    for (const auto& one : desired.wanted)
      if (one.kind->durable && one.state) files.insert(one.key);
    for (const auto& one : desired.wanted) {
      if (one.kind->durable || !one.state) continue;
      kinds.insert(one.kind->name);
      EXPECT_EQ(fmt::format("{}", fmt::join(uncovered(one, files), ", ")), "") << one.kind->name << " " << one.key;
    }
    if (!makes_bonds(GetParam())) kinds.insert("bond");  // the others make none
    for (const Kind* kind : all_kinds())
      EXPECT_TRUE(kind->durable || kinds.contains(kind->name)) << kind->name << " is in no twin test";
  }
}

TEST_P(Twins, ANameHasOneInALinkFileToo) {
  std::string spec = every_field(GetParam());
  spec.replace(spec.find("udev-rule"), 9, "link-file");
  const Desired desired = desired_of(spec, loaded_model());
  std::set<std::string> files;
  for (const auto& one : desired.wanted)
    if (one.kind->durable && one.state) files.insert(one.key);
  EXPECT_TRUE(files.contains("/etc/systemd/network/60-rdmastate-mlx4_ib0.link"));
  for (const auto& one : desired.wanted) {
    if (one.kind->name != "ipoib_link" || !one.state) continue;
    EXPECT_EQ(fmt::format("{}", fmt::join(uncovered(one, files), ", ")), "") << one.key;
  }
}

TEST_P(Twins, TheSpecOfThisTestSetsEveryFieldOfAnInterface) {
  std::set<std::string_view> said;
  for (const char* backend : {"none", "networkmanager"}) {
    Report report;
    const auto loaded = load_spec("spec.yaml", every_field(backend), report);
    ASSERT_TRUE(loaded && !report.failed()) << render(report, false);
    for (const auto& field : record_of<IpoibRecord>().fields)
      for (const auto& record : loaded->spec.ipoib)
        if (field.look(&record) != nullptr) said.insert(field.name);
  }
  for (const auto& field : record_of<IpoibRecord>().fields) {
    const bool is_set = said.contains(field.name);
    EXPECT_TRUE(is_set || field.name == "absent") << field.name << " is new: set it in every_field()";
  }
  const Desired desired = desired_on(GetParam(), loaded_model());
  std::set<std::string_view> set;
  for (const auto& one : desired.wanted)
    for (const auto& field : one.kind->record().fields)
      if (one.kind->name == "ipoib_link" && one.state && field.look(one.state->raw()) != nullptr)
        set.insert(field.name);
  for (const char* name : {"id", "name", "mode", "mtu", "ipv6", "up"}) EXPECT_TRUE(set.contains(name)) << name;
}

INSTANTIATE_TEST_SUITE_P(Backends, Twins, testing::ValuesIn(every_back_end()),
                         [](const auto& one) { return std::string(one.param); });

// What every back end can say, with all metrics given: who owns the interface decides those that are not.
std::string same_everywhere(const std::string& backend) {
  return "version: 1\nnetwork: {backend: " + backend +
         "}\nipoib:\n"
         "  - name: mlx4_ib0\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: datagram\n    mtu: 2044\n"
         "    ipv4: {method: manual, addresses: [198.51.100.1/28, 198.51.100.17/28], routes: [{to: default, via: 198.51.100.14, metric: 9}]}\n"
         "    ipv6: {method: disabled}\n"
         "  - parent: mlx4_ib0\n    pkey: 0x8002\n    mode: connected\n    mtu: 65520\n"
         "    ipv4: {method: manual, addresses: [198.51.100.33/28], routes: [{to: 203.0.113.0/28, metric: 50}]}\n"
         "    ipv6: {method: manual, addresses: [\"2001:db8:1::1/64\"], routes: [{to: \"2001:db8:2::/48\", via: \"2001:db8:1::ff\", metric: 7}]}\n"
         "  - {parent: mlx4_ib0, pkey: 0x8003, ipv6: {method: link-local}}\n"
         "  - {parent: mlx4_ib0, pkey: 0x8004, absent: true}\n";
}

std::set<std::string> live_states(const std::string& backend) {
  std::set<std::string> states;
  for (const auto& one : desired_of(same_everywhere(backend), loaded_model()).wanted)
    if (!one.kind->durable)
      states.insert(fmt::format("{} {} {}", one.kind->name, one.key,
                                one.state ? one.kind->to_json(*one.state).dump() : "absent"));
  return states;
}

TEST_P(Twins, TheSameSpecMeansTheSameInterfaces) {
  const auto states = live_states("none");
  EXPECT_EQ(states.size(), 11U);
  EXPECT_EQ(live_states(GetParam()), states);
}

TEST(BootFile, MeansThePlanThatItWasWrittenFrom) {
  const Desired desired = desired_on("none", loaded_model());
  const std::string text = boot_file_text(desired);
  const Desired back = desired_from_boot_file(text);
  std::size_t volatiles = 0;
  for (const auto& one : desired.wanted) {
    const bool at_boot = std::any_of(one.twins.begin(), one.twins.end(),
                                     [](const Twin& twin) { return twin.form == TwinForm::boot_entry; });
    if (!at_boot) continue;
    ++volatiles;
    const auto found = std::find_if(back.wanted.begin(), back.wanted.end(), [&](const Wanted& other) {
      return other.kind == one.kind && other.key == one.key;
    });
    ASSERT_NE(found, back.wanted.end()) << one.key;
    EXPECT_TRUE(one.kind->equal(*one.state, *found->state)) << one.key;
  }
  EXPECT_EQ(back.wanted.size(), volatiles);
}

void boots_to_the_same(const std::string& spec, const HostModel& start) {
  RecordedHost host(start);
  apply_spec(host, spec);
  RecordedHost up(rebooted(host.model(), start));
  Host doors = up.host();
  const Outcome outcome = apply_boot(doors, deaf());
  if (outcome.code != ExitCode::done) throw Error("apply --boot: " + outcome.message);
  const Plan plan = plan_spec(up, spec);
  if (!plan.is_empty() || plan.has_more_rounds()) throw Error(plan_text(plan, Paint(false)));
  const std::size_t moves = up.moves();
  if (apply_boot(doors, deaf()).code != ExitCode::done || up.moves() != moves)
    throw Error("a second apply --boot moves something");
}

TEST(Boot, MakesTheSpecTrueAgain) {
  for (const auto& one : rich_cases()) {
    if (one.host.up || !one.manager.empty() || one.spec.find("backend: none") == std::string::npos)
      continue;  // others' interface, which our reboot does not make again
    EXPECT_NO_THROW(boots_to_the_same(one.spec, one.host.model())) << one.name;
  }
  for_all("apply, reboot, apply --boot: the plan is empty", [](Case& drawn) {
    auto spec = any_spec(drawn);
    spec.with_ipoib = true;
    const HostPart host{drawn.flip(), false, false, false};
    try {
      boots_to_the_same(spec.text(), host.model());
    } catch (const Error& error) {
      falsify(error.what());
    }
  });
}

}  // namespace
}  // namespace rdmastate
