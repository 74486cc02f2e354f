// SPDX-License-Identifier: Apache-2.0
// The ledger: what was made and what was changed, whose it is, and what a damaged or cloned one means.
#include "base/error.hpp"
#include "plan/ledger.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

constexpr const char* path = "/etc/rdmastate/ledger.json";

Ledger ledger_of(RecordedHost& host, const std::string& machine_id = "5d0c1f7e2a634b7c9c61a2c8f0e4b7d3") {
  Host doors = host.host();
  const Snapshot snapshot(doors);
  return read_ledger(snapshot, machine_id);
}

std::string refusal_of(const std::string& text) {
  RecordedHost host(loaded_model());
  host.model().files[path] = {{FileType::regular, 0600, 0, 0}, text, {}};
  add_parents(host.model().files);
  try {
    ledger_of(host);
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

TEST(Ledger, KnowsMadeFromChanged) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const Ledger ledger = ledger_of(host);
  EXPECT_EQ(ledger.id, "host");
  EXPECT_EQ(ledger.machine_id, "5d0c1f7e2a634b7c9c61a2c8f0e4b7d3");
  ASSERT_NE(ledger.find("ipoib_link", port_key), nullptr);
  EXPECT_EQ(ledger.find("ipoib_link", port_key)->origin, Origin::changed);
  ASSERT_NE(ledger.find("ipoib_link", child_key), nullptr);
  EXPECT_EQ(ledger.find("ipoib_link", child_key)->origin, Origin::made);
  EXPECT_EQ(ledger.find("file", "/etc/rdmastate"), nullptr) << "its own home is not listed";
  EXPECT_EQ(ledger.find("file", path), nullptr);
}

TEST(Ledger, KeepsAnOriginThatItKnows) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const std::string more =
      spec_head + spec_port + "  - parent: mlx4_ib0\n    pkey: 0x8002\n    mode: connected\n    mtu: 65520\n";
  ASSERT_EQ(apply_spec(host, more).code, ExitCode::done);
  EXPECT_EQ(ledger_of(host).find("ipoib_link", child_key)->origin, Origin::made)
      << "made once, it stays ours when it is changed";
}

TEST(Ledger, LosesWhatIsRemovedOrReleased) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  EXPECT_TRUE(ledger_of(host).entries.empty());
  EXPECT_FALSE(host.model().files.contains(path)) << "an empty ledger is no file";
}

TEST(Ledger, OfAnotherMachineForgetsTheKernelAndKeepsFiles) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const Ledger clone = ledger_of(host, "00000000000000000000000000000000");
  EXPECT_EQ(clone.find("ipoib_link", child_key), nullptr);
  EXPECT_EQ(clone.find("module", "ib_umad"), nullptr);
  EXPECT_NE(clone.find("file", "/etc/rdmastate/boot.json"), nullptr);
}

TEST(Ledger, ThatIsDamagedIsNamedAndNotGuessed) {
  for (
      const char* text :
      {"{", "[]", "", "{\"format_version\": 2, \"id\": \"host\", \"machine_id\": \"\", \"entries\": []}",
       "{\"format_version\": 1, \"id\": \"host\", \"machine_id\": \"\", \"entries\": [{\"kind\": \"rocket\", \"key\": \"\", \"origin\": \"made\", \"digest\": \"\"}]}",
       "{\"format_version\": 1, \"id\": \"host\", \"machine_id\": \"\", \"entries\": [], \"more\": 1}"})
    EXPECT_NE(refusal_of(text).find(path), std::string::npos) << text << ": " << refusal_of(text);
  EXPECT_EQ(refusal_of("{\"format_version\": 1, \"id\": \"host\", \"machine_id\": \"\", \"entries\": []}"), "taken");
}

TEST(Ledger, ComesBackFromItsText) {
  Ledger ledger;
  ledger.id = "storage";
  ledger.machine_id = "5d0c1f7e2a634b7c9c61a2c8f0e4b7d3";
  ledger.entries = {{"file", "/etc/a", Origin::made, "00"}, {"ipoib_link", port_key, Origin::changed, "ff"}};
  RecordedHost host(loaded_model());
  host.model().files[path] = {{FileType::regular, 0600, 0, 0}, ledger_text(ledger), {}};
  add_parents(host.model().files);
  EXPECT_EQ(ledger_of(host), ledger);
  EXPECT_EQ(ledger_text({}), "");
}

}  // namespace
}  // namespace rdmastate
