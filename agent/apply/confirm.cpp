// SPDX-License-Identifier: Apache-2.0
// At the end stands confirm() of apply/apply.hpp: it keeps the newest run where that run awaits confirmation.
#include "apply/confirm.hpp"

#include <fmt/format.h>

#include <chrono>

#include "apply/apply.hpp"

namespace rdmastate {
namespace {

// The name of the run's timer unit.
std::string timer_of(const std::string& run) { return "rdmastate-unconfirmed-" + run; }

Outcome outcome_of(ExitCode code, const std::string& run, std::string message) {
  Outcome outcome;
  outcome.code = code;
  outcome.run = run;
  outcome.message = std::move(message);
  return outcome;
}

// Confirms the run, unless its deadline is over.
Outcome keep_run(Host& host, const RunRecord& run) {
  if (is_overdue(host, run, read_boot_id(Snapshot(host))))
    return outcome_of(
        ExitCode::could_not, run.id,
        fmt::format("run {} had to be confirmed by {}: it is too late, and its timer takes the run back (`rdmastate "
                    "rollback` does so at once)",
                    run.id, utc_text(run.deadline ? run.deadline->until : 0)));
  mark(host, run.id, RunEnd::confirmed);
  disarm(host, run.id);
  Outcome outcome = outcome_of(ExitCode::done, run.id, fmt::format("Run {} is confirmed: it stays.", run.id));
  outcome.confirmed = true;
  return outcome;
}

Outcome interrupted(const RunRecord& run) {
  Outcome outcome = outcome_of(
      ExitCode::busy, run.id,
      fmt::format("run {} was interrupted and is unfinished: `rdmastate rollback` brings back what was", run.id));
  outcome.busy = Busy::interrupted;
  return outcome;
}

}  // namespace

Deadline deadline_in(Host& host, std::int64_t seconds) {
  const std::chrono::milliseconds ticks = host.clock.ticks() + std::chrono::seconds(seconds);
  return {seconds, ticks.count(), host.clock.now() + seconds};
}

std::string utc_text(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss hours{time - day};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), hours.hours().count(),
                     hours.minutes().count(), hours.seconds().count());
}

std::string why_not_armed(Host& host) {
  if (host.timers != nullptr && host.timers->answers()) return {};
  return fmt::format(
      "--confirm-within needs a systemd that answers on the bus, so that a timer takes the run back when nobody confirms "
      "it, and {} has none",
      host.description);
}

void arm(Host& host, const std::string& run, const Deadline& deadline) {
  host.timers->arm(timer_of(run), std::chrono::seconds(deadline.seconds), {"rollback", "--unconfirmed", run});
}

void disarm(Host& host, const std::string& run) {
  try {
    if (host.timers != nullptr) host.timers->disarm(timer_of(run));
  } catch (const Error&) {  // its `rollback --unconfirmed` finds a run that is over, and does nothing
  }
}

// Ticks count from the boot, so a run of an earlier boot is overdue.
bool is_overdue(Host& host, const RunRecord& run, const std::string& boot_id) {
  return run.boot_id != boot_id || !run.deadline || host.clock.ticks().count() >= run.deadline->ticks;
}

std::string awaiting_text(const RunRecord& run) {
  return fmt::format(
      "run {} awaits confirmation until {}: `rdmastate confirm` keeps it, `rdmastate rollback` takes it "
      "back",
      run.id, utc_text(run.deadline ? run.deadline->until : 0));
}

Outcome confirm(Host& host, const std::string& meant) {
  const auto run = newest_run(host);
  if (!run) throw Error("there is no run to confirm");
  if (!meant.empty() && run->id != meant)
    throw Error(fmt::format("the newest run is {}, not {}: nothing was confirmed", run->id, meant));
  switch (run->end) {
    case RunEnd::awaiting:
      return keep_run(host, *run);
    case RunEnd::confirmed:
      return outcome_of(ExitCode::done, run->id, fmt::format("Run {} is confirmed already.", run->id));
    case RunEnd::finished:
      return outcome_of(
          ExitCode::done, run->id,
          fmt::format("Run {} stands without being confirmed: it was applied without --confirm-within.", run->id));
    case RunEnd::unfinished:
    case RunEnd::half_back:
      return interrupted(*run);
    case RunEnd::undone:
    case RunEnd::rolled_back:
      break;
  }
  return outcome_of(ExitCode::could_not, run->id,
                    fmt::format("run {} was taken back: there is nothing to confirm", run->id));
}

}  // namespace rdmastate
