// SPDX-License-Identifier: Apache-2.0
// Runs on disk: numbers, what is kept, how an end is read, damage.
#include <fmt/format.h>
#include "apply/run.hpp"
#include "base/error.hpp"

#include "resources/file/file.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string runs = "/var/lib/rdmastate/runs";

RunStep some_step() { return {&file_kind, "/etc/a", std::nullopt, State(file_kind, regular_file("text\n"))}; }

std::string write_run(Host& doors, RunEnd how = RunEnd::finished) {
  RunWriter writer(doors, {"boot", "host", std::nullopt});
  writer.record_round({some_step()});
  if (how != RunEnd::unfinished) writer.end(how);
  return writer.id();
}

// What is said of the newest run instead of taking it.
std::string complaint_of(Host& doors) {
  try {
    newest_run(doors);
    return "it was taken";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Runs, AreNumberedAndTheNewestTwentyKept) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  for (int n = 1; n <= 23; ++n) EXPECT_EQ(write_run(doors), fmt::format("{:06}", n));
  const auto kept = doors.files.list(runs);
  ASSERT_EQ(kept.size(), 20U);
  EXPECT_EQ(kept.front(), "000004");
  EXPECT_EQ(kept.back(), "000023");
}

TEST(Runs, AnUnfinishedOneIsNotPassedOver) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  EXPECT_FALSE(newest_run(doors));
  write_run(doors);
  const std::string id = write_run(doors, RunEnd::unfinished);
  const auto run = newest_run(doors);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->id, id);
  EXPECT_EQ(run->end, RunEnd::unfinished);
  EXPECT_EQ(run->boot_id, "boot");
  ASSERT_EQ(run->steps.size(), 1U);
  EXPECT_EQ(run->steps[0].to->as<FileState>().content->value, "text\n");
  mark(doors, id, RunEnd::rolled_back);
  EXPECT_EQ(newest_run(doors)->end, RunEnd::rolled_back);
}

TEST(Runs, SayHowTheyEnded) {
  for (const RunEnd how : {RunEnd::finished, RunEnd::undone, RunEnd::rolled_back}) {
    RecordedHost host(guide_model());
    Host doors = host.host();
    write_run(doors, how);
    EXPECT_EQ(newest_run(doors)->end, how);
  }
}

TEST(Runs, ATornLastLineIsNoEnd) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const std::string id = write_run(doors);
  host.model().files[runs + "/" + id + "/progress"].bytes = "begin file /etc/a\nfinish";
  EXPECT_EQ(newest_run(doors)->end, RunEnd::unfinished);
}

// Nothing moves before that line is durable: whoever died in the middle of it had taken nothing back.
TEST(Runs, ATornBeginningOfARollbackLeavesTheRunAsItStood) {
  for (const RunEnd how : {RunEnd::finished, RunEnd::awaiting, RunEnd::confirmed}) {
    RecordedHost host(guide_model());
    Host doors = host.host();
    const std::string id = write_run(doors, how);
    std::string& progress = host.model().files[runs + "/" + id + "/progress"].bytes;
    const std::size_t whole = progress.size();
    mark_rolling_back(doors, id, {{"file", "/etc/a"}});
    EXPECT_EQ(newest_run(doors)->end, RunEnd::half_back);
    EXPECT_EQ(newest_run(doors)->left_alone, (std::vector<Ref>{{"file", "/etc/a"}}));
    EXPECT_EQ(newest_run(doors)->stood, how);
    progress.resize(progress.size() - 1);
    EXPECT_EQ(newest_run(doors)->end, how);
    progress.resize(whole + 3);
    EXPECT_EQ(newest_run(doors)->end, how);
  }
}

TEST(Runs, AnEndBehindATornLineIsAnEnd) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const std::string id = write_run(doors, RunEnd::unfinished);
  host.model().files[runs + "/" + id + "/progress"].bytes = "begin file /etc/a\nfinish";
  mark(doors, id, RunEnd::rolled_back);
  EXPECT_EQ(newest_run(doors)->end, RunEnd::rolled_back);
}

TEST(Runs, ADamagedProgressIsNamed) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const std::string id = write_run(doors);
  host.model().files[runs + "/" + id + "/progress"].bytes = "leaving [\nrolling back what others left\n";
  EXPECT_NE(complaint_of(doors).find(id + "/progress"), std::string::npos) << complaint_of(doors);
}

TEST(Runs, WithoutARoundHaveNothingToUndo) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const RunWriter writer(doors, {"boot", "host", std::nullopt});
  EXPECT_EQ(newest_run(doors)->end, RunEnd::undone);
}

TEST(Runs, ADamagedOneIsNamed) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const std::string id = write_run(doors);
  host.model().files[runs + "/" + id + "/round-01.json"].bytes = "{";
  EXPECT_NE(complaint_of(doors).find(id + "/round-01.json"), std::string::npos) << complaint_of(doors);
}

TEST(Runs, AForgottenOneLeavesNothing) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const auto before = doors.files.list("/var/lib");
  RunWriter writer(doors, {"boot", "host", std::nullopt});
  writer.record_round({some_step()});
  writer.end(RunEnd::finished);
  writer.forget();
  EXPECT_FALSE(newest_run(doors));
  EXPECT_EQ(doors.files.list("/var/lib"), before);
}

TEST(Runs, AForgottenOneTakesNoOtherAlong) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const std::string kept = write_run(doors);
  RunWriter writer(doors, {"boot", "host", std::nullopt});
  writer.record_round({some_step()});
  writer.end(RunEnd::finished);
  writer.forget();
  EXPECT_EQ(doors.files.list(runs), std::vector<std::string>{kept});
}

TEST(Runs, StrangersInTheDirectoryAreLeft) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  write_run(doors);
  host.model().files[runs + "/notes.txt"] = {{FileType::regular, 0600, 0, 0}, "mine", {}};
  EXPECT_EQ(write_run(doors), "000002");
  EXPECT_TRUE(host.model().files.contains(runs + "/notes.txt"));
}

}  // namespace
}  // namespace rdmastate
