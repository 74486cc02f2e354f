// SPDX-License-Identifier: Apache-2.0
// The spec that was applied is kept beside the ledger, and is what a host is told by where it still holds.
#include "apply/apply.hpp"
#include "plan/applied.hpp"
#include "plan/record.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

const std::string kept = "/etc/rdmastate/applied.yaml";
const std::string ledger = "/etc/rdmastate/ledger.json";

// What no file of a host says: an id, what is expected, whose image it is, what may be missing.
const std::string spec =
    "version: 1\nid: storage\ninitrd: leave\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib]}\n"
    "devices:\n  - {match: {node_guid: \"f452:1403:007b:cba0\"}, optional: true, expect: {firmware: \">=2\"}}\n"
    "ipoib:\n" +
    spec_port + spec_child + "memlock: {group: rdma, soft: 64GiB, hard: unlimited}\n";

Adopted told(RecordedHost& host) {
  Host doors = host.host();
  Snapshot snapshot(doors);
  return spec_of_host(snapshot, read_facts(snapshot));
}

std::string text_of(const Adopted& adopted) { return adopted_text(adopted, Comments::sources); }

RecordedHost applied_host() {
  RecordedHost host(loaded_model());
  EXPECT_EQ(apply_spec(host, spec).code, ExitCode::done);
  return host;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Applied, IsKeptByTheStepBeforeTheLedgersForItsOwnerAlone) {
  RecordedHost host = applied_host();
  const FileContent& file = host.model().files.at(kept);
  EXPECT_EQ(file.meta.mode, 0600U);
  EXPECT_EQ(file.meta.uid, 0U);
  Report report;
  const auto loaded = load_spec("kept", file.bytes, report);
  ASSERT_TRUE(loaded && !report.failed());
  EXPECT_EQ(applied_text(loaded->spec), file.bytes) << "its form is fixed";
}

TEST(Applied, IsNotWrittenBySilentRuns) {
  RecordedHost host = applied_host();
  const HostModel before = host.model();
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(host.model().files, before.files);
  host.model().files.erase(kept);  // as an older version leaves it
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(kept));
}

// Nothing could make a device again, and no file is written over a directory: said before anything moves.
TEST(Applied, IsNotKeptWhereSomethingElseThanAFileStands) {
  for (const FileType type : {FileType::other, FileType::directory}) {
    RecordedHost host(loaded_model());
    host.model().files["/etc/rdmastate"].meta = {FileType::directory, 0755, 0, 0};
    host.model().files[kept].meta = {type, 0644, 0, 0};
    const HostModel before = host.model();
    const Outcome outcome = apply_spec(host, spec);
    EXPECT_EQ(outcome.code, ExitCode::refused);
    EXPECT_TRUE(has(outcome.message, kept)) << outcome.message;
    EXPECT_TRUE(host.model().files == before.files);
  }
}

TEST(Applied, IsMadePrivateAgain) {
  RecordedHost host = applied_host();
  host.model().files.at(kept).meta.mode = 0644;
  host.model().files.erase("/etc/modules-load.d/rdmastate.conf");
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(host.model().files.at(kept).meta.mode, 0600U);
}

TEST(Applied, GoesWithTheLedgerAndComesBackWithARollback) {
  RecordedHost host = applied_host();
  const FileContent before = host.model().files.at(kept);
  ASSERT_EQ(apply_spec(host, "version: 1\nid: storage\n").code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(ledger));
  EXPECT_FALSE(host.model().files.contains(kept));
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(host.model().files.at(kept), before);
}

TEST(Applied, LosesASectionThatIsReleased) {
  RecordedHost host = applied_host();
  Host doors = host.host();
  ASSERT_EQ(apply(doors, release_wish(doors, "memlock"), deaf()).code, ExitCode::done);
  const std::string text = host.model().files.at(kept).bytes;
  EXPECT_FALSE(has(text, "memlock")) << text;
  EXPECT_TRUE(has(text, "mlx4_ib0")) << text;
  ASSERT_EQ(apply(doors, release_wish(doors, ""), deaf()).code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(kept));
}

TEST(Applied, IsInNoRecord) {
  RecordedHost host = applied_host();
  Host doors = host.host();
  const Snapshot snapshot(doors);
  const HostModel record = record_host(snapshot, read_facts(snapshot));
  EXPECT_TRUE(record.files.contains(ledger));
  EXPECT_FALSE(record.files.contains(kept));
  RecordedHost copy(record);
  EXPECT_TRUE(told(copy).left_out.empty()) << text_of(told(copy));
}

TEST(Applied, IsNotKeptByARehearsal) {
  RecordedHost host(loaded_model());
  Host doors = host.host();
  doors.is_rehearsal = true;
  ASSERT_EQ(apply(doors, wish_for(spec), deaf()).code, ExitCode::done);
  EXPECT_TRUE(host.model().files.contains(ledger));
  EXPECT_FALSE(host.model().files.contains(kept));
}

TEST(Applied, IsWhatTheHostIsToldByWhereItHolds) {
  RecordedHost host = applied_host();
  const Adopted adopted = told(host);
  const std::string text = text_of(adopted);
  for (const char* part : {"id: storage", "initrd: leave", "optional: true", "firmware: \">=2\"", "# ipoib: "})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_EQ(adopted.spec.devices.size(), 2U) << "the other one is there, and nobody's\n" << text;
  EXPECT_EQ(adopted.spec.ipoib.size(), 2U) << text;
  EXPECT_TRUE(plan_spec(host, text).is_empty()) << text;
}

TEST(Applied, GivesWayToTheHostInASectionThatWasChanged) {
  RecordedHost host = applied_host();
  for (auto& [index, one] : host.model().links)
    if (one.link.name == "mlx4_ib0") one.link.mtu = 4092;
  const std::string text = text_of(told(host));
  EXPECT_TRUE(has(text, "mtu: 4092")) << text;
  EXPECT_FALSE(has(text, "# ipoib: " + kept)) << text;
  for (const char* part : {"id: storage", "optional: true", "# memlock: "})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST(Applied, GivesWayToAFileThatWasChanged) {
  RecordedHost host = applied_host();
  auto& limits = host.model().files.at("/etc/security/limits.d/95-rdmastate.conf").bytes;
  const std::string was = "67108864";
  limits.replace(limits.find(was), was.size(), "33554432");
  const std::string text = text_of(told(host));
  EXPECT_TRUE(has(text, "soft: 32GiB")) << text;
  EXPECT_TRUE(has(text, "# ipoib: " + kept)) << text;
}

TEST(Applied, GivesWayWhereTheNextBootIsAnother) {
  RecordedHost host = applied_host();
  auto& boot = host.model().files.at("/etc/rdmastate/boot.json").bytes;
  boot.replace(boot.find("65520"), 5, "4092");
  EXPECT_FALSE(has(text_of(told(host)), "# ipoib: " + kept)) << text_of(told(host));
}

TEST(Applied, GivesWayToALedgerThatHasMore) {
  RecordedHost host = applied_host();
  auto& text = host.model().files.at(kept).bytes;
  text = text.substr(0, text.find("memlock:"));  // as if an older version had been at work since
  const Adopted adopted = told(host);
  ASSERT_TRUE(adopted.spec.memlock) << text_of(adopted);
  EXPECT_TRUE(plan_spec(host, text_of(adopted)).is_empty());
}

TEST(Applied, ThatCannotBeUsedIsSaidAndTheHostToldFromItsFiles) {
  for (const char* damage :
       {"version: 2\n", "{", "\xff", "version: 1\nid: another\n",
        "version: 1\nid: storage\nipoib: [{name: ib9, match: {port_guid: \"1:2:3:4\"}}]\nrocket: 1\n"}) {
    RecordedHost host = applied_host();
    host.model().files.at(kept).bytes = damage;
    const Adopted adopted = told(host);
    ASSERT_EQ(adopted.left_out.size(), 1U) << damage << text_of(adopted);
    EXPECT_TRUE(has(adopted.left_out.front(), kept + ": ")) << adopted.left_out.front();
    EXPECT_EQ(adopted.spec.ipoib.size(), 2U);
    EXPECT_TRUE(adopted.spec.memlock.has_value());
  }
}

TEST(Applied, IsNotReadWithoutALedger) {
  RecordedHost host = applied_host();
  host.model().files.erase(ledger);
  const std::string text = text_of(told(host));
  EXPECT_FALSE(has(text, kept)) << text;
  EXPECT_TRUE(has(text, "mlx4_ib0")) << text;
}

TEST(Applied, AddsWhatOthersMadeSince) {
  RecordedHost host = applied_host();
  for (auto& [index, one] : host.model().links)
    if (one.link.name == "ib0") one.link.up = true;
  const Adopted adopted = told(host);
  ASSERT_EQ(adopted.spec.ipoib.size(), 3U) << text_of(adopted);
  EXPECT_EQ(adopted.spec.ipoib.back().interface_name(), "ib0");
  EXPECT_TRUE(has(text_of(adopted), "# ipoib: " + kept)) << text_of(adopted);
}

TEST(Applied, PurgesNothingThatCameSince) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, "purge: [soft_devices]\n" + spec).code, ExitCode::done);
  EXPECT_EQ(told(host).spec.purge.size(), 1U);
  Host doors = host.host();
  doors.modules->load({"rdma_rxe"});
  doors.rdma->add({SoftType::rxe, "enp1s0", "rxe9"});
  const Adopted adopted = told(host);
  EXPECT_TRUE(adopted.spec.purge.empty()) << text_of(adopted);
  EXPECT_EQ(adopted.spec.soft_devices.size(), 1U) << text_of(adopted);
}

}  // namespace
}  // namespace rdmastate
