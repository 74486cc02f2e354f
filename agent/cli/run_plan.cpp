// SPDX-License-Identifier: Apache-2.0
// The commands plan (prints what apply would do) and verify (judges whether the host is as the spec says, and
// with --wait asks again until it is).
#include "apply/apply.hpp"
#include "cli/commands.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "cli/wish.hpp"
#include "plan/verdict.hpp"

namespace rdmastate {
namespace {

bool is_good(const Plan& plan, const Options& options) {
  Verdict verdict = judge(plan);
  if (options.allow_pending) verdict.pending = 0;
  return verdict.in_sync();
}

// Plans until the result is good, or until --wait is over: then the last plan counts, and an error of it is thrown.
// Failed system calls before that, and hardware that the spec misses, are ignored: hardware comes and goes meanwhile.
Plan plan_in_time(Host& host, const Wish& wish, const Options& options) {
  constexpr std::chrono::milliseconds pause{250};
  const auto until = host.clock.ticks() + std::chrono::seconds(options.wait);
  while (host.clock.ticks() < until) {
    try {
      Plan plan = plan_host(host, wish);
      if (is_good(plan, options)) return plan;
    } catch (const SystemError&) {  // such as an interface that went away between two questions
    } catch (const Misfit&) {       // such as a device that is not here yet
    }
    host.clock.sleep(pause);
  }
  return plan_host(host, wish);
}

}  // namespace

ExitCode run_plan(const Options& options) {
  const auto file = open_spec(options);
  if (!file) return ExitCode::bad_spec;
  OpenHost open(options);
  open.must_be_this_host();
  const Wish wish = wish_of(*file, options);
  const Plan plan = plan_host(open.host(), wish);
  print_remarks(plan, options);
  if (!options.out.empty())
    write_private_file(options.out, saved_plan_text(plan, wish.options, file->report.sources()));
  print_plan(plan, file.get(), options);
  if (!plan.refusals.empty()) return ExitCode::refused;  // apply would exit with the same code
  const Verdict verdict = judge(plan);
  const bool is_not_as_wanted = verdict.steps + verdict.blocked + verdict.waiting + verdict.unseen > 0;
  return options.detailed_exitcode && is_not_as_wanted ? ExitCode::differs : ExitCode::done;
}

ExitCode run_verify(const Options& options) {
  const auto file = options.boot ? nullptr : open_spec(options);
  if (!options.boot && !file) return ExitCode::bad_spec;
  OpenHost open(options);
  open.must_be_this_host();
  const Wish wish = options.boot ? boot_wish(open.host()) : wish_of(*file, options);
  const Plan plan = plan_in_time(open.host(), wish, options);
  print_remarks(plan, options);
  print_plan(plan, file.get(), options);
  return is_good(plan, options) ? ExitCode::done : ExitCode::differs;
}

}  // namespace rdmastate
