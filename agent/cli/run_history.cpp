// SPDX-License-Identifier: Apache-2.0
// The commands history (lists the runs, or shows one) and confirm (keeps the newest run of `apply --confirm-within`,
// which is taken back otherwise). commands.hpp declares both.
#include <fmt/format.h>

#include "apply/apply.hpp"
#include "cli/busy.hpp"
#include "cli/commands.hpp"
#include "cli/history.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "cli/run_log.hpp"

namespace rdmastate {
namespace {

// All runs. Only root may list them, so other users get a message that says so.
std::vector<RunRecord> readable_runs(Host& host) {
  try {
    return all_runs(host);
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    throw Error("the runs are root's alone, since they keep whole old files: run this as root");
  }
}

const RunRecord& run_named(const std::vector<RunRecord>& runs, const std::string& id) {
  for (const auto& run : runs)
    if (run.id == id) return run;
  throw Error(fmt::format("there is no run {}{}", id,
                          runs.empty() ? "" : fmt::format(": they are {} to {}", runs.back().id, runs.front().id)));
}

}  // namespace

ExitCode run_history(const Options& options) {
  OpenHost open(options);
  const auto runs = readable_runs(open.host());
  const bool json = options.form == OutputForm::json;
  if (options.run.empty()) {
    json ? print_json(runs_json(runs)) : print_text(runs_text(runs));
  } else {
    const RunRecord& run = run_named(runs, options.run);
    json ? print_json(run_json(run)) : print_text(run_text(run));
  }
  return ExitCode::done;
}

ExitCode run_confirm(const Options& options) {
  OpenHost open(options);
  const auto busy = busy_outcome(options, [&] { open.lock(std::chrono::seconds(0), RunLock::Purpose::person); });
  const Outcome outcome = busy ? *busy : confirm(open.host(), options.run);
  if (!busy) RunLog(options).confirmed(outcome);
  if (!busy && !options.record.empty()) write_private_file(options.record, open.record());
  if (options.form == OutputForm::json) {
    print_json(run_outcome_json(outcome));
  } else if (outcome.code == ExitCode::done) {
    print_text(outcome.message + "\n");
  } else {
    talk(outcome.message);
  }
  return outcome.code;
}

}  // namespace rdmastate
