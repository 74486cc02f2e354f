// SPDX-License-Identifier: Apache-2.0
// `apply --boot`: takes back a run that was interrupted or that nobody confirmed in time, then makes what boot.json
// says. It reads no spec, records no run and undoes none of its own steps; a step that fails does not keep the others
// from being done.
#include <fmt/format.h>

#include "apply/apply.hpp"
#include "apply/confirm.hpp"
#include "apply/done_steps.hpp"
#include "apply/execute.hpp"
#include "apply/run.hpp"
#include "apply/settle.hpp"
#include "apply/undo.hpp"
#include "platform/layout.hpp"
#include "sections/boot_file.hpp"

namespace rdmastate {
namespace {

// Takes the run back; false: something is left. At boot nobody can be asked, so what other programs have changed since
// is taken back too, unless an interrupted rollback had left it alone.
bool take_back(Host& host, const RunRecord& run, const std::string& boot_id, const Listener& listener) {
  listener.talked(fmt::format("run {} was {}: taking it back", run.id,
                              run.end == RunEnd::awaiting ? "not confirmed" : "interrupted"));
  const Undone undone = roll_back(host, run, boot_id, {.force = run.end != RunEnd::half_back, .at_boot = true});
  for (const auto& left : undone.left) listener.talked(left);
  for (const auto& kept : undone.kept) listener.talked(kept);
  return undone.left.empty();
}

// Takes an interrupted or overdue run back; false: it could not. Such a failure, as on a read-only disk, must not keep
// this boot from making its interfaces.
bool recover(Host& host, const Listener& listener) {
  try {
    const auto run = newest_run(host);
    if (!run || !run->is_open()) return true;
    const std::string boot_id = read_boot_id(Snapshot(host));
    if (run->end == RunEnd::awaiting && !is_overdue(host, *run, boot_id)) return true;
    return take_back(host, *run, boot_id, listener);
  } catch (const Error& error) {
    listener.talked(error.what());
    return false;
  }
}

// Moves the plan's steps, one after the other. A step that fails is told, and stands in the next plan again.
void move_all(Host& host, const Plan& plan, const Listener& listener, Outcome& outcome) {
  Executor executor(host, [](const std::string&) {});
  const auto round = steps_of_round(plan);
  const auto taken = taken_along(host, round);
  DoneSteps done(plan, round, listener);
  for (std::size_t i = 0; i < round.size(); ++i) {
    try {
      executor.move(round[i].step);
      ++outcome.moved;
      done.add(i);
    } catch (const Error& error) {
      done.tell();
      listener.talked(error.what());
    }
  }
  try {
    executor.put_back(taken);
  } catch (const Error& error) {
    listener.talked(error.what());
  }
}

// Returns the number of steps that are left. A step that fails is tried again in the next round: what was in its way,
// udev renaming the interface, say, may be over by then. What is left is for the next event, or for a person.
std::size_t move_until_empty(Host& host, const Wish& wish, const Listener& listener, Outcome& outcome) {
  constexpr int most_rounds = 4;  // each may wait 15 s (settle()), and rdmastate.service may take 90 s
  outcome.last = plan_host(host, wish);
  for (int round = 0; round < most_rounds && !outcome.last.is_empty(); ++round) {
    move_all(host, outcome.last, listener, outcome);
    settle(host, outcome.last);
    outcome.last = plan_host(host, wish);
  }
  return outcome.last.steps.size();
}

std::string what_failed(bool recovered, std::size_t failed) {
  std::string text;
  if (!recovered)
    text = "an interrupted or unconfirmed run could not be taken back: mend the cause and run: rdmastate rollback";
  if (failed == 0) return text;
  return fmt::format("{}{}{} of what {} says could not be done", text, text.empty() ? "" : "\n", failed,
                     common_layout().boot_file);
}

}  // namespace

Wish boot_wish(Host& host) {
  const std::string path(common_layout().boot_file);
  Desired desired;
  desired.backend = "none";  // is only printed: boot.json does not say it
  if (const auto bytes = host.files.read(path))
    desired = in_context(path, [&] { return desired_from_boot_file(*bytes); });
  Wish wish;
  wish.desire = [desired = std::move(desired)](const Facts&, const std::vector<Impossible>&, Report&) {
    return desired;
  };
  wish.options.keep_ledger = true;                   // boot.json names only a part of what the ledger lists
  wish.options.max_disruption = Disruption::module;  // at boot everything may be disturbed
  return wish;
}

Outcome apply_boot(Host& host, const Listener& listener) {
  Outcome outcome;
  const bool recovered = recover(host, listener);
  const std::size_t failed = move_until_empty(host, boot_wish(host), listener, outcome);
  for (const auto& item : outcome.last.items)
    if (!item.gap.blocked.empty()) listener.talked(fmt::format("waiting: {}", item.gap.blocked));
  if (recovered && failed == 0) return outcome;
  outcome.code = ExitCode::could_not;
  outcome.message = what_failed(recovered, failed);
  return outcome;
}

}  // namespace rdmastate
