// SPDX-License-Identifier: Apache-2.0
// A run that has to be confirmed: what is armed and when, who keeps it, and what takes it back.
#include <fmt/format.h>
#include "apply/confirm.hpp"

#include "base/error.hpp"
#include "base/textdiff.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

const std::string timer = "rdmastate-unconfirmed-000001";

HostModel with_systemd(HostModel model = loaded_model()) {
  model.systemd.emplace();
  return model;
}

PlanOptions within(unsigned seconds) {
  PlanOptions options;
  options.confirm_within = seconds;
  return options;
}

/// The host after an apply that awaits its confirmation.
struct Awaiting {
  RecordedHost host{with_systemd()};
  std::string before = seen(host);
  Host doors = host.host();
  Outcome outcome = apply_spec(host, spec_two, within(60));
  std::string after = seen(host);
  RunEnd end() { return newest_run(doors)->end; }
  const std::map<std::string, RecordedTimer>& timers() const { return host.model().systemd->timers; }
};

std::size_t call_with(const RecordedHost& host, const std::string& words) {
  const auto& calls = host.calls();
  const auto found = std::find_if(calls.begin(), calls.end(),
                                  [&](const std::string& call) { return call.find(words) != std::string::npos; });
  return static_cast<std::size_t>(found - calls.begin());
}

TEST(Confirm, IsArmedAfterTheRecordAndBeforeTheFirstEffect) {
  Awaiting it;
  ASSERT_EQ(it.outcome.code, ExitCode::done) << it.outcome.message;
  const std::size_t armed = call_with(it.host, "arming the timer " + timer);
  EXPECT_GT(armed, call_with(it.host, "round-01.json"));
  EXPECT_LT(armed, call_with(it.host, "mlx4_ib0"));
  EXPECT_LT(armed, call_with(it.host, "70-rdmastate-ipoib.rules"));
  ASSERT_TRUE(it.timers().contains(timer));
  const RecordedTimer expected{60, {"rollback", "--unconfirmed", "000001"}};
  EXPECT_EQ(it.timers().at(timer), expected);
  EXPECT_EQ(it.end(), RunEnd::awaiting);
  EXPECT_EQ(it.outcome.confirm_until, 1767225600 + 60) << "a recorded host's clock begins there";
}

TEST(Confirm, KeepsTheRunAndSaysSoTwice) {
  Awaiting it;
  const Outcome first = confirm(it.doors);
  EXPECT_EQ(first.code, ExitCode::done);
  EXPECT_EQ(first.message, "Run 000001 is confirmed: it stays.");
  EXPECT_EQ(it.end(), RunEnd::confirmed);
  EXPECT_TRUE(it.timers().empty());
  EXPECT_EQ(confirm(it.doors).message, "Run 000001 is confirmed already.");
  // A timer that was due already finds nothing to do.
  const Outcome late = roll_back_unconfirmed(it.doors, "000001", deaf());
  EXPECT_EQ(late.code, ExitCode::done);
  EXPECT_EQ(late.moved, 0U);
  EXPECT_EQ(it.end(), RunEnd::confirmed);
  const Outcome again = apply_spec(it.host, spec_two, within(60));
  EXPECT_EQ(again.code, ExitCode::done);
  EXPECT_EQ(again.run, "") << "an empty plan is no run";
  EXPECT_TRUE(it.timers().empty()) << "and arms nothing";
}

TEST(Confirm, ARunThatAwaitsItKeepsOthersAway) {
  Awaiting it;
  const std::string before = it.host.to_json();
  const Outcome outcome = apply_spec(it.host, spec_one);
  EXPECT_EQ(outcome.code, ExitCode::busy);
  EXPECT_EQ(outcome.message,
            "run 000001 awaits confirmation until 2026-01-01 00:01:00 UTC: `rdmastate confirm` keeps it, `rdmastate "
            "rollback` takes it back");
  EXPECT_EQ(it.host.to_json(), before);
}

TEST(Confirm, TheTimerTakesBackWhatOthersChangedToo) {
  Awaiting it;
  it.host.model().files["/etc/modules-load.d/rdmastate.conf"].bytes += "ib_srp\n";
  const Outcome outcome = roll_back_unconfirmed(it.doors, "000001", deaf());
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  it.host.model().systemd->timers.clear();  // it has gone off
  EXPECT_EQ(unified_diff(it.before, seen(it.host)), "");
  EXPECT_EQ(it.end(), RunEnd::rolled_back);
  EXPECT_EQ(confirm(it.doors).code, ExitCode::could_not);
}

TEST(Confirm, TheTimerIsOfOneRunAlone) {
  Awaiting it;
  EXPECT_EQ(roll_back_unconfirmed(it.doors, "000007", deaf()).moved, 0U);
  EXPECT_EQ(seen(it.host), it.after);
}

TEST(Confirm, RollbackByHandDisarms) {
  Awaiting it;
  EXPECT_EQ(rollback(it.doors, false, deaf()).code, ExitCode::done);
  EXPECT_TRUE(it.timers().empty());
  EXPECT_EQ(unified_diff(it.before, seen(it.host)), "");
}

TEST(Confirm, ComesTooLateAfterTheDeadlineWhateverTheClockSays) {
  Awaiting it;
  it.doors.clock.sleep(std::chrono::seconds(60));
  const Outcome outcome = confirm(it.doors);
  EXPECT_EQ(outcome.code, ExitCode::could_not);
  EXPECT_NE(outcome.message.find("too late"), std::string::npos) << outcome.message;
  EXPECT_EQ(it.end(), RunEnd::awaiting);
}

TEST(Confirm, EventsBeforeTheDeadlineLeaveTheRunAndThoseAfterItTakeItBack) {
  Awaiting it;
  EXPECT_EQ(apply_boot(it.doors, deaf()).code, ExitCode::done);
  EXPECT_EQ(it.end(), RunEnd::awaiting);
  EXPECT_EQ(seen(it.host), it.after);
  it.doors.clock.sleep(std::chrono::seconds(61));
  EXPECT_EQ(apply_boot(it.doors, deaf()).code, ExitCode::done);
  EXPECT_EQ(it.end(), RunEnd::rolled_back);
  it.host.model().systemd->timers.clear();
  EXPECT_EQ(unified_diff(it.before, seen(it.host)), "");
}

TEST(Confirm, AnotherBootTakesTheRunBackInsideTheWindow) {
  Awaiting it;
  RecordedHost up(rebooted(it.host.model(), guide_model()));
  Host doors = up.host();
  EXPECT_EQ(apply_boot(doors, deaf()).code, ExitCode::done);
  EXPECT_EQ(newest_run(doors)->end, RunEnd::rolled_back);
  for (const auto& [path, file] : up.model().files) {
    if (!path.starts_with("/etc/")) continue;
    EXPECT_TRUE(loaded_model().files.contains(path)) << path;
  }
}

TEST(Confirm, AConfirmedRunStandsAfterABoot) {
  Awaiting it;
  confirm(it.doors);
  RecordedHost up(rebooted(it.host.model(), guide_model()));
  Host doors = up.host();
  EXPECT_EQ(apply_boot(doors, deaf()).code, ExitCode::done);
  EXPECT_EQ(newest_run(doors)->end, RunEnd::confirmed);
  EXPECT_TRUE(doors.links->find("mlx4_ib0.8002"));
}

TEST(Confirm, IsRefusedWithoutSystemd) {
  RecordedHost host(loaded_model());
  const std::string before = host.to_json();
  const Outcome outcome = apply_spec(host, spec_two, within(60));
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("--confirm-within needs a systemd that answers on the bus"), std::string::npos)
      << outcome.message;
  EXPECT_EQ(host.to_json(), before);
}

TEST(Confirm, ATimerThatIsNotTakenEndsTheRunBeforeItsFirstEffect) {
  HostModel model = with_systemd();
  model.systemd->timers[timer] = {};  // of a run whose record somebody removed
  RecordedHost host(model);
  const std::string before = seen(host);
  const Outcome outcome = apply_spec(host, spec_two, within(60));
  EXPECT_EQ(outcome.code, ExitCode::failed_restored) << outcome.message;
  host.model().systemd->timers[timer] = {};
  EXPECT_EQ(unified_diff(before, seen(host)), "");
}

TEST(Confirm, AnApplyThatTakesTooLongTakesItselfBack) {
  RecordedHost host(with_systemd());
  const std::string before = seen(host);
  Host doors = host.host();
  Listener slow = deaf();
  slow.stepped = [&](const std::string&) { doors.clock.sleep(std::chrono::seconds(6)); };
  const Outcome outcome = apply(doors, wish_for(spec_two, within(10)), slow);
  EXPECT_EQ(outcome.code, ExitCode::failed_restored);
  EXPECT_NE(outcome.message.find("longer than the 10 s of --confirm-within"), std::string::npos) << outcome.message;
  EXPECT_EQ(unified_diff(before, seen(host)), "") << "and the timer is gone";
}

TEST(Confirm, NothingToConfirmIsSaid) {
  RecordedHost host(with_systemd());
  Host doors = host.host();
  EXPECT_THROW(confirm(doors), Error);
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  EXPECT_EQ(confirm(doors).message,
            "Run 000001 stands without being confirmed: it was applied without --confirm-within.");
  rollback(doors, false, deaf());
  EXPECT_EQ(confirm(doors).code, ExitCode::could_not);
}

TEST(Confirm, ADeadApplyIsUnfinishedAndNotForConfirming) {
  RecordedHost host(with_systemd());
  host.crash_at(40, When::before);
  EXPECT_THROW(apply_spec(host, spec_two, within(60)), OrderedCrash);
  host.clear_orders();
  Host doors = host.host();
  EXPECT_EQ(confirm(doors).code, ExitCode::busy);
}

TEST(Runs, TellWhenTheyBeganAndOfWhichSpec) {
  Awaiting it;
  const auto runs = all_runs(it.doors);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].spec, "host");
  EXPECT_EQ(utc_text(runs[0].begun), "2026-01-01 00:00:00 UTC");
  ASSERT_TRUE(runs[0].deadline);
  EXPECT_EQ(runs[0].deadline->seconds, 60);
}

TEST(Runs, ADamagedOneIsNamedAmongTheOthers) {
  Awaiting it;
  confirm(it.doors);
  ASSERT_EQ(apply_spec(it.host, spec_one).code, ExitCode::done);
  it.host.model().files["/var/lib/rdmastate/runs/000001/round-01.json"].bytes = "{";
  const auto runs = all_runs(it.doors);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].trouble, "");
  EXPECT_NE(runs[1].trouble.find("000001/round-01.json: it is damaged"), std::string::npos) << runs[1].trouble;
}

}  // namespace
}  // namespace rdmastate
