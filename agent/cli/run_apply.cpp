// SPDX-License-Identifier: Apache-2.0
// The commands apply, release and rollback. Each opens the host, takes the lock (has_lock()), lets agent/apply do the
// work with a listener that prints what happens, and prints the Outcome.
#include <fmt/format.h>
#include <unistd.h>

#include <iterator>
#include <utility>

#include "apply/apply.hpp"
#include "apply/confirm.hpp"
#include "apply/run.hpp"
#include "cli/busy.hpp"
#include "cli/commands.hpp"
#include "cli/history.hpp"
#include "cli/hosts.hpp"
#include "cli/late_hardware.hpp"
#include "cli/output.hpp"
#include "cli/run_log.hpp"
#include "cli/wish.hpp"
#include "plan/print.hpp"

namespace rdmastate {
namespace {

// How long rdmastate.service (`apply --boot`) waits for the lock: less than its TimeoutStartSec, 90 s.
constexpr std::chrono::seconds boot_patience{60};
// A run that an event asked for must not give up, since later ones leave their work to it (--coalesce); nor one that
// waits for hardware (--wait), since its coming starts such runs. So they wait longer than any apply takes.
constexpr std::chrono::seconds event_patience{600};
// How long `rollback --unconfirmed` waits for an apply that is over its deadline. The apply notices that between two
// steps, and undoes its run itself.
constexpr std::chrono::seconds deadline_patience{20};

Listener listener_for(const Options& options) {
  const Paint paint(wants_colour(options, STDERR_FILENO));
  return {
      .planned =
          [paint, &options](const Plan& plan) {
            print_remarks(plan, options);
            if (const std::string much = much_goes_line(plan); !much.empty()) talk(paint.yellow(much));
            if (!plan.is_empty()) talk(paint.dim(count_line(plan)));
            for (const auto& item : plan.items)
              if (!item.warning.empty()) talk(paint.yellow("warning: ") + printable(item.warning));
          },
      .stepped = [paint](const std::string& line) { talk(paint.green("  done  ") + printable(line)); },
      .talked = [paint](const std::string& line) { talk(paint.yellow("  ") + printable(line)); },
      .begun = [log = RunLog(options)](const std::string& run) { log.begun(run); },
  };
}

void print_left_over(const Outcome& outcome, const Options& options) {
  const std::string left = left_text(outcome.last, Paint(wants_colour(options, STDERR_FILENO)));
  if (!left.empty()) talk("Left as it is:\n" + left.substr(0, left.size() - 1));
  if (!outcome.message.empty()) return;  // the message names them where they are why nothing was done
  for (const auto& line : unseen_lines(outcome.last)) talk(printable(line));
}

// A release leaves resources as they are now, but those that only rdmastate makes at boot are gone after the next one.
void warn_of_lost(const std::vector<std::string>& lost) {
  for (const auto& one : lost)
    talk("the next boot will not have this, unless another program sets it: " + printable(one));
}

Json rounds_json(const Outcome& outcome) {
  Json rounds = Json::array();
  for (const auto& moved : outcome.rounds) {
    Json round = Json::array();
    for (const auto& item : moved) round.push_back(step_json(item));
    rounds.push_back(std::move(round));
  }
  return rounds;
}

Disruption disruption_of(const Outcome& outcome) {
  Disruption most = Disruption::none;
  for (const auto& moved : outcome.rounds)
    for (const auto& item : moved) most = std::max(most, item.disruption);
  return most;
}

/// Diagnostics and notes of the first plan: what they warn of may be over when its steps are done.
struct FirstPlan {
  bool is_made = false;
  Json diagnostics = Json::array();
  Json notes = Json::array();

  /// The listener, which stores them here too where the result is JSON. This object must outlive it.
  Listener listener_that_stores(Listener listener, const SpecFile* file, const Options& options) {
    if (options.form != OutputForm::json) return listener;
    listener.planned = [this, file, tell = std::move(listener.planned)](const Plan& plan) {
      tell(plan);
      if (std::exchange(is_made, true)) return;
      notes = Json::array_of(notes_of(plan));
      if (file != nullptr) diagnostics = diagnostics_json({&file->report, &plan.remarks});
    };
    return listener;
  }
};

Json outcome_json(const Outcome& outcome, const FirstPlan& first_plan) {
  Json json{{"format_version", 1},
            {"exit_code", static_cast<int>(outcome.code)},
            {"changed", outcome.moved > 0 || outcome.code == ExitCode::failed_dirty},
            {"moved", outcome.moved},
            {"rounds", rounds_json(outcome)},
            {"disruption", to_text(disruption_of(outcome))},
            {"reboot_required", outcome.last.needs_reboot()},
            {"diagnostics", first_plan.diagnostics},
            {"notes", first_plan.notes},
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

// `more`: " more" where an earlier apply of this command did something, else empty.
void print_outcome(const Outcome& outcome, const Options& options, const FirstPlan& first_plan = {},
                   std::string_view more = {}) {
  if (options.form == OutputForm::json) {
    print_json(outcome_json(outcome, first_plan));
    return;
  }
  print_left_over(outcome, options);
  if (!outcome.message.empty()) talk(outcome.message);
  if (outcome.code != ExitCode::done && outcome.code != ExitCode::could_not) return;
  if (outcome.moved == 0 && outcome.code == ExitCode::could_not)
    return print_text(fmt::format("Nothing{} was done: what is left is named above.\n", more));
  if (outcome.moved == 0)
    return print_text(fmt::format("Nothing{} to do: the host is as the spec says, as far as it can be now.\n{}", more,
                                  confirm_text(outcome)));
  std::string text = "Applied: " + count_of_steps(outcome.moved);
  if (!outcome.run.empty()) text += ", run " + outcome.run;
  if (outcome.rehearsed > 0) text += fmt::format(". Taken as done by their owners: {}", outcome.rehearsed);
  print_text(text + ".\n" + confirm_text(outcome));
}

// Takes the lock. Where another run holds it: with -o json prints that and returns false, otherwise throws Error(busy).
bool has_lock(const Options& options, const std::function<void()>& lock) {
  const auto busy = busy_outcome(options, lock);
  if (busy) print_outcome(*busy, options);
  return !busy;
}

// Takes the lock after those that wait; false where one that waits already does this run's work.
bool take_turn_of_event(OpenHost& open) {
  const bool taken = open.lock_in_turn(event_patience);
  if (!taken) talk("another run waits already and will see all that this one would");
  return taken;
}

std::chrono::seconds patience_of(const Options& options) {
  if (options.boot) return boot_patience;
  return options.wait > 0 ? event_patience : std::chrono::seconds(0);
}

void take_turn(OpenHost& open, const Options& options) {
  open.lock(patience_of(options), options.boot ? RunLock::Purpose::boot : RunLock::Purpose::person);
}

// Lets other runs work while it waits for hardware, and takes the lock again. It does not wait beside an open run,
// which ends an apply; the caller holds the lock, so no other process is at work on that run.
void await_unlocked(OpenHost& open, const Wish& wish, const Options& options, std::chrono::milliseconds until) {
  if (const auto run = newest_run(open.host()); run && run->is_open()) return;
  open.unlock();
  await_hardware(open.host(), wish, until);
  take_turn(open, options);
}

// Applies once, with --wait when its hardware is there or `until` is over. The caller holds the lock.
Outcome apply_in_time(OpenHost& open, const std::optional<Wish>& wish, const Options& options,
                      std::chrono::milliseconds until, const Listener& listener) {
  if (!wish) return apply_boot(open.host(), listener);
  std::optional<Outcome> busy;
  if (options.wait > 0) busy = busy_outcome(options, [&] { await_unlocked(open, *wish, options, until); });
  return busy ? std::move(*busy) : apply(open.host(), *wish, listener);
}

// Whether another apply could do what this one had to leave, once hardware comes: a module that it loaded brings none
// at once.
bool lacks_hardware_after(const Outcome& outcome) {
  const bool stands = outcome.code == ExitCode::done || outcome.code == ExitCode::could_not;
  return stands && outcome.confirm_until == 0 && lacks_hardware(outcome.last);
}

// What two applies did one after the other, as one outcome.
Outcome joined(Outcome before, Outcome after) {
  after.moved += before.moved;
  after.rehearsed += before.rehearsed;
  if (after.run.empty()) after.run = std::move(before.run);
  std::move(after.rounds.begin(), after.rounds.end(), std::back_inserter(before.rounds));
  after.rounds = std::move(before.rounds);
  return after;
}

Outcome ended_by(const Error& error, Outcome& before) {
  Outcome outcome;
  outcome.code = error.code();
  outcome.message = error.what();
  outcome.last = std::move(before.last);
  return outcome;
}

// The same after an apply that stands (`before`): an error that ends it is its outcome, so that the result tells of
// both.
Outcome apply_after(Outcome& before, OpenHost& open, const Wish& wish, const Options& options,
                    std::chrono::milliseconds until, const Listener& listener) {
  try {
    return apply_in_time(open, wish, options, until, listener);
  } catch (const Misfit& misfit) {
    if (options.form != OutputForm::json) print_report(misfit.report, options);
    return ended_by(misfit, before);
  } catch (const NobodyReads&) {
    throw;
  } catch (const Error& error) {
    return ended_by(error, before);
  }
}

// Applies, with --wait once more while hardware is late. People are told of each apply when it ends; the result is of
// all.
Outcome apply_all(OpenHost& open, const std::optional<Wish>& wish, const Options& options, const Listener& listener) {
  const auto until = open.host().clock.ticks() + std::chrono::seconds(options.wait);
  Outcome whole;
  for (bool goes_on = true; goes_on;) {
    const bool is_again = whole.moved > 0;
    Outcome outcome = is_again ? apply_after(whole, open, *wish, options, until, listener)
                               : apply_in_time(open, wish, options, until, listener);
    goes_on = lacks_hardware_after(outcome) && open.host().clock.ticks() < until;
    RunLog(options).applied(outcome);
    if (!options.record.empty()) write_private_file(options.record, open.record());
    if (options.form != OutputForm::json) print_outcome(outcome, options, {}, is_again ? " more" : "");
    whole = joined(std::move(whole), std::move(outcome));
  }
  return whole;
}

}  // namespace

// The spec to apply; null with --boot, which reads none, and where the spec is wrong.
std::unique_ptr<SpecFile> spec_to_apply(const Options& options, const std::optional<SavedPlan>& saved) {
  if (options.boot) return nullptr;
  return saved ? open_saved(*saved, options) : open_spec(options);
}

// What the spec and the options ask of a host; of none with --boot.
std::optional<Wish> wish_to_apply(SpecFile* file, const std::optional<SavedPlan>& saved, const Options& options) {
  if (file == nullptr) return std::nullopt;
  return saved ? wish_of(*file, *saved, options) : wish_of(*file, options);
}

ExitCode run_apply(const Options& options) {
  std::optional<SavedPlan> saved;
  if (!options.plan.empty()) saved = read_saved_plan(read_plan_file(options.plan), options.plan);
  const auto file = spec_to_apply(options, saved);
  if (!options.boot && !file) return ExitCode::bad_spec;
  OpenHost open(options);
  const auto wish = wish_to_apply(file.get(), saved, options);
  if (options.coalesce && !take_turn_of_event(open)) return ExitCode::done;
  if (!options.coalesce && !has_lock(options, [&] { take_turn(open, options); })) return ExitCode::busy;
  FirstPlan first_plan;
  const Listener listener = first_plan.listener_that_stores(listener_for(options), file.get(), options);
  const Outcome outcome = apply_all(open, wish, options, listener);
  if (options.form == OutputForm::json) print_outcome(outcome, options, first_plan);
  return outcome.code;
}

namespace {

// The titles of what the release lets go, or would let go.
std::vector<std::string> released_titles(const Plan& plan) {
  std::vector<std::string> titles;
  for (const auto& item : plan.items)
    if (item.cause == Cause::released) titles.push_back(printable(item.title()));
  return titles;
}

// A release often changes the ledger alone, which `moved` does not count: `begun` says whether there was anything to
// let go.
Json release_json(const Outcome& outcome, const FirstPlan& first_plan, const std::vector<std::string>& titles,
                  bool begun) {
  Json json = outcome_json(outcome, first_plan);
  json["changed"] = begun || outcome.code == ExitCode::failed_dirty;
  json["released"] = Json::array_of(titles);
  return json;
}

void print_release(const Outcome& outcome, const std::vector<std::string>& titles, const Options& options) {
  if (outcome.code != ExitCode::done) print_left_over(outcome, options);
  print_text(outcome.run.empty() ? "Nothing of it is rdmastate's here: nothing was done.\n"
                                 : fmt::format("{} resource{} no longer rdmastate's, run {}.\n", titles.size(),
                                               titles.size() == 1 ? " is" : "s are", outcome.run));
}

// Prints what a release would let go. It changes nothing, so it takes no lock.
ExitCode rehearse_release(OpenHost& open, const Options& options) {
  Outcome outcome;
  outcome.last = plan_host(open.host(), release_wish(open.host(), options.released));
  const auto titles = released_titles(outcome.last);
  if (options.form == OutputForm::json) {
    print_json(release_json(outcome, {}, titles, !titles.empty()));
  } else {
    for (const auto& one : titles) print_text("would be released: " + one + "\n");
    print_text(
        fmt::format("{} resource{} would no longer be rdmastate's.\n", titles.size(), titles.size() == 1 ? "" : "s"));
  }
  return ExitCode::done;
}

}  // namespace

ExitCode run_release(const Options& options) {
  OpenHost open(options);
  if (options.dry_run) return rehearse_release(open, options);
  if (!has_lock(options, [&] { take_turn(open, options); })) return ExitCode::busy;
  std::vector<std::string> titles;
  Listener listener = listener_for(options);
  listener.planned = [&titles](const Plan& plan) {
    titles = released_titles(plan);
    for (const auto& one : titles) talk("released: " + one);
  };
  const auto lost = lost_by_release(open.host(), options.released);
  const Outcome outcome = apply(open.host(), release_wish(open.host(), options.released), listener);
  RunLog(options).applied(outcome);
  if (!options.record.empty()) write_private_file(options.record, open.record());
  const bool is_done = outcome.message.empty();
  if (is_done && !outcome.run.empty()) warn_of_lost(lost);
  if (options.form == OutputForm::json)
    print_json(release_json(outcome, {}, titles, is_done && !outcome.run.empty()));
  else if (is_done)
    print_release(outcome, titles, options);
  else
    print_outcome(outcome, options);
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
    print_text(fmt::format("Run {} is taken back: {}.\n", outcome.run, count_of_steps(outcome.moved)));
  return outcome.code;
}

}  // namespace rdmastate
