// SPDX-License-Identifier: Apache-2.0
// Flow of undo() and roll_back(): a WayBack gets one step of each key. look() observes all keys and marks the steps
// that need no move (stays_); roll_back() also marks what others changed (give_up()). go() moves the others back
// (pass()), and once more what is then not back (settle()).
#include "apply/undo.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <set>

#include "base/error.hpp"
#include "base/fields_diff.hpp"
#include "host/temporary.hpp"
#include "resources/file/file.hpp"
#include "resources/link_table.hpp"
#include "resources/without.hpp"

namespace rdmastate {
namespace {

// Whether the boot is still that of the run.
enum class Boot { same, another };

// Whether the observed state is as `to` says. A field that `to` leaves alone does not count: the kernel may have moved
// it.
bool is_as_left(const Kind& kind, const State* observed, const State* to) {
  if (observed == nullptr || to == nullptr) return observed == to;
  if (kind.is_as_left != nullptr) return kind.is_as_left(*observed, *to);
  return diff(kind.record(), observed->raw(), to->raw()).empty();
}

// Whether the observed state is that from before the step. In another boot only the fields of `from` count: it lacks
// those that went with the boot (forget_runtime).
bool is_as_before(const Kind& kind, const State* observed, const State* from, Boot boot) {
  if (boot == Boot::another || observed == nullptr || from == nullptr) return is_as_left(kind, observed, from);
  return kind.equal(*observed, *from);
}

// Whether the state has a value beside those that tell resources apart.
bool has_values(const State& state) {
  const auto& fields = state.kind().record().fields;
  return std::any_of(fields.begin(), fields.end(), [&](const FieldInfo& field) {
    return !field.rules.identity && field.look(state.raw()) != nullptr;
  });
}

// Removes the fields that a program held, which went with the boot. A state with no other fields becomes absent.
void forget_runtime(std::optional<State>& state) {
  if (!state) return;
  state = without(*state, [](const FieldInfo& field) { return field.rules.runtime; });
  if (!has_values(*state)) state.reset();
}

using Observations = std::vector<Observation>;

Observations observe_all(Host& host, const std::vector<RunStep>& steps) {
  const Snapshot snapshot(host);
  Observations observed;
  for (const auto& step : steps) observed.push_back(step.kind->observe(snapshot, step.key));
  return observed;
}

// Whether the step left a state that nothing brings back (Kind::no_way_back).
bool has_no_way_back(const RunStep& step) { return step.from && !step.kind->no_way_back(*step.from).empty(); }

bool is_back(const RunStep& step, const Observation& observed, Boot boot) {
  if (std::holds_alternative<Unseen>(observed)) return false;
  if (has_no_way_back(step)) return true;
  const State* now = state_of(observed);
  if (now != nullptr && step.from && step.kind->is_back != nullptr) return step.kind->is_back(*now, *step.from);
  return is_as_before(*step.kind, now, pointer(step.from), boot) || (step.kind->may_stay && !step.from);
}

// Whether it copies the files of other steps, as an initrd does, and is absent: an absent copy holds nothing wrong.
bool has_no_copy(const RunStep& step, const Observation& observed) {
  return step.kind->copies_others && std::holds_alternative<Absent>(observed);
}

// Whether the step's resource needs the one of the other step.
bool stands_on(const RunStep& step, const RunStep& other) {
  const auto needs = step.kind->needs(step.key, pointer(step.to));
  return std::find(needs.begin(), needs.end(), Ref{other.kind->name, other.key}) != needs.end();
}

// The order of undo: newest first, but kinds that copy or read the files of other steps come when those are back.
std::vector<std::size_t> backwards(const std::vector<RunStep>& steps) {
  std::vector<std::size_t> order;
  for (std::size_t i = steps.size(); i-- > 0;) order.push_back(i);
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return !steps[i].kind->copies_others && !steps[i].kind->reads_others; });
  return order;
}

// Takes steps back, one of each key.
class WayBack {
 public:
  WayBack(Host& host, std::vector<RunStep> steps, Boot boot) : host_(host), steps_(std::move(steps)), boot_(boot) {}

  void look();
  void leave_to_others(const RunRecord& run);
  void give_up(const RunRecord& run, const RollBack& how);
  const std::vector<Ref>& left_alone() const { return left_alone_; }
  Undone go();

 private:
  /// Whether step i's resource may not be read, which does not mean that it is absent.
  bool is_unseen(std::size_t i) const { return std::holds_alternative<Unseen>(observed_[i]); }
  std::string unseen_text(std::size_t i) const;
  void note_copies();
  void pass();
  bool are_back();
  bool leave_filled();
  void settle();
  void tell_no_way_back();
  void tell_left();
  bool went_with_bringer(std::size_t i) const;
  bool others_changed(std::size_t i, const RunRecord& run) const;

  Host& host_;
  std::vector<RunStep> steps_;
  Boot boot_;
  Observations observed_ = {};
  std::vector<bool> stays_ = {};                      ///< by step: it needs no move, or no further one
  std::map<std::size_t, std::string> given_up_ = {};  ///< with the sentence why
  std::vector<Ref> left_alone_ = {};                  ///< of given_up_ what others changed
  std::set<std::size_t> filled_ = {};                 ///< directories that the last pass found others' files in
  Undone undone_ = {};
};

// Observes every key first, so that a half-done step is moved from the state that it left.
void WayBack::look() {
  note_copies();
  observed_ = observe_all(host_, steps_);
  stays_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i)
    stays_[i] = is_unseen(i) || is_as_before(*steps_[i].kind, state_of(observed_[i]), pointer(steps_[i].from), boot_) ||
                has_no_copy(steps_[i], observed_[i]) || went_with_bringer(i);
}

std::string WayBack::unseen_text(std::size_t i) const {
  return fmt::format("{}: {}", title(steps_[i]), std::get<Unseen>(observed_[i]).reason);
}

// Of a finished run: drops the steps that removed something only for a moment and whose resource is absent now. The run
// had put it back, so another program has removed it since.
void WayBack::leave_to_others(const RunRecord& run) {
  if (run.is_half_done()) return;
  std::vector<RunStep> steps;
  Observations observed;
  std::vector<bool> stays;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (leads_nowhere(steps_[i]) && std::holds_alternative<Absent>(observed_[i])) continue;
    steps.push_back(std::move(steps_[i]));
    observed.push_back(std::move(observed_[i]));
    stays.push_back(stays_[i]);
  }
  std::swap(steps_, steps), std::swap(observed_, observed), std::swap(stays_, stays);
}

// Marks the steps that are not moved back: what other programs changed since, and at boot what takes minutes.
void WayBack::give_up(const RunRecord& run, const RollBack& how) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (stays_[i]) continue;
    const bool for_later = how.at_boot && steps_[i].kind->takes_minutes;
    if (!for_later && (how.force || !others_changed(i, run))) continue;
    stays_[i] = true;
    given_up_.emplace(
        i, title(steps_[i]) + (for_later ? " is for later, not for the time of the boot"
                                         : " was changed by another program since: left as it is (--force undoes it)"));
    if (!for_later) left_alone_.push_back({steps_[i].kind->name, steps_[i].key});
  }
}

// Whether another program changed it since the run. Of a run whose rollback was interrupted only the list of that
// rollback tells: the other steps may be back already, and so not as the run left them.
bool WayBack::others_changed(std::size_t i, const RunRecord& run) const {
  const RunStep& step = steps_[i];
  if (run.end == RunEnd::unfinished) return false;
  if (run.end != RunEnd::half_back) return !is_as_left(*step.kind, state_of(observed_[i]), pointer(step.to));
  const auto& left = run.left_alone;
  return std::find(left.begin(), left.end(), Ref{step.kind->name, step.key}) != left.end();
}

// Where a sync or an observation fails, its message is added to `left`, whatever was moved by then.
Undone WayBack::go() {
  try {
    pass();
    settle();
  } catch (const Error& error) {
    undone_.left.push_back(error.what());
  }
  for (auto& [step, reason] : given_up_) undone_.left.push_back(std::move(reason));
  undone_.others = left_alone_.size();
  return std::move(undone_);
}

// Whether a volatile resource needs no move of its own, because an earlier step that had made it appear is back
// (the bringer, Kind::brings_others: a module, a unit, a port's type). Where the run made the bringer, both are absent
// again. Where the run changed the bringer, it is as before, and the resource is absent or needs it (stands_on()).
bool WayBack::went_with_bringer(std::size_t i) const {
  if (steps_[i].kind->durable) return false;
  for (std::size_t before = 0; before < i; ++before) {
    const RunStep& bringer = steps_[before];
    if (!bringer.kind->brings_others) continue;
    const bool absent = std::holds_alternative<Absent>(observed_[i]);
    if (absent && !bringer.from && std::holds_alternative<Absent>(observed_[before])) return true;
    const bool is_bringer_back = bringer.from && is_back(bringer, observed_[before], boot_);
    if (is_bringer_back && (absent || stands_on(steps_[i], bringer))) return true;
  }
  return false;
}

// Lets kinds that copy the files of other steps note what their copies hold (Kind::stage): once those files go back,
// that cannot be told.
void WayBack::note_copies() {
  LinkTable links(host_);
  Tools tools{host_, links};
  for (const auto& step : steps_) {
    if (!step.kind->copies_others) continue;
    try {
      step.kind->stage(tools, step.key, nullptr);
    } catch (const Error&) {
      continue;  // at worst the copy is made once more than needed
    }
  }
}

// A step that fails does not keep the others from going back.
void WayBack::pass() {
  filled_.clear();
  LinkTable links(host_);
  Tools tools{host_, links};
  for (const std::size_t i : backwards(steps_)) {
    if (stays_[i] || is_unseen(i)) continue;
    const auto& step = steps_[i];
    try {
      step.kind->move(tools, step.key, state_of(observed_[i]), pointer(step.from));
      if (is_told(step)) ++undone_.moved;
    } catch (const Error& error) {
      const auto* refused = dynamic_cast<const SystemError*>(&error);
      if (refused != nullptr && refused->number() == ENOTEMPTY) filled_.insert(i);
      undone_.left.push_back(fmt::format("{}: {}", title(step), error.what()));
      links.forget();
    }
  }
  host_.files.discard_staged();  // what an earlier call could not remove
  host_.files.sync_directories();
}

// Observes all keys again and marks those that are back; whether all are, but for those given up.
bool WayBack::are_back() {
  observed_ = observe_all(host_, steps_);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    stays_[i] = given_up_.contains(i) || is_back(steps_[i], observed_[i], boot_) ||
                has_no_copy(steps_[i], observed_[i]) || went_with_bringer(i);
  return std::find(stays_.begin(), stays_.end(), false) == stays_.end();
}

// A directory of rdmastate that holds foreign files stays (`kept`), and the undo is complete all the same.
bool WayBack::leave_filled() {
  for (const std::size_t i : filled_) {
    if (stays_[i]) continue;
    undone_.kept.push_back(fmt::format("{} stays: others keep files in it", title(steps_[i])));
    stays_[i] = true;
  }
  return std::find(stays_.begin(), stays_.end(), false) == stays_.end();
}

// What is not back after one pass may have waited for another step: there is a second pass, and what is then not back
// is named. A step that failed and whose resource is back is no failure: it went with another one.
void WayBack::settle() {
  bool all = are_back();
  if (!all) {
    undone_.left.clear();
    pass();
    all = are_back() || leave_filled();
  }
  if (all) undone_.left.clear();
  tell_no_way_back();
  tell_left();
}

// Adds to `kept` the steps that count as back although nothing brings their old state back.
void WayBack::tell_no_way_back() {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const RunStep& step = steps_[i];
    if (!has_no_way_back(step) || !stays_[i] || given_up_.contains(i)) continue;
    if (is_as_left(*step.kind, state_of(observed_[i]), pointer(step.from))) continue;
    undone_.kept.push_back(fmt::format("{} is not as it was: {}", title(step), step.kind->no_way_back(*step.from)));
  }
}

// Adds to `left` the steps that are not back.
void WayBack::tell_left() {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (!stays_[i])
      undone_.left.push_back(is_unseen(i) ? unseen_text(i) : fmt::format("{} is not as it was", title(steps_[i])));
}

// The first `from` of each key is where the run found it; later steps on the same key only lead away from it.
std::vector<RunStep> first_of_each_key(const std::vector<RunStep>& steps) {
  std::vector<RunStep> first;
  std::map<std::pair<std::string_view, std::string>, std::size_t> at;
  for (const auto& step : steps) {
    const auto [entry, is_new] = at.emplace(std::pair(step.kind->name, step.key), first.size());
    if (is_new) {
      first.push_back(step);
    } else {
      first[entry->second].to = step.to;
    }
  }
  return first;
}

// Removes what a dead process wrote beside its targets and never renamed, in the directories of the steps' files.
void sweep_temporary(Host& host, const std::vector<RunStep>& steps) {
  std::set<std::string> directories;
  for (const auto& step : steps)
    if (step.kind->durable) directories.insert(parent_path(step.kind->file_of_key(step.key)));
  for (const auto& directory : directories)
    for (const auto& name : host.files.list(directory))
      if (is_temporary(name)) host.files.remove((directory == "/" ? "" : directory) + "/" + name);
}

// What there is to take back: in another boot or a tree nothing volatile; in another boot also no field that a program
// held.
std::vector<RunStep> to_take_back(const Host& host, const RunRecord& run, Boot boot) {
  auto steps = first_of_each_key(run.steps);
  std::erase_if(steps,
                [&](const RunStep& step) { return !step.kind->durable && (boot == Boot::another || host.is_tree()); });
  if (boot == Boot::same) return steps;
  for (auto& step : steps) {
    forget_runtime(step.from);
    forget_runtime(step.to);
  }
  return steps;
}

// Removes what the failed apply has staged, so that undo does not rename it into place. Where that fails, pass() does
// it again.
void forget_staged(Host& host) {
  try {
    host.files.discard_staged();
  } catch (const Error&) {
    return;
  }
}

// Marks the run when its rollback is over. Where the mark cannot be written, it is not over.
void mark_over(Host& host, const RunRecord& run, Undone& undone) {
  const bool as_it_stood = undone.is_over() && run.end != RunEnd::unfinished;  // `rollback --force` may follow
  try {
    if (undone.left.empty()) {
      mark(host, run.id, RunEnd::rolled_back);
    } else if (as_it_stood) {
      mark(host, run.id, run.stood);
    }
  } catch (const Error& error) {
    undone.left.push_back(error.what());
  }
}

}  // namespace

Undone undo(Host& host, const std::vector<RunStep>& steps) {
  forget_staged(host);
  WayBack way_back(host, first_of_each_key(steps), Boot::same);
  way_back.look();
  return way_back.go();
}

Undone roll_back(Host& host, const RunRecord& run, const std::string& boot_id, const RollBack& how) {
  const Boot boot = run.boot_id == boot_id ? Boot::same : Boot::another;
  sweep_temporary(host, run.steps);
  WayBack way_back(host, to_take_back(host, run, boot), boot);
  way_back.look();
  way_back.leave_to_others(run);
  way_back.give_up(run, how);
  // An interrupted run or rollback is marked already.
  const bool goes_on = run.end == RunEnd::unfinished || (run.end == RunEnd::half_back && !how.force);
  if (!goes_on) mark_rolling_back(host, run.id, way_back.left_alone());
  Undone undone = way_back.go();
  mark_over(host, run, undone);
  return undone;
}

}  // namespace rdmastate
