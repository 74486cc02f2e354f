// SPDX-License-Identifier: Apache-2.0
// The commands apply, release and rollback.
#include <fmt/format.h>
#include <unistd.h>

#include "apply/apply.hpp"
#include "apply/confirm.hpp"
#include "cli/busy.hpp"
#include "cli/commands.hpp"
#include "cli/history.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "cli/run_log.hpp"
#include "cli/wish.hpp"
#include "plan/print.hpp"

namespace rdmastate {
namespace {

// An apply that loads a module brings interfaces into being, and udev then starts rdmastate.service beside it.
constexpr std::chrono::seconds boot_patience{60};
// Nobody comes after the run that an event asked for, so it outwaits any apply.
constexpr std::chrono::seconds event_patience{600};
// An apply that is late takes itself back between two steps.
constexpr std::chrono::seconds deadline_patience{20};

Listener listener_for(const Options& options) {
  const Paint paint(wants_colour(options, STDERR_FILENO));
  return {
      [paint, &options](const Plan& plan) {
        print_remarks(plan, options);
        if (const std::string much = much_goes_line(plan); !much.empty()) talk(paint.yellow(much));
        if (!plan.is_empty()) talk(paint.dim(count_line(plan)));
        for (const auto& item : plan.items)
          if (!item.warning.empty()) talk(paint.yellow("warning: ") + printable(item.warning));
      },
      [paint](const std::string& line) { talk(paint.green("  done  ") + printable(line)); },
      [paint](const std::string& line) { talk(paint.yellow("  ") + printable(line)); },
      [log = RunLog(options)](const std::string& run) { log.begun(run); },
  };
}

void print_left_over(const Outcome& outcome) {
  for (const auto& item : outcome.last.items) {
    const auto tell = [&](std::string_view what, const std::string& why) {
      if (!why.empty()) talk(fmt::format("{}: {}: {}", what, printable(item.title()), printable(why)));
    };
    tell("pending", item.gap.pending.sentence);
    tell("blocked", item.gap.blocked);
    tell("unseen", item.gap.unseen);
  }
  if (!outcome.message.empty()) return;  // it names them, where they are why nothing was done
  for (const auto& line : unseen_lines(outcome.last)) talk(printable(line));
}

// What it leaves as it is goes with the next boot, where nothing but rdmastate made it.
void tell_lost(const std::vector<std::string>& lost) {
  for (const auto& one : lost)
    talk("the next boot will not have this, unless another program sets it: " + printable(one));
}

Json rounds_json(const Outcome& outcome) {
  Json rounds = Json::array();
  for (const auto& moved : outcome.rounds) {
    Json round = Json::array();
    for (const auto& step : moved) round.push_back({{"kind", step.kind}, {"key", step.key}, {"line", step.line}});
    rounds.push_back(std::move(round));
  }
  return rounds;
}

Json outcome_json(const Outcome& outcome) {
  Json json{{"format_version", 1},
            {"exit_code", static_cast<int>(outcome.code)},
            {"changed", outcome.moved > 0},
            {"moved", outcome.moved},
            {"rounds", rounds_json(outcome)},
            {"run", outcome.run},
            {"message", outcome.message},
            {"left", plan_json(outcome.last)}};
  if (outcome.confirm_until != 0) json["confirm_until"] = utc_text(outcome.confirm_until);
  if (outcome.busy) json["busy"] = to_text(*outcome.busy);
  return json;
}

std::string confirm_text(const Outcome& outcome) {
  if (outcome.confirm_until == 0) return {};
  return fmt::format("It is taken back at {} unless you say until then: rdmastate confirm\n",
                     utc_text(outcome.confirm_until));
}

void print_outcome(const Outcome& outcome, const Options& options) {
  if (options.form == OutputForm::json) {
    print_json(outcome_json(outcome));
    return;
  }
  print_left_over(outcome);
  if (!outcome.message.empty()) talk(outcome.message);
  const bool failed = outcome.code == ExitCode::failed_restored || outcome.code == ExitCode::failed_dirty;
  if (failed || outcome.code == ExitCode::refused || outcome.code == ExitCode::busy) return;
  if (outcome.moved == 0 && outcome.code == ExitCode::could_not)
    return print_text("Nothing was done: what is left is named above.\n");
  if (outcome.moved == 0)
    return print_text("Nothing to do: the host is as the spec says, as far as it can be now.\n" +
                      confirm_text(outcome));
  print_text(fmt::format("Applied: {} step{}{}.\n{}", outcome.moved, outcome.moved == 1 ? "" : "s",
                         outcome.run.empty() ? "" : ", run " + outcome.run, confirm_text(outcome)));
}

ExitCode finish(OpenHost& open, const Outcome& outcome, const Options& options) {
  RunLog(options).applied(outcome);
  if (!options.record.empty()) write_private_file(options.record, open.record());
  print_outcome(outcome, options);
  return outcome.code;
}

bool has_lock(const Options& options, const std::function<void()>& lock) {
  const auto busy = busy_outcome(options, lock);
  if (busy) print_outcome(*busy, options);
  return !busy;
}

bool take_turn_of_event(OpenHost& open) {
  const bool taken = open.lock_in_turn(event_patience);
  if (!taken) talk("another run waits already and will see all that this one would");
  return taken;
}

void take_turn(OpenHost& open, const Options& options) {
  open.lock(options.boot ? boot_patience : std::chrono::seconds(0),
            options.boot ? RunLock::Purpose::boot : RunLock::Purpose::person);
}

}  // namespace

ExitCode run_apply(const Options& options) {
  std::optional<SavedPlan> saved;
  if (!options.plan.empty()) saved = read_saved_plan(read_plan_file(options.plan), options.plan);
  const auto file = options.boot ? nullptr : saved ? open_saved(*saved, options) : open_spec(options);
  if (!options.boot && !file) return ExitCode::bad_spec;
  OpenHost open(options);
  if (options.coalesce && !take_turn_of_event(open)) return ExitCode::done;
  if (!options.coalesce && !has_lock(options, [&] { take_turn(open, options); })) return ExitCode::busy;
  const Listener listener = listener_for(options);
  if (options.boot) return finish(open, apply_boot(open.host(), listener), options);
  const Wish wish = saved ? wish_of(*file, *saved, options) : wish_of(*file, options);
  return finish(open, apply(open.host(), wish, listener), options);
}

ExitCode run_release(const Options& options) {
  OpenHost open(options);
  if (!has_lock(options, [&] { take_turn(open, options); })) return ExitCode::busy;
  std::size_t released = 0;
  Listener listener = listener_for(options);
  listener.planned = [&released](const Plan& plan) {
    for (const auto& item : plan.items) {
      if (item.cause != Cause::released) continue;
      ++released;
      talk("released: " + printable(item.title()));
    }
  };
  const auto lost = lost_by_release(open.host(), options.released);
  const Outcome outcome = apply(open.host(), release_wish(open.host(), options.released), listener);
  RunLog(options).applied(outcome);
  if (!options.record.empty()) write_private_file(options.record, open.record());
  const bool ended = outcome.message.empty();
  if (ended && !outcome.run.empty()) tell_lost(lost);
  if (options.form == OutputForm::json || !ended) {
    print_outcome(outcome, options);
  } else {
    if (outcome.code != ExitCode::done) print_left_over(outcome);
    print_text(outcome.run.empty()
                   ? "Nothing of it is rdmastate's here: nothing was done.\n"
                   : fmt::format("{} resources are no longer rdmastate's, run {}.\n", released, outcome.run));
  }
  return outcome.code;
}

ExitCode run_rollback(const Options& options) {
  OpenHost open(options);
  const auto lock = [&] { options.run.empty() ? take_turn(open, options) : open.lock_over(deadline_patience); };
  if (!has_lock(options, lock)) return ExitCode::busy;
  const Listener listener = listener_for(options);
  const Outcome outcome = options.run.empty() ? rollback(open.host(), options.force, listener)
                                              : roll_back_unconfirmed(open.host(), options.run, listener);
  RunLog(options).taken_back(outcome);
  if (!options.record.empty()) write_private_file(options.record, open.record());
  if (options.form == OutputForm::json) {
    print_json(run_outcome_json(outcome));
    return outcome.code;
  }
  if (!outcome.message.empty()) talk(outcome.message);
  if (outcome.code == ExitCode::done && (outcome.message.empty() || outcome.moved > 0))
    print_text(
        fmt::format("Run {} is taken back: {} step{}.\n", outcome.run, outcome.moved, outcome.moved == 1 ? "" : "s"));
  return outcome.code;
}

}  // namespace rdmastate
