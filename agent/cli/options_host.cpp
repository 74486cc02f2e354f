// SPDX-License-Identifier: Apache-2.0
// The options of commands that are about what a host has: its runs, what rdmastate made, its RDMA set-up.
#include <fmt/format.h>

#include <CLI/App.hpp>

#include "cli/options_shared.hpp"
#include "sections/section.hpp"

namespace rdmastate {

void add_rollback(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("rollback", "Undo the newest run");
  add_host(*command, options);
  add_record(*command, options);
  command->add_flag("--force", options.force, "Also undo what another program changed since");
  command
      ->add_option("--unconfirmed", options.run,
                   "Undo this run if it still awaits confirmation; for the timer of apply --confirm-within")
      ->option_text("RUN");
  add_output(*command, options, result_forms);
}

void add_confirm(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("confirm", "Keep the newest run, since the host can still be reached");
  command->add_option("RUN", options.run, "The run to confirm; if it is not the newest, nothing is confirmed")
      ->option_text("RUN");
  add_host(*command, options);
  add_record(*command, options);
  add_output(*command, options, result_forms);
}

void add_history(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("history", "List the runs, or what one of them changed");
  command->add_option("RUN", options.run, "Show every step of this run; without it, list the runs, newest first")
      ->option_text("RUN");
  add_host(*command, options);
  add_output(*command, options, result_forms);
}

void add_release(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand(
      "release", "Stop managing what rdmastate made: it stays as it is, and no later apply changes or removes it");
  std::vector<std::string> names;
  for (const Section* section : all_sections()) names.emplace_back(section->name);
  command->add_option("SECTION", options.released, "A section of the spec; without it, all sections")
      ->check(CLI::IsMember(names))
      ->option_text(fmt::format("{}", fmt::join(names, "|")));
  command->add_flag("--dry-run", options.dry_run, "Say what would be let go, and change nothing");
  add_host(*command, options);
  add_record(*command, options);
  add_output(*command, options, result_forms);
}

void add_show(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("show", "Show the RDMA configuration of the host");
  add_host(*command, options);
  command->add_option("--record", options.record, "Write the host as a record that --host reads")->option_text("FILE");
  command->add_flag("--as-spec", options.as_spec,
                    "Print the spec that describes this host, which apply can then manage");
  command->add_flag("--explain", options.explain,
                    "Add the file and line, or the object on the host, that each field came from");
  add_output(*command, options, result_forms);
}

void add_leave(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("leave",
                         "For packages: refuse where a run is open, say what the next boot will not have without "
                         "rdmastate, and remove the links that enable its units")
          ->group("");
  command->add_option("--root", options.root, "An offline tree instead of this host")->option_text("DIR");
}

}  // namespace rdmastate
