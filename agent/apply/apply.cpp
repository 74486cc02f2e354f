// SPDX-License-Identifier: Apache-2.0
// Flow of apply(): refuses to begin where it must (not_begun()), else runs an Apply. Apply::run() calls one_round()
// until the plan is empty and the ledger is written; one_round() records the steps (record()), stages and moves them
// (move()), and plans again. What is thrown in between makes take_back() undo all that was recorded.
#include "apply/apply.hpp"

#include <fmt/format.h>

#include "apply/confirm.hpp"
#include "apply/done_steps.hpp"
#include "apply/execute.hpp"
#include "apply/rehearsal.hpp"
#include "apply/run.hpp"
#include "apply/settle.hpp"
#include "apply/undo.hpp"
#include "plan/print.hpp"
#include "plan/verdict.hpp"

namespace rdmastate {
namespace {

constexpr int most_rounds = 8;  // so that apply ends on a host that never becomes what is wanted

std::string join_lines(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, "\n  ")); }

std::optional<Deadline> deadline_of(Host& host, const Wish& wish) {
  if (wish.options.confirm_within == 0) return std::nullopt;
  return deadline_in(host, wish.options.confirm_within);
}

// The exit code by what the plan leaves undone. `release` needs no foreign file, so those that this user may not read
// do not count.
ExitCode code_for(const Wish& wish, const Plan& plan) {
  const std::size_t unseen = plan.count_unseen() - (wish.options.release ? plan.facts.unseen.size() : 0);
  return plan.count_blocked() + unseen > 0 ? ExitCode::could_not : ExitCode::done;
}

// Whether the item would repeat a step that was done. A copy of what other steps write (Kind::copies_others) may be
// made again when a later round changes that.
bool is_again(const RunStep& done, const Item& item) {
  if (done.kind != item.kind || done.key != item.key) return false;
  const auto& to = item.gap.move->to;
  return !item.kind->copies_others || (done.to && to && item.kind->equal(*done.to, *to));
}

// One apply from its first durable record to its end. The plan is not empty, or the ledger alone has to change.
class Apply {
 public:
  Apply(Host& host, const Wish& wish, const Listener& listener, Plan plan)
      : host_(host),
        wish_(wish),
        listener_(listener),
        plan_(std::move(plan)),
        ledger_(plan_.ledger),
        deadline_(deadline_of(host, wish)),
        writer_(host, {plan_.facts.boot_id, wish.options.id, deadline_}) {}

  Outcome run() {
    try {
      for (int round = 0; !plan_.is_empty() || !is_listed_; ++round) {
        check_rounds(round);
        one_round();
      }
      if (host_.is_rehearsal) rehearse_owners();
      check_time();
      writer_.end(deadline_ ? RunEnd::awaiting : RunEnd::finished);
      if (wish_.options.bake) writer_.forget();
    } catch (const std::exception& error) {
      return take_back(error.what());
    }
    return outcome();
  }

 private:
  void one_round();
  void record(const std::vector<RunStep>& taken, const std::vector<RunStep>& steps);
  void move(const std::vector<RoundStep>& round, const std::vector<RunStep>& steps, const std::vector<RunStep>& taken);
  void rehearse_owners();
  void check_rounds(int done) const;
  void tell_begun();
  void check_progress(const Plan& next) const;
  static void check_policy(const Plan& next);
  void check_time() const;
  Outcome take_back(const std::string& why);
  void end_undone();
  Outcome outcome();

  Host& host_;
  const Wish& wish_;
  const Listener& listener_;
  Plan plan_;
  Ledger ledger_;
  std::optional<Deadline> deadline_;
  RunWriter writer_;
  bool has_begun_ = false;                 ///< its first round is recorded
  bool is_armed_ = false;                  ///< the timer of --confirm-within was started, if there is a deadline
  std::vector<RunStep> recorded_;          ///< of all rounds, begun or not: one may have moved the resource of another
  std::vector<RunStep> begun_;             ///< those that one_round() has moved, or tried to move
  bool is_listed_ = false;                 ///< the newest round also wrote the ledger, where the ledger had to change
  std::vector<std::vector<Item>> rounds_;  ///< the items of begun_, without the ledger's
  std::size_t rehearsed_ = 0;              ///< steps that owners would move
};

void Apply::one_round() {
  auto round = steps_of_round(plan_);
  ledger_ = ledger_after(plan_, round, ledger_);
  // The ledger is written in the last round. Where more rounds were expected but the next plan is empty, a round with
  // the ledger alone follows.
  is_listed_ = !plan_.has_more_rounds() || plan_.is_empty();
  if (is_listed_) add_ledger_steps(host_, ledger_, wish_.applied ? wish_.applied() : "", round);
  const auto steps = recorded(round);
  const auto taken = taken_along(host_, round);  // what a step removes for a moment; put_back() makes it again
  record(taken, steps);
  move(round, steps, taken);
  settle(host_, plan_);
  Plan next = settled_plan(host_, wish_, ledger_);
  check_progress(next);
  check_policy(next);
  plan_ = std::move(next);
}

// Makes the round durable, and starts the timer of --confirm-within before the first round is moved.
void Apply::record(const std::vector<RunStep>& taken, const std::vector<RunStep>& steps) {
  auto all = taken;  // first in the record: undo comes to it last
  all.insert(all.end(), steps.begin(), steps.end());
  writer_.record_round(all);
  tell_begun();
  recorded_.insert(recorded_.end(), all.begin(), all.end());
  if (deadline_ && !is_armed_) arm(host_, writer_.id(), *deadline_);
  is_armed_ = true;
}

// Stages and moves the steps of the round, which are `steps` without their lines, and puts back what they took along.
void Apply::move(const std::vector<RoundStep>& round, const std::vector<RunStep>& steps,
                 const std::vector<RunStep>& taken) {
  Executor executor(host_, [&](const std::string& line) { writer_.note(line); });
  executor.stage(steps);
  auto& moved = rounds_.emplace_back();
  DoneSteps done(plan_, round, listener_);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    check_time();
    begun_.push_back(steps[i]);
    if (steps[i].kind->takes_minutes) {
      done.tell();
      listener_.talked(fmt::format("{}: this may take minutes", round[i].line));
    }
    executor.move(steps[i]);
    if (!round[i].item) continue;  // the ledger's own
    moved.push_back(plan_.items[*round[i].item]);
    done.add(i);
  }
  executor.put_back(taken);
  host_.files.sync_directories();
}

// On a recorded host: makes what the owners would make. The steps are recorded with the run, so that rollback undoes
// them too. Several rounds: an interface comes before its addresses.
void Apply::rehearse_owners() {
  for (int round = 0; round < most_rounds; ++round) {
    const OwnersRound owners = owners_round(host_, wish_, plan_, ledger_);
    if (owners.steps.empty()) return;
    const auto steps = recorded(owners.steps);
    writer_.record_round(steps, Whose::owners);
    recorded_.insert(recorded_.end(), steps.begin(), steps.end());
    rehearsed_ += steps.size();
    for (const auto& owner : owners.by)
      listener_.talked(fmt::format("{} was not asked: what it would do is taken as done", owner));
    Executor executor(host_, [&](const std::string& line) { writer_.note(line); });
    for (const auto& step : steps) executor.move(step);
    plan_ = settled_plan(host_, wish_, ledger_);
  }
}

// Only rounds that move something count: that of the ledger alone comes after any of them.
void Apply::check_rounds(int done) const {
  if (done >= most_rounds && !plan_.is_empty())
    throw Error("the host does not become what is wanted: " + plan_.items[plan_.steps[0]].title());
}

// A run has begun once its first round is on the disk. What fails before that is told without the run's id:
// nothing was moved, and the run reads as undone.
void Apply::tell_begun() {
  if (!has_begun_ && listener_.begun) listener_.begun(writer_.id());
  has_begun_ = true;
}

// A step on a key that was moved already means that the host did not keep what it was given.
void Apply::check_progress(const Plan& next) const {
  for (const std::size_t step : next.steps) {
    const Item& item = next.items[step];
    for (const auto& done : begun_)
      if (is_again(done, item)) throw Error(fmt::format("{} was moved and is still not as wanted", item.title()));
  }
}

// A later round is judged anew: what was not there or not seen when the first one was planned may be foreign, or in
// use.
void Apply::check_policy(const Plan& next) {
  if (!next.refusals.empty()) throw Error(fmt::format("refused:\n  {}", join_lines(next.refused())));
}

// A run that is late is taken back at once: its timer would do so anyway.
void Apply::check_time() const {
  if (deadline_ && host_.clock.ticks().count() >= deadline_->ticks)
    throw Error(fmt::format("it took longer than the {} s of --confirm-within", deadline_->seconds));
}

// Notes that the run is undone. On a full disk that cannot be written. That is no failure where no step was recorded:
// such a run reads as undone.
void Apply::end_undone() {
  try {
    writer_.end(RunEnd::undone);
  } catch (const Error&) {
    if (const auto run = newest_run(host_); !run || run->is_open()) throw;
  }
  if (deadline_) disarm(host_, writer_.id());
}

// `kept`: as Undone::kept.
std::string but_for(const std::vector<std::string>& kept) {
  return kept.empty() ? std::string() : "\nBut for this:\n  " + join_lines(kept);
}

// Undoes all that was recorded. `why`: what failed. The outcome says whether the host is as it was before.
Outcome Apply::take_back(const std::string& why) {
  listener_.talked(fmt::format("failed: {}", why));
  listener_.talked("undoing what was done");
  Outcome result;
  if (has_begun_) result.run = writer_.id();
  Undone undone;
  try {
    undone = undo(host_, recorded_);
    if (undone.left.empty()) end_undone();
  } catch (const std::exception& error) {
    undone.left.push_back(error.what());
  }
  result.code = undone.left.empty() ? ExitCode::failed_restored : ExitCode::failed_dirty;
  result.message =
      undone.left.empty()
          ? fmt::format("{}\nThe host is as it was before.{}", why, but_for(undone.kept))
          : fmt::format("{}\nNot everything could be taken back:\n  {}\nMend the cause and run: rdmastate rollback",
                        why, join_lines(undone.left));
  return result;
}

Outcome Apply::outcome() {
  Outcome result;
  result.run = writer_.id();
  for (const auto& round : rounds_) result.moved += round.size();
  result.rounds = std::move(rounds_);
  result.rehearsed = rehearsed_;
  std::erase_if(result.rounds, [](const auto& round) { return round.empty(); });
  if (deadline_) result.confirm_until = deadline_->until;
  result.code = code_for(wish_, plan_);
  result.last = std::move(plan_);
  return result;
}

// Whether the ledger has to forget or to learn something, although nothing is moved.
bool moves_ledger_alone(const Wish& wish, const Plan& plan) {
  const bool lets_go = wish.options.release && std::any_of(plan.items.begin(), plan.items.end(), [](const Item& item) {
                         return item.cause == Cause::released;
                       });
  return lets_go || plan.count_taken_as_they_are() > 0;
}

// The outcome of an apply that moves nothing.
Outcome not_begun(ExitCode code, std::string message, Plan plan) {
  Outcome result;
  result.code = code;
  result.message = std::move(message);
  result.last = std::move(plan);
  return result;
}

// Whether the plan has steps although this user may not read a file that may configure or mount the same: another owner
// may stand in it.
bool is_built_on_unseen(const Wish& wish, const Plan& plan) {
  return !wish.options.release && !plan.is_empty() && !plan.facts.unseen.empty();
}

std::string open_text(const RunRecord& run) {
  if (run.end == RunEnd::awaiting) return awaiting_text(run);
  return fmt::format(
      "run {} was interrupted and is unfinished: run `rdmastate rollback` first, it brings back what was", run.id);
}

// The outcome where an earlier run is open.
Outcome busy_with(const RunRecord& run) {
  Outcome outcome = not_begun(ExitCode::busy, open_text(run), Plan{});
  outcome.busy = run.end == RunEnd::awaiting ? Busy::awaits_confirmation : Busy::interrupted;
  outcome.run = run.id;
  return outcome;
}

}  // namespace

std::string_view to_text(Busy why) {
  if (why == Busy::another_run) return "another_run";
  return why == Busy::interrupted ? "interrupted" : "awaits_confirmation";
}

Outcome apply(Host& host, const Wish& wish, const Listener& listener) {
  if (const auto run = newest_run(host); run && run->is_open()) return busy_with(*run);
  Plan plan = plan_host(host, wish);
  if (wish.objections)
    for (auto& one : wish.objections(plan)) plan.refusals.push_back({std::move(one)});
  listener.planned(plan);
  if (!plan.refusals.empty()) {
    std::string why = fmt::format("refused, nothing was changed:\n  {}", join_lines(plan.refused()));
    return not_begun(ExitCode::refused, std::move(why), std::move(plan));
  }
  if (is_built_on_unseen(wish, plan)) {
    std::string why = fmt::format("nothing was changed:\n  {}", join_lines(unseen_lines(plan)));
    return not_begun(ExitCode::could_not, std::move(why), std::move(plan));
  }
  if (plan.is_empty() && !moves_ledger_alone(wish, plan)) {
    const ExitCode code = code_for(wish, plan);
    return not_begun(code, /*message=*/"", std::move(plan));
  }
  if (wish.options.confirm_within != 0)
    if (const std::string why = why_not_armed(host); !why.empty())
      return not_begun(ExitCode::refused, fmt::format("refused, nothing was changed:\n  {}", why), std::move(plan));
  return Apply(host, wish, listener, std::move(plan)).run();
}

}  // namespace rdmastate
