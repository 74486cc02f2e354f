// SPDX-License-Identifier: Apache-2.0
// The options of commands that take a spec: check, plan, apply, verify, packages.
#include "cli/options_shared.hpp"

#include <CLI/App.hpp>

namespace rdmastate {

void add_check(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("check", "Report the mistakes in a spec; needs no host, changes nothing");
  command->add_option("SPEC", options.specs, "Spec files; - is standard input")->required()->option_text("FILE...");
  command->add_flag("--strict", options.strict, "Warnings are errors");
  add_output(*command, options, check_forms);
}

void add_plan(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("plan", "Show what apply would do; changes nothing");
  add_spec(*command, options, "The spec; - is standard input");
  add_host(*command, options);
  add_facts(*command, options);
  command->add_flag("--adopt", options.adopt, "Plan to take over foreign files that conflict with the spec");
  command->add_flag("--replace", options.replace, "Plan to replace what a spec with another id made");
  add_max_disruption(*command, options);
  add_in_use(*command, options);
  add_restart(*command, options);
  add_allow_fabric(*command, options);
  command
      ->add_option(
          "--out", options.out,
          "Write the plan with its spec to a file (0600), for `apply --plan`, which refuses when the steps have "
          "changed")
      ->option_text("FILE");
  add_confirm_within(*command, options,
                     "Plan as if apply had this option: the interface of this session may go down for a moment");
  command->add_flag("--brief", options.brief, "One line for each step, without columns and diffs");
  command->add_flag("--detailed-exitcode", options.detailed_exitcode,
                    "Exit 2 when there is a step, or something blocked, waiting or unseen");
  add_output(*command, options, plan_forms);
}

void add_apply(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("apply", "Change the host, and its next boot, to what the spec says; or leave it as it was");
  add_spec(*command, options, "The spec; - is standard input, none goes with --plan and --boot", Presence::optional);
  add_host(*command, options);
  add_facts(*command, options);
  add_record(*command, options);
  command->add_flag("--adopt", options.adopt,
                    "Take over foreign files that conflict with the spec; the originals are kept in the run");
  command->add_flag("--replace", options.replace, "Replace what a spec with another id made");
  add_max_disruption(*command, options);
  add_in_use(*command, options);
  add_restart(*command, options);
  add_allow_fabric(*command, options);
  command
      ->add_option("--plan", options.plan,
                   "A plan that `plan --out` wrote, instead of a spec; refused unless planning again gives the "
                   "same steps")
      ->option_text("FILE");
  command->add_flag("--boot", options.boot, "Apply /etc/rdmastate/boot.json; for rdmastate.service");
  add_confirm_within(*command, options,
                     "Undo the run unless `rdmastate confirm` follows within this time, even when the terminal or the "
                     "power is lost");
  add_wait(
      *command, options,
      "Wait for hardware that the spec names and this host does not have yet, since adapters come late at boot, at "
      "most for this time, and apply again where it comes only after an apply; waits up to ten minutes for another run "
      "to end; for rdmastate-apply.service");
  command->add_flag("--coalesce", options.coalesce,
                    "Do nothing when another run already waits; for rdmastate-event@.service");
  command->add_flag(
      "--bake", options.bake,
      "The tree becomes an image: keep no record of this run in it, so that two bakes have the same bytes; "
      "`rollback` cannot take it back");
  add_output(*command, options, result_forms);
}

void add_verify(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("verify", "Compare the host, and its next boot, with the spec; exit 2 when they differ");
  add_spec(*command, options, "The spec; - is standard input, none goes with --boot", Presence::optional);
  add_host(*command, options);
  add_facts(*command, options);
  command->add_flag("--allow-pending", options.allow_pending,
                    "Do not count what waits for the next boot or for another program");
  command->add_flag("--boot", options.boot, "Check against /etc/rdmastate/boot.json; for rdmastate-ready.service");
  add_wait(*command, options, "Repeat the check until the host is as the spec says, at most for this time");
  add_output(*command, options, plan_forms);
}

void add_packages(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("packages", "List the distribution's packages that the spec needs");
  add_spec(*command, options, "The spec; - is standard input");
  add_host(*command, options);
  add_facts(*command, options);
  command->add_option("--for", options.family, "Use the package names of this distribution instead of this host's")
      ->check(CLI::IsMember({"debian", "ubuntu", "rhel", "suse"}))
      ->option_text("debian|ubuntu|rhel|suse");
  command->add_flag("--with-tools", options.with_tools,
                    "Also list the tools for checks: ibstat, ibv_devinfo, rping, iperf3");
  add_output(*command, options, result_forms);
}

}  // namespace rdmastate
