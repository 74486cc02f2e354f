// SPDX-License-Identifier: Apache-2.0
// Takes a run back that another process made: `rollback`, or the timer of --confirm-within. At the end stand rollback()
// and roll_back_unconfirmed() of apply/apply.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "apply/apply.hpp"
#include "apply/confirm.hpp"
#include "apply/run.hpp"
#include "apply/undo.hpp"
#include "plan/print.hpp"

namespace rdmastate {
namespace {

// Whether the state says what a program holds of a file (FieldRules::runtime).
bool has_runtime(const State& state) {
  const auto& fields = state.kind().record().fields;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const FieldInfo& field) { return field.rules.runtime && field.look(state.raw()) != nullptr; });
}

// Whether a boot makes again what the step made: a volatile resource, or what a program holds of a file.
bool is_made_by_boots(const RunStep& step) { return !step.kind->durable || (step.to && has_runtime(*step.to)); }

// Whether a later boot has made again what the run made, from files that the rollback restores only now.
bool is_remade_by_later_boot(const Host& host, const RunRecord& run, const std::string& boot_id) {
  return !host.is_tree() && run.boot_id != boot_id && std::any_of(run.steps.begin(), run.steps.end(), is_made_by_boots);
}

// Where something is left that could not be taken back, the outcome names it and is failed_dirty.
Outcome take_run_back(Host& host, const RunRecord& run, bool force, const Listener& listener) {
  listener.talked(fmt::format("taking run {} back ({})", run.id, count_of_steps(run.count_told())));
  const std::string boot_id = read_boot_id(Snapshot(host));
  const Undone undone = roll_back(host, run, boot_id, {.force = force});
  Outcome result;
  result.run = run.id;
  // At most what people were told of: on a recorded host what the owners did goes back too.
  result.moved = std::min(undone.moved, run.count_told());
  if (undone.left.empty()) {
    disarm(host, run.id);
    result.message = fmt::format("{}", fmt::join(undone.kept, "\n"));
    if (is_remade_by_later_boot(host, run, boot_id))
      result.message += std::string(result.message.empty() ? "" : "\n") +
                        "it is a run of an earlier boot: what this boot made by its files stays until the next one";
    return result;
  }
  result.code = ExitCode::failed_dirty;
  // What another program changed has its own line, which names --force.
  result.message = fmt::format("not everything could be taken back:\n  {}{}", fmt::join(undone.left, "\n  "),
                               undone.is_over() ? "" : "\nMend the cause and run: rdmastate rollback");
  return result;
}

}  // namespace

Outcome rollback(Host& host, bool force, const Listener& listener) {
  const auto run = newest_run(host);
  if (!run) throw Error("there is no run to take back");
  if (run->end == RunEnd::undone || run->end == RunEnd::rolled_back)
    throw Error(fmt::format("the newest run, {}, was taken back already; older ones cannot be", run->id));
  return take_run_back(host, *run, force, listener);
}

Outcome roll_back_unconfirmed(Host& host, const std::string& run, const Listener& listener) {
  const auto newest = newest_run(host);
  if (newest && newest->id == run && newest->is_open()) return take_run_back(host, *newest, /*force=*/true, listener);
  Outcome result;
  result.run = run;
  result.message = fmt::format("run {} awaits no confirmation: there is nothing to take back", run);
  return result;
}

}  // namespace rdmastate
