// SPDX-License-Identifier: Apache-2.0
#include "cli/run_log.hpp"

#include <fmt/format.h>

#include "apply/confirm.hpp"
#include "plan/print.hpp"
#include "sys/journal.hpp"

namespace rdmastate {
namespace {

RunEvent event_of(ExitCode code, RunEvent good) {
  if (code == ExitCode::failed_restored) return RunEvent::undone;
  return code == ExitCode::failed_dirty ? RunEvent::unmended : good;
}

std::string steps_text(const Outcome& outcome) {
  if (!outcome.message.empty()) return outcome.message;
  std::string text = count_of_steps(outcome.moved);
  if (outcome.confirm_until != 0) text += ", to be confirmed until " + utc_text(outcome.confirm_until);
  return text;
}

}  // namespace

void RunLog::begun(const std::string& run) const {
  if (speaks_) Journal().tell(RunEvent::begun, run);
}

void RunLog::applied(const Outcome& outcome) const {
  const bool has_begun = !outcome.run.empty() && !outcome.busy;
  if (speaks_ && has_begun) Journal().tell(event_of(outcome.code, RunEvent::applied), outcome.run, steps_text(outcome));
}

void RunLog::taken_back(const Outcome& outcome) const {
  const bool nothing = outcome.code == ExitCode::done && outcome.moved == 0;
  if (speaks_ && !nothing)
    Journal().tell(event_of(outcome.code, RunEvent::taken_back), outcome.run, steps_text(outcome));
}

void RunLog::confirmed(const Outcome& outcome) const {
  if (speaks_ && outcome.confirmed) Journal().tell(RunEvent::confirmed, outcome.run);
}

}  // namespace rdmastate
