// SPDX-License-Identifier: Apache-2.0
// Whose is it: what stands at a path of ours and is not in the ledger is somebody else's, whichever section, back end
// and distribution writes that path; what is in the ledger is ours, whatever the spec says now.
#include <fmt/format.h>

#include "host/mark.hpp"
#include "plan/ledger.hpp"
#include "plan/print.hpp"
#include "property/rich.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

// On the port's present name, so that no udev is needed.
std::string interfaces(const std::string& backend, const std::string& address = "198.51.100.1/28") {
  return "version: 1\nnetwork: {backend: " + backend +
         "}\nipoib:\n"
         "  - name: ib2\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: datagram\n"
         "    ipv4: {method: manual, addresses: [" +
         address +
         "]}\n"
         "  - {name: ib0, match: {port_guid: \"0002:c903:0031:78f1\"}, mode: datagram}\n"
         "  - {parent: ib2, pkey: 0x8002, ipv4: {method: manual, addresses: [198.51.100.33/28]}}\n";
}

// Every section that writes a file.
std::string all_sections(const std::string& backend) {
  std::string ports = interfaces(backend);
  ports.insert(ports.find("mode: datagram"), "named_by: link-file\n    ");
  return ports +
         "modules: {load: [ib_ipoib, ib_umad], block: [rds_rdma], options: {ib_ipoib: {recv_queue_size: 512}}}\n"
         "permissions: {umad: {group: daemon}}\n"
         "memlock: {group: rdma, soft: 64GiB, hard: unlimited, services: [slurmd.service]}\n"
         "nfs:\n  server: {}\n  client:\n    mounts:\n"
         "      - {source: \"server.example.com:/nfs/a\", target: /mnt/a}\n"
         "      - {source: \"server.example.com:/nfs/b\", target: /mnt/b, automount: true}\n"
         "subnet_manager:\n  run: true\n  instances: [{port_guid: \"f452:1403:007b:cba1\", priority: 14}, "
         "{port_guid: \"0002:c903:0031:78f1\", priority: 13}]\n"
         "  partitions: [{name: storage, pkey: 0x8002, members: {ALL: full}}]\n" +
         rdma("store_a", "store_b", "rxe0");
}

struct Release {
  const char* name;
  const char* os;
  bool networkd_has_ipoib;  ///< since systemd 250
};
const Release releases[] = {{"debian 12", "ID=debian\nVERSION_ID=12\n", true},
                            {"debian 11", "ID=debian\nVERSION_ID=11\n", false},
                            {"rhel 9", "ID=rhel\nVERSION_ID=9.4\n", true},
                            {"sles 15", "ID=sles\nID_LIKE=suse\nVERSION_ID=15.5\n", false}};

// all_sections(), without the child that the back end cannot make on that release.
std::string sections_for(const Release& release, const std::string& backend) {
  std::string spec = all_sections(backend);
  if (release.networkd_has_ipoib || (backend != "networkd" && backend != "netplan")) return spec;
  const auto child = spec.find("  - {parent: ib2");
  return spec.erase(child, spec.find('\n', child) - child + 1);
}

HostModel model_of(const Release& release) {
  HostModel model = loaded_model();
  put(model, "/etc/os-release", release.os);
  put(model, "/etc/network/interfaces", "source /etc/network/interfaces.d/*\n");
  return model;
}

std::vector<Wanted> own_files(const HostModel& model, const std::string& spec) {
  RecordedHost host(model);
  Host doors = host.host();
  const Snapshot snapshot(doors);
  std::vector<Wanted> files;
  for (auto& one : desired_by(spec, read_facts(snapshot)).wanted)
    if (one.kind->durable && one.kind->lives_in == nullptr && !one.kind->copies_others && one.state &&
        file_of(*one.state).type != FileType::directory)
      files.push_back(std::move(one));
  return files;
}

FileContent strangers() { return {{FileType::regular, 0640, 12, 34}, "# by hand\n", {{"user.note", "keep"}}}; }

PlanOptions freely(bool adopt) {
  PlanOptions options;
  options.adopt = adopt;
  options.allow_fabric = true;
  return options;
}

class Files : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ownership, Files, testing::ValuesIn(every_back_end()),
                         [](const auto& one) { return one.param; });

TEST_P(Files, AStrangersAtAPathOfOursIsNamedAndNotTouched) {
  std::size_t tried = 0;
  for (const auto& release : releases) {
    const std::string spec = sections_for(release, GetParam());
    for (const auto& one : own_files(model_of(release), spec)) {
      HostModel model = model_of(release);
      model.files[one.key] = strangers();
      add_parents(model.files);
      RecordedHost host(model);
      const std::string before = host.to_json();
      const Outcome outcome = apply_spec(host, spec, freely(false));
      EXPECT_EQ(outcome.code, ExitCode::refused) << release.name << " " << one.key;
      EXPECT_NE(outcome.message.find(one.key + " is there already and not rdmastate's"), std::string::npos)
          << release.name << " " << one.key << ": " << outcome.message;
      EXPECT_EQ(host.to_json(), before) << release.name << " " << one.key;
      ++tried;
    }
  }
  EXPECT_GT(tried, 60U);
}

// Such a file counts on every back end as one does that says the name, whether its program runs or not.
TEST_P(Files, OneThatGoesByAddressOrPathIsRefusedByName) {
  const std::string address = "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1";
  const HostModel plain = model_of(releases[0]);
  std::string pci;
  for (const auto& device : plain.devices)
    for (const auto& port : device.ports)
      if (to_text(port.guid) == "f452:1403:007b:cba1") pci = device.pci;
  ASSERT_FALSE(pci.empty());
  const std::pair<std::string, std::string> theirs[] = {
      {"/etc/NetworkManager/system-connections/storage.nmconnection",
       "[connection]\nid=storage\ntype=infiniband\n[infiniband]\nmac-address=" + address + "\n"},
      {"/etc/systemd/network/90-storage.network", "[Match]\nMACAddress=" + address + "\n"},
      {"/etc/systemd/network/90-path.network", "[Match]\nPath=pci-" + pci + "\n"},
      {"/etc/netplan/99-site.yaml",
       "network: {version: 2, ethernets: {a: {match: {macaddress: \"" + address + "\"}}}}\n"},
      {"/etc/sysconfig/network-scripts/ifcfg-storage", "TYPE=InfiniBand\nHWADDR=" + address + "\n"}};
  for (const auto& [path, text] : theirs) {
    HostModel model = plain;
    put(model, path, text);
    RecordedHost host(model);
    const Outcome outcome = apply_spec(host, interfaces(GetParam()));
    EXPECT_EQ(outcome.code, ExitCode::refused) << path;
    EXPECT_NE(outcome.message.find(path), std::string::npos) << path << ": " << outcome.message;
  }
}

std::map<std::string, std::string> files_of(const HostModel& model) {
  std::map<std::string, std::string> files;
  for (const auto& [path, file] : model.files)
    if (!path.starts_with("/var/lib/rdmastate") && !path.starts_with("/run") && path != "/etc/rdmastate/ledger.json")
      files.emplace(path, file.bytes);
  return files;
}

// Profiles of others have to be profiles: test_take_over.cpp.
TEST_P(Files, AStrangersIsTakenOverWhenAskedAndComesBack) {
  for (const auto& release : releases) {
    const std::string spec = sections_for(release, GetParam());
    HostModel model = model_of(release);
    for (const auto& one : own_files(model, spec))
      if (one.kind->name != "nm_profile") model.files[one.key] = strangers();
    add_parents(model.files);
    RecordedHost host(model);
    const auto before = files_of(host.model());
    const Outcome outcome = apply_spec(host, spec, freely(true));
    ASSERT_TRUE(outcome.code == ExitCode::done || outcome.code == ExitCode::could_not)
        << release.name << ": " << outcome.message;
    EXPECT_EQ(plan_text(plan_spec(host, spec), Paint(false)).find("by hand"), std::string::npos);
    Host doors = host.host();
    EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done) << release.name;
    EXPECT_EQ(files_of(host.model()), before) << release.name;
  }
}

TEST_P(Files, WhatARunWroteCarriesTheMark) {
  for (const auto& release : releases)
    for (const auto& one : own_files(model_of(release), sections_for(release, GetParam()))) {
      const FileState& file = file_of(*one.state);
      EXPECT_TRUE(file.type == FileType::symlink || carries_mark(file.content->value)) << one.key;
    }
}

TEST_P(Files, AreTakenUpAgainWhereTheLedgerIsLost) {
  RecordedHost host(model_of(releases[0]));
  const Outcome first = apply_spec(host, all_sections(GetParam()), freely(false));
  ASSERT_TRUE(first.code == ExitCode::done || first.code == ExitCode::could_not) << first.message;
  HostModel lost = host.model();
  const std::string ledger = lost.files.at("/etc/rdmastate/ledger.json").bytes;
  lost.files.erase("/etc/rdmastate/ledger.json");
  std::string spec = all_sections(GetParam());
  spec.replace(spec.find("198.51.100.1/28"), 15, "198.51.100.2/28");
  RecordedHost again(lost);
  const Plan plan = plan_spec(again, spec, freely(false));
  EXPECT_EQ(fmt::format("{}", fmt::join(plan.refused(), "\n")), "");
  EXPECT_NE(plan_text(plan, Paint(false)).find("no ledger is there to have it: taken up again"), std::string::npos);
  const Outcome second = apply_spec(again, spec, freely(false));
  ASSERT_TRUE(second.code == ExitCode::done || second.code == ExitCode::could_not) << second.message;
  Host doors = again.host();
  const Snapshot snapshot(doors);
  const Ledger now = read_ledger(snapshot, read_facts(snapshot).machine_id);
  for (const auto& one : own_files(lost, spec))
    if (file_of(*one.state).type == FileType::regular) {
      EXPECT_NE(now.find(one.kind->name, one.key), nullptr) << one.key;
    }
}

TEST_P(Files, AMarkIsNothingWhereALedgerIsThere) {
  RecordedHost host(model_of(releases[0]));
  ASSERT_EQ(apply_spec(host, "version: 1\nmodules: {load: [ib_umad]}\n").code, ExitCode::done);
  const std::string spec = interfaces(GetParam());
  for (const auto& one : own_files(host.model(), spec)) {
    HostModel model = host.model();
    model.files[one.key] = {{FileType::regular, 0644, 0, 0}, std::string(managed_line) + ": of another host\n", {}};
    if (model.files[one.key].bytes == host.model().files[one.key].bytes) continue;
    add_parents(model.files);
    RecordedHost copied(model);
    const Outcome outcome = apply_spec(copied, spec, freely(false));
    EXPECT_EQ(outcome.code, ExitCode::refused) << one.key;
  }
}

TEST_P(Files, AnAbsentChildsAreRemovedWhereTheyAreOurs) {
  RecordedHost host(model_of(releases[0]));
  const std::string spec = interfaces(GetParam());
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  std::string without = spec;
  without.replace(without.find("  - {parent"), std::string::npos, "  - {parent: ib2, pkey: 0x8002, absent: true}\n");
  for (const bool adopt : {false, true}) {
    RecordedHost one(host.model());
    const Outcome outcome = apply_spec(one, without, freely(adopt));
    EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
    for (const auto& [path, file] : one.model().files)
      EXPECT_TRUE(path.find("ib2.8002") == std::string::npos || path.starts_with("/run/")) << path;
  }
}

// An owner removes at most what it made itself. One that configures at the next boot alone removes then too.
TEST_P(Files, AnAbsentChildGoesWhoeverMadeIt) {
  const std::string backend = GetParam();
  RecordedHost host(model_run_by(backend));
  Host doors = host.host();
  doors.links->create({{}, doors.links->find("ib2")->index, "ib2.8002", {0x8002}});
  const std::string spec =
      "version: 1\nnetwork: {backend: " + backend +
      "}\nipoib:\n  - {name: ib2, mode: datagram}\n  - {parent: ib2, pkey: 0x8002, absent: true}\n";
  const auto wanted = desired_by(spec, read_facts(Snapshot(doors))).wanted;
  const bool waits = std::any_of(wanted.begin(), wanted.end(), [](const Wanted& one) { return !one.waits.empty(); });
  const Outcome outcome = apply_spec(host, spec);
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_EQ(doors.links->find("ib2.8002").has_value(), waits);
  EXPECT_EQ(
      plan_text(plan_spec(host, spec), Paint(false)).find("leaves it alone until the next boot") != std::string::npos,
      waits);
}

// The files of an apply of that spec alone.
class Moves : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Ownership, Moves,
                         testing::Combine(testing::ValuesIn(every_back_end()), testing::ValuesIn(every_back_end()),
                                          testing::Values("nobody", "networkmanager", "networkd", "netplan")),
                         [](const auto& one) {
                           return fmt::format("{}_to_{}_where_{}_runs", std::get<0>(one.param), std::get<1>(one.param),
                                              std::get<2>(one.param));
                         });

// Any back end may be the one to move to.
HostModel managed_by(const std::string& manager) {
  HostModel model = model_run_by(manager);
  put(model, "/etc/network/interfaces", "source /etc/network/interfaces.d/*\n");
  return model;
}

TEST_P(Moves, LeaveNoFileBehindAndTakeNoneForForeign) {
  const auto& [from, to, manager] = GetParam();
  for (const bool adopt : {false, true}) {
    RecordedHost host(managed_by(manager));
    const Outcome first = apply_spec(host, interfaces(from));
    ASSERT_EQ(first.code, ExitCode::done) << first.message;
    const std::string there = host.to_json();
    const Plan plan = plan_spec(host, interfaces(to), freely(adopt));
    EXPECT_EQ(fmt::format("{}", fmt::join(plan.refused(), "\n")), "");
    std::set<std::string> keys;
    for (const std::size_t step : plan.steps) {
      EXPECT_TRUE(keys.insert(plan.items[step].key).second || !plan.items[step].kind->durable)
          << plan.items[step].key << " twice";
      EXPECT_NE(plan.items[step].cause, Cause::adopted) << plan.items[step].key;
    }
    const Outcome second = apply_spec(host, interfaces(to), freely(adopt));
    ASSERT_EQ(second.code, ExitCode::done) << second.message;
    EXPECT_TRUE(plan_spec(host, interfaces(to)).is_empty());
    RecordedHost fresh(managed_by(manager));
    ASSERT_EQ(apply_spec(fresh, interfaces(to)).code, ExitCode::done);
    EXPECT_EQ(files_of(host.model()), files_of(fresh.model()));
  }
}

TEST(Moved, AChildThatNetworkdMadeGoesWithItsFileAndComesBack) {
  RecordedHost host(model_run_by("networkd"));
  ASSERT_EQ(apply_spec(host, interfaces("networkd")).code, ExitCode::done);
  Host doors = host.host();
  ASSERT_TRUE(doors.links->find("ib2.8002"));
  std::string without = interfaces("networkd");
  without.erase(without.find("  - {parent"));
  const Outcome outcome = apply_spec(host, without);
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_FALSE(doors.links->find("ib2.8002"));
  EXPECT_TRUE(plan_spec(host, without).is_empty());
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_TRUE(doors.links->find("ib2.8002"));
}

// networkd takes the first file by name that fits: a child's of back end netplan comes later than its port's.
TEST(Ownership, APatternCountsWhereNetworkdReadsItBeforeOurs) {
  for (const char* backend : {"networkd", "netplan"})
    for (const auto& [file, is_first] : {std::pair("20-all.network", true), std::pair("70-all.network", false)}) {
      HostModel model = managed_by("networkd");
      put(model, fmt::format("/etc/systemd/network/{}", file), "[Match]\nName=ib2.*\n[Network]\nDHCP=yes\n");
      RecordedHost host(model);
      const std::string refused = fmt::format("{}", fmt::join(plan_spec(host, interfaces(backend)).refused(), "\n"));
      EXPECT_EQ(refused.find(file) != std::string::npos, is_first) << backend << ": " << refused;
    }
}

TEST(Moved, WhatNetplanMadeOfOursGoesWithIt) {
  HostModel model = managed_by("networkd");
  RecordedHost before(model);
  ASSERT_EQ(apply_spec(before, interfaces("netplan")).code, ExitCode::done);
  model = before.model();
  const std::string made = "/run/systemd/network/10-netplan-ib2.network";
  put(model, made, "[Match]\nName=ib2\n[Network]\nAddress=198.51.100.1/28\n");
  for (const char* to : {"networkd", "none", "networkmanager", "ifupdown"}) {
    RecordedHost host(model);
    const Plan plan = plan_spec(host, interfaces(to));
    EXPECT_EQ(fmt::format("{}", fmt::join(plan.refused(), "\n")), "") << to;
    const bool goes = std::any_of(plan.steps.begin(), plan.steps.end(), [&](std::size_t step) {
      return plan.items[step].key == made && plan.items[step].cause == Cause::goes_with;
    });
    EXPECT_TRUE(goes) << to;
  }
}

}  // namespace
}  // namespace rdmastate
