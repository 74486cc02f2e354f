// SPDX-License-Identifier: Apache-2.0
#include "apply/undo.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/fields_diff.hpp"
#include "host/temporary.hpp"
#include "resources/file.hpp"
#include "resources/link_table.hpp"

namespace rdmastate {
namespace {

const State* pointer(const std::optional<State>& state) { return state ? &*state : nullptr; }

// Whether the boot is still that of the run.
enum class Boot { same, another };

// As far as `to` says anything: the kernel may have moved a field that it left alone.
bool is_still(const Kind& kind, const State* observed, const State* to) {
  if (observed == nullptr || to == nullptr) return observed == to;
  return diff(kind.record(), observed->raw(), to->raw()).empty();
}

// What is recorded as `from` leaves out after a reboot what went with the boot.
bool same(const Kind& kind, const State* observed, const State* from, Boot boot) {
  if (boot == Boot::another || observed == nullptr || from == nullptr) return is_still(kind, observed, from);
  return kind.equal(*observed, *from);
}

// Less what a program held of a durable resource: that went with the boot.
void forget_runtime(std::optional<State>& state) {
  if (!state) return;
  Json json = state->kind().to_json(*state);
  for (const auto& field : state->kind().record().fields)
    if (field.rules.runtime) json.erase(std::string(field.name));
  state = state->kind().from_json(json);
}

std::string title(const RunStep& step) {
  const State* state = step.from ? &*step.from : pointer(step.to);
  return fmt::format("{} {}", step.kind->name, step.kind->title(step.key, state));
}

using Observations = std::vector<Observation>;

Observations observe_all(Host& host, const std::vector<RunStep>& steps) {
  const Snapshot snapshot(host);
  Observations observed;
  for (const auto& step : steps) observed.push_back(step.kind->observe(snapshot, step.key));
  return observed;
}

bool is_back(const RunStep& step, const Observation& observed, Boot boot) {
  const State* now = state_of(observed);
  if (now != nullptr && step.from && step.kind->is_back != nullptr) return step.kind->is_back(*now, *step.from);
  return same(*step.kind, now, pointer(step.from), boot) || (step.kind->may_stay && !step.from);
}

bool stands_on(const RunStep& step, const RunStep& other) {
  const auto needs = step.kind->needs(step.key, pointer(step.to));
  return std::find(needs.begin(), needs.end(), Ref{other.kind->name, other.key}) != needs.end();
}

// What a step of this run brought goes with it again: gone is then how it was before the run, and so is whatever is now
// where a port has another type again.
bool went_with_bringer(const std::vector<RunStep>& steps, const Observations& observed, std::size_t i, Boot boot) {
  for (std::size_t before = 0; before < i; ++before) {
    const RunStep& bringer = steps[before];
    if (!bringer.kind->brings_others) continue;
    const bool absent = state_of(observed[i]) == nullptr;
    if (absent && !bringer.from && state_of(observed[before]) == nullptr) return true;
    const bool back = bringer.from && is_back(bringer, observed[before], boot);
    if (back && (absent || stands_on(steps[i], bringer))) return true;
  }
  return false;
}

// Newest first; but what is made of others' results comes when those are back.
std::vector<std::size_t> backwards(const std::vector<RunStep>& steps) {
  std::vector<std::size_t> order;
  for (std::size_t i = steps.size(); i-- > 0;) order.push_back(i);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return !steps[i].kind->copies_others; });
  return order;
}

// What is made of others' results can be told only until those go back.
void remember(Host& host, const std::vector<RunStep>& steps) {
  LinkTable links(host);
  Tools tools{host, links};
  for (const auto& step : steps) {
    if (!step.kind->copies_others) continue;
    try {
      step.kind->stage(tools, step.key, nullptr);
    } catch (const Error&) {
      continue;  // at worst it is made once more than needed
    }
  }
}

// One pass. A step that fails does not keep the others from going back.
void pass(Host& host, const std::vector<RunStep>& steps, const std::vector<bool>& skip, const Observations& observed,
          Undone& undone) {
  LinkTable links(host);
  Tools tools{host, links};
  for (const std::size_t i : backwards(steps)) {
    if (skip[i]) continue;
    const auto& step = steps[i];
    try {
      step.kind->move(tools, step.key, state_of(observed[i]), pointer(step.from));
      ++undone.moved;
    } catch (const Error& error) {
      undone.left.push_back(fmt::format("{}: {}", title(step), error.what()));
      links.forget();
    }
  }
  host.files.sync_directories();
}

// What is not back after one pass may have been in the way of another: one more try, then it is named.
void settle(Host& host, const std::vector<RunStep>& steps, const std::set<std::size_t>& given_up, Boot boot,
            Undone& undone) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto observed = observe_all(host, steps);
    std::vector<bool> skip(steps.size());
    bool all = true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      skip[i] =
          given_up.contains(i) || is_back(steps[i], observed[i], boot) || went_with_bringer(steps, observed, i, boot);
      all = all && skip[i];
    }
    if (all) {
      if (attempt > 0) undone.left.clear();
      return;
    }
    if (attempt == 0) {
      undone.left.clear();
      pass(host, steps, skip, observed, undone);
      continue;
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (!skip[i]) undone.left.push_back(fmt::format("{} is not as it was", title(steps[i])));
  }
}

// The first `from` of each key is where the run found it; later steps on the same key only lead away from it.
std::vector<RunStep> first_of_each_key(const std::vector<RunStep>& steps) {
  std::vector<RunStep> first;
  std::map<std::pair<std::string_view, std::string>, std::size_t> at;
  for (const auto& step : steps) {
    const auto [found, fresh] = at.emplace(std::pair(step.kind->name, step.key), first.size());
    if (fresh) {
      first.push_back(step);
    } else {
      first[found->second].to = step.to;
    }
  }
  return first;
}

// What a dead process wrote beside its targets and never renamed: whole files, and those that entries stand in.
void sweep_temporary(Host& host, const std::vector<RunStep>& steps) {
  std::set<std::string> directories;
  for (const auto& step : steps)
    if (step.kind->durable) directories.insert(parent_path(step.kind->file_of_key(step.key)));
  for (const auto& directory : directories)
    for (const auto& name : host.files.list(directory))
      if (is_temporary(name)) host.files.remove((directory == "/" ? "" : directory) + "/" + name);
}

}  // namespace

Undone undo(Host& host, const std::vector<RunStep>& begun) {
  Undone undone;
  host.files.discard_staged();
  const auto steps = first_of_each_key(begun);
  remember(host, steps);
  const auto observed = observe_all(host, steps);
  std::vector<bool> skip(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    skip[i] = same(*steps[i].kind, state_of(observed[i]), pointer(steps[i].from), Boot::same) ||
              went_with_bringer(steps, observed, i, Boot::same);
  pass(host, steps, skip, observed, undone);
  settle(host, steps, {}, Boot::same, undone);
  return undone;
}

Undone roll_back(Host& host, const RunRecord& run, const std::string& boot_id, const RollBack& how) {
  Undone undone;
  const Boot boot = run.boot_id == boot_id ? Boot::same : Boot::another;
  std::vector<RunStep> steps = first_of_each_key(run.steps);
  sweep_temporary(host, steps);
  std::erase_if(steps,
                [&](const RunStep& step) { return !step.kind->durable && (boot == Boot::another || host.is_tree()); });
  if (boot == Boot::another)
    for (auto& step : steps) {
      forget_runtime(step.from);
      forget_runtime(step.to);
    }
  remember(host, steps);
  const auto observed = observe_all(host, steps);
  std::vector<bool> skip(steps.size());
  std::set<std::size_t> given_up;
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const State* now = state_of(observed[i]);
    skip[i] = same(*steps[i].kind, now, pointer(steps[i].from), boot) || went_with_bringer(steps, observed, i, boot);
    if (!skip[i] && how.at_boot && steps[i].kind->copies_others) {
      skip[i] = true;
      given_up.insert(i);
      changed.push_back(fmt::format("{} is for later, not for the time of the boot", title(steps[i])));
    }
    if (skip[i] || how.force || run.end == RunEnd::unfinished || is_still(*steps[i].kind, now, pointer(steps[i].to)))
      continue;
    skip[i] = true;
    given_up.insert(i);
    changed.push_back(
        fmt::format("{} was changed by somebody else since: left as it is (--force takes it back)", title(steps[i])));
  }
  if (!run.is_half_done()) mark_rolling_back(host, run.id, given_up.empty());
  pass(host, steps, skip, observed, undone);
  settle(host, steps, given_up, boot, undone);
  undone.left.insert(undone.left.end(), changed.begin(), changed.end());
  undone.others = changed.size();
  return undone;
}

}  // namespace rdmastate
