// SPDX-License-Identifier: Apache-2.0
// An apply's order of effects: recorded before it moves, files before the kernel forgets them, one silent second run.
#include <fmt/format.h>
#include "apply/run.hpp"
#include "resources/file/file.hpp"
#include "support/hidden_files.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

std::size_t call_with(const RecordedHost& host, const std::string& words) {
  for (std::size_t i = 0; i < host.calls().size(); ++i)
    if (host.calls()[i].find(words) != std::string::npos) return i;
  ADD_FAILURE() << "no call has '" << words << "' among\n" << fmt::format("{}", fmt::join(host.calls(), "\n"));
  return 0;
}

TEST(Apply, RecordsBeforeItMoves) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const std::size_t recorded = call_with(host, "round-01.json");
  EXPECT_LT(recorded, call_with(host, "mlx4_ib0"));
  EXPECT_LT(recorded, call_with(host, "70-rdmastate-ipoib.rules"));
}

// Tells what the host had been told already whenever it was asked to reload.
struct ListeningUdev : Udev {
  explicit ListeningUdev(RecordedHost& host) : host_(host) {}
  void reload_rules() override { calls_before.push_back(host_.calls().size()); }
  std::vector<std::size_t> calls_before;

 private:
  RecordedHost& host_;
};

TEST(Apply, UdevKnowsTheNamesBeforeTheModuleBringsInterfaces) {
  RecordedHost host(guide_model());
  ListeningUdev udev(host);
  Host doors = host.host();
  doors.udev = &udev;
  ASSERT_EQ(apply(doors, wish_for(spec_one), deaf()).code, ExitCode::done);
  ASSERT_EQ(udev.calls_before.size(), 1U) << "one rules file, one reload";
  EXPECT_GT(udev.calls_before[0], call_with(host, "writing /etc/udev/rules.d/70-rdmastate-ipoib.rules"));
  EXPECT_LE(udev.calls_before[0], call_with(host, "loading module ib_ipoib"));
  ASSERT_EQ(apply(doors, wish_for("version: 1\n"), deaf()).code, ExitCode::done);
  EXPECT_EQ(udev.calls_before.size(), 2U) << "and when it goes";
}

// udev has events in its queue, until somebody has waited three times.
class BusyUdev : public Clock {
 public:
  BusyUdev(HostModel& model, Clock& clock) : model_(model), clock_(clock) {
    model_.files[queue] = {{FileType::regular, 0644, 0, 0}, "", {}};
  }
  std::int64_t now() override { return clock_.now(); }
  std::chrono::milliseconds ticks() override { return clock_.ticks(); }
  void sleep(std::chrono::milliseconds time) override {
    clock_.sleep(time);
    if (++waits == 3) model_.files.erase(queue);
  }
  int waits = 0;

 private:
  static constexpr const char* queue = "/run/udev/queue";
  HostModel& model_;
  Clock& clock_;
};

TEST(Apply, LooksAgainWhenUdevIsThrough) {
  RecordedHost host(loaded_model());
  const Host doors = host.host();
  BusyUdev udev(host.model(), doors.clock);
  Host busy{.description = doors.description, .files = doors.files, .clock = udev};
  busy.links = doors.links;
  busy.rdma = doors.rdma;
  busy.modules = doors.modules;
  ASSERT_EQ(apply(busy, wish_for(spec_two), deaf()).code, ExitCode::done);
  EXPECT_EQ(udev.waits, 3);
}

TEST(Apply, ChangesOnlyWhatDiffers) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_one).code, ExitCode::done);
  const std::size_t before = host.moves();
  const Outcome outcome = apply_spec(host, spec_two);
  ASSERT_EQ(outcome.code, ExitCode::done);
  EXPECT_EQ(outcome.moved, 4U);  // the child, its address, its route, boot.json
  for (std::size_t i = before; i < host.calls().size(); ++i)
    EXPECT_EQ(host.calls()[i].find("70-rdmastate"), std::string::npos) << host.calls()[i];
}

TEST(Apply, RefusesWhileARunIsUnfinished) {
  RecordedHost host(loaded_model());
  Host doors = host.host();
  host.crash_at(30, When::before);
  EXPECT_THROW(apply_spec(host, spec_two), OrderedCrash);
  host.clear_orders();
  const std::string before = host.to_json();
  const Outcome outcome = apply_spec(host, spec_two);
  EXPECT_EQ(outcome.code, ExitCode::busy);
  EXPECT_NE(outcome.message.find("rdmastate rollback"), std::string::npos);
  EXPECT_EQ(host.to_json(), before);
}

// Neither the record nor the word that it was undone fits: nothing was moved, and nothing awaits rollback.
TEST(Apply, OnAFullDiskNothingIsBegun) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_one).code, ExitCode::done);
  const std::string before = seen(host);
  Host doors = host.host();
  Listener listener = deaf();
  listener.talked = [&](const std::string& line) {
    if (line.starts_with("failed: ")) host.fail_call(2, ENOSPC, When::before);  // after a sync of nothing
  };
  host.fail_call(2, ENOSPC, When::before);  // the first makes the run's directory
  const Outcome outcome = apply(doors, wish_for(spec_two), listener);
  EXPECT_NE(outcome.message.find("round-01.json"), std::string::npos) << outcome.message;
  EXPECT_TRUE(outcome.message.ends_with("The host is as it was before.")) << outcome.message;
  EXPECT_EQ(outcome.code, ExitCode::failed_restored);
  EXPECT_EQ(outcome.run, "") << "there is none to tell the journal of";
  EXPECT_EQ(seen(host), before);
  host.clear_orders();
  EXPECT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
}

constexpr int rounds_of_late = 8;  // as many as apply() takes

std::string late_file(int number) { return fmt::format("/etc/late-{}.conf", number); }

// Comes without a step when the last file is there, and is to be planned later until then.
const Kind& late_kind() {
  static const Kind kind = [] {
    Kind late = kind_of<FileState>("late");
    late.observe = [](const Snapshot&, const std::string&) -> Observation { return Absent{}; };
    late.gap = [](const Scene& scene, const std::string&, const State*, const Observation&) {
      Gap gap;
      if (!scene.snapshot.exists(late_file(rounds_of_late))) gap.after = "the last file";
      return gap;
    };
    late.needs = [](const std::string&, const State*) { return std::vector<Ref>(); };
    late.move = [](Tools&, const std::string&, const State*, const State*) {};
    late.title = [](const std::string& key, const State*) { return key; };
    return late;
  }();
  return kind;
}

// Wants one file more than there is, so that each round brings another.
Desired one_file_more(const Host& host) {
  Desired desired;
  int last = 1;
  while (last < rounds_of_late && host.files.meta(late_file(last))) ++last;
  for (int number = 1; number <= last; ++number)
    desired.add({&file_kind, late_file(number), State(file_kind, regular_file("x\n")), "", "", {}});
  desired.add({&late_kind(), "late", State(late_kind(), regular_file("x\n")), "", "", {}});
  return desired;
}

TEST(Apply, TheLedgerHasItsRoundAlsoBehindTheLastOne) {
  HostModel model = loaded_model();
  model.files["/etc/rdmastate"] = {{FileType::directory, 0755, 0, 0}, "", {}};
  RecordedHost host(model);
  Host doors = host.host();
  Wish wish = wish_for(spec_one);
  wish.desire = [&](const Facts&, const std::vector<Impossible>&, Report&) { return one_file_more(doors); };
  const Outcome outcome = apply(doors, wish, deaf());
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  ASSERT_EQ(outcome.rounds.size(), static_cast<std::size_t>(rounds_of_late));
  const std::string ledger = host.model().files.at("/etc/rdmastate/ledger.json").bytes;
  EXPECT_NE(ledger.find(late_file(rounds_of_late)), std::string::npos) << ledger;
}

TEST(Apply, DoesTheIndependentRestOfWhatIsBlocked) {
  RecordedHost host(guide_model());
  const Outcome outcome =
      apply_spec(host, spec_head + "  - name: lost\n    match: {port_guid: \"f452:1403:007b:dead\"}\n" + spec_port);
  EXPECT_EQ(outcome.code, ExitCode::could_not);
  Host doors = host.host();
  EXPECT_TRUE(doors.links->find("mlx4_ib0"));
  EXPECT_EQ(outcome.last.count_blocked(), 1U);
}

// A profile of somebody else, perhaps about the spec's interface.
const std::string their_profile = "/etc/NetworkManager/system-connections/theirs.nmconnection";

RecordedHost host_with_their_profile() {
  HostModel model = loaded_model();
  model.files["/etc/NetworkManager/system-connections"] = {{FileType::directory, 0755, 0, 0}, "", {}};
  model.files[their_profile] = {{FileType::regular, 0600, 0, 0}, "[connection]\nid=theirs\n", {}};
  return RecordedHost(model);
}

TEST(Apply, MovesNothingBesideWhatMayNotBeRead) {
  RecordedHost host = host_with_their_profile();
  const Host doors = host.host();
  HiddenFiles files(doors.files, their_profile);
  Host hidden = with_files(doors, files);
  const std::string before = host.to_json();
  const Outcome outcome = apply(hidden, wish_for(spec_two), deaf());
  EXPECT_EQ(outcome.code, ExitCode::could_not);
  EXPECT_NE(outcome.message.find("unseen: " + their_profile), std::string::npos) << outcome.message;
  EXPECT_EQ(host.to_json(), before);
  EXPECT_EQ(apply_spec(host, spec_two).code, ExitCode::done) << "once it may be read";
}

TEST(Apply, WhatIsSeenLaterIsRefusedAsBefore) {
  const std::string path = "/etc/modules-load.d/rdmastate.conf";
  HostModel model = loaded_model();
  model.files["/etc/modules-load.d"] = {{FileType::directory, 0755, 0, 0}, "", {}};
  model.files[path] = {{FileType::regular, 0600, 5, 5}, "# theirs\n", {}};
  RecordedHost host(model);
  const Host doors = host.host();
  HiddenFiles files(doors.files, path);
  Host hidden = with_files(doors, files);
  const std::string before = seen(host);
  Listener listener = deaf();
  listener.begun = [&](const std::string&) { files.reveal(); };
  const Outcome outcome = apply(hidden, wish_for(spec_two), listener);
  EXPECT_EQ(outcome.code, ExitCode::failed_restored) << outcome.message;
  EXPECT_NE(outcome.message.find(path), std::string::npos) << outcome.message;
  EXPECT_EQ(seen(host), before);
}

TEST(Apply, LetsGoWhateverOthersFilesSay) {
  RecordedHost host = host_with_their_profile();
  const Host doors = host.host();
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  HiddenFiles files(doors.files, their_profile);
  Host hidden = with_files(doors, files);
  const Outcome outcome = apply(hidden, release_wish(hidden, ""), deaf());
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_FALSE(outcome.run.empty());
}

TEST(Apply, GivesACreatedInterfaceTheDefaultsOfItsTable) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const auto child = host.host().links->find("mlx4_ib0.8002");
  ASSERT_TRUE(child && child->ipoib);
  EXPECT_EQ(child->ipoib->mode, IpoibMode::datagram);
  EXPECT_EQ(child->ipoib->umcast, false);
  EXPECT_EQ(child->ipv6, Ipv6Conf::link_local);
  EXPECT_TRUE(child->up);
}

TEST(Apply, AnMtuThatThePartitionDoesNotAllowIsBlockedAndNotTriedAgain) {
  RecordedHost host(loaded_model());
  const std::string spec = spec_head + spec_port + "  - {parent: mlx4_ib0, pkey: 0x8002, mode: datagram, mtu: 4092}\n";
  const Outcome first = apply_spec(host, spec);
  const std::size_t moves = host.moves();
  const Outcome second = apply_spec(host, spec);
  EXPECT_EQ(second.code, ExitCode::could_not) << first.message << second.message;
  EXPECT_EQ(host.moves(), moves);
}

TEST(Apply, LooksAtManyInterfacesInOneDump) {
  RecordedHost host(loaded_model());
  std::string spec = spec_head + spec_port;
  for (int n = 0x8100; n < 0x8164; ++n) spec += fmt::format("  - {{parent: mlx4_ib0, pkey: 0x{:04x}}}\n", n);
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  host.reset_reads();
  plan_spec(host, spec);
  EXPECT_EQ(host.reads().dumps, 1U);
  EXPECT_LE(host.reads().finds, 1U);
  EXPECT_LE(host.reads().addresses, 101U);
}

}  // namespace
}  // namespace rdmastate
