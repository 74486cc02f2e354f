// SPDX-License-Identifier: Apache-2.0
// Kind entry over a whole host: what is a step, what is refused, and that undo puts every byte back.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "resources/entry/entry.hpp"
#include "resources/link_table.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string path = "/etc/default/opensm";
const std::string key = entry_key(path, "PORTS");

HostModel with_file(const FileContent& file) {
  HostModel model = guide_model();
  model.files[path] = file;
  add_parents(model.files);
  return model;
}

FileContent regular(const std::string& bytes) { return {{FileType::regular, 0640, 0, 7}, bytes, {{"user.a", "b"}}}; }

Gap gap_of(RecordedHost& host, const State* wanted) {
  Host doors = host.host();
  Snapshot snapshot(doors);
  const Facts facts = read_facts(snapshot);
  const Scene scene{facts, snapshot};
  return entry_kind.gap(scene, key, wanted, entry_kind.observe(snapshot, key));
}

void move(RecordedHost& host, const std::optional<State>& from, const std::optional<State>& to) {
  Host doors = host.host();
  LinkTable links(doors);
  Tools tools{doors, links};
  entry_kind.move(tools, key, from ? &*from : nullptr, to ? &*to : nullptr);
}

TEST(Entry, OnlyItsLineMovesAndComesBack) {
  const FileContent before = regular("# PORTS=NONE\nPORTS=ALL  # all of them\nA=1");
  RecordedHost host(with_file(before));
  const State wanted = entry_of(path, "PORTS", "0x0002c90300317851");
  const Gap gap = gap_of(host, &wanted);
  ASSERT_TRUE(gap.move && gap.move->from && gap.move->to);
  EXPECT_EQ(gap.move->from->as<EntryState>().value, "ALL");
  move(host, gap.move->from, gap.move->to);
  FileContent after = before;
  after.bytes = "# PORTS=NONE\nPORTS=\"0x0002c90300317851\"\nA=1";
  EXPECT_EQ(host.model().files.at(path), after);
  EXPECT_TRUE(gap_of(host, &wanted).in_sync());
  move(host, gap.move->to, gap.move->from);
  EXPECT_EQ(host.model().files.at(path), before);
}

TEST(Entry, AFileOfItAloneComesAndGoes) {
  HostModel model = guide_model();
  model.files["/etc/default"] = {{FileType::directory, 0755, 0, 0}, "", {}};
  add_parents(model.files);
  RecordedHost host(model);
  const State wanted = entry_of(path, "PORTS", "NONE");
  const Gap gap = gap_of(host, &wanted);
  ASSERT_TRUE(gap.move && !gap.move->from);
  move(host, gap.move->from, gap.move->to);
  EXPECT_EQ(host.model().files.at(path).bytes, "# This file was made by rdmastate.\nPORTS=\"NONE\"\n");
  EXPECT_EQ(host.model().files.at(path).meta.mode, 0644U);
  move(host, gap.move->to, gap.move->from);
  EXPECT_FALSE(host.model().files.contains(path));
}

// Nobody's bytes are in it, and it is somebody's all the same: its owner, mode and attributes say whose.
TEST(Entry, AnEmptyFileOfOthersStays) {
  RecordedHost host(with_file(regular("")));
  const State wanted = entry_of(path, "PORTS", "NONE");
  const Gap gap = gap_of(host, &wanted);
  move(host, gap.move->from, gap.move->to);
  EXPECT_EQ(host.model().files.at(path), regular("PORTS=\"NONE\"\n"));
  move(host, gap.move->to, gap.move->from);
  EXPECT_EQ(host.model().files.at(path), regular(""));
}

// The last removed is the first to come back, and somebody has written behind them meanwhile.
TEST(Entry, SeveralComeBackInTheirPlaces) {
  const std::string lines = "# begin\nPORTS=ALL\nGUIDS='0x1'\nPRIORITY=2\n\nOPTIONS=x\n";
  RecordedHost host(with_file(regular(lines)));
  std::vector<std::pair<std::string, State>> gone;
  Host doors = host.host();
  LinkTable links(doors);
  Tools tools{doors, links};
  const Snapshot before(doors);
  for (const char* name : {"PORTS", "GUIDS", "PRIORITY"}) {
    const std::string one = entry_key(path, name);
    const Observation seen = entry_kind.observe(before, one);
    gone.emplace_back(one, *state_of(seen));
    entry_kind.move(tools, one, state_of(seen), nullptr);
  }
  EXPECT_EQ(host.model().files.at(path).bytes, "# begin\n\nOPTIONS=x\n");
  host.model().files.at(path).bytes += "LATER=1\n";
  for (auto one = gone.rbegin(); one != gone.rend(); ++one) entry_kind.move(tools, one->first, nullptr, &one->second);
  EXPECT_EQ(host.model().files.at(path).bytes, lines + "LATER=1\n");
}

TEST(Entry, TheSameValueIsNoStepHoweverItIsWritten) {
  const State wanted = entry_of(path, "PORTS", "ALL");
  for (const char* line : {"PORTS=ALL\n", "PORTS='ALL'\n", "PORTS=\"ALL\" # all\n", "PORTS=x\nPORTS=ALL"}) {
    RecordedHost host(with_file(regular(line)));
    EXPECT_TRUE(gap_of(host, &wanted).in_sync()) << line;
  }
}

TEST(Entry, IsNotWrittenThroughALink) {
  RecordedHost host(with_file({{FileType::symlink, 0777, 0, 0}, "/etc/elsewhere", {}}));
  const State wanted = entry_of(path, "PORTS", "ALL");
  EXPECT_NE(gap_of(host, &wanted).blocked.find("is a symlink"), std::string::npos);
  EXPECT_FALSE(gap_of(host, &wanted).move);
  EXPECT_TRUE(gap_of(host, nullptr).in_sync());
}

TEST(Entry, IsOfKnownFilesAndValuesOnly) {
  EXPECT_THROW(entry_of("/etc/passwd", "root", "x"), Error);
  EXPECT_THROW(entry_of(path, "PORTS", "$(reboot)"), Error);
  EXPECT_THROW(entry_of(path, "PORTS", "a\nb"), Error);
}

}  // namespace
}  // namespace rdmastate
