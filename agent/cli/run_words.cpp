// SPDX-License-Identifier: Apache-2.0
// Commands about the command itself: explain, schema, completion, man.

#include "base/fields_explain.hpp"
#include "base/fields_schema.hpp"
#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/man_pages.hpp"
#include "cli/output.hpp"
#include "sections/spec.hpp"

namespace rdmastate {
ExitCode run_explain(const Options& options) {
  print_result(explain(record_of<Spec>(), options.field));
  return ExitCode::done;
}

ExitCode run_schema(const Options&) {
  print_result(json_schema(record_of<Spec>()).dump(2) + "\n");
  return ExitCode::done;
}

ExitCode run_completion(const Options& options) {
  print_result(options.shell == "zsh"    ? zsh_completion()
               : options.shell == "fish" ? fish_completion()
                                         : bash_completion());
  return ExitCode::done;
}

ExitCode run_man(const Options& options) {
  print_result(options.manual == "5" ? man_of_fields() : man_of_command());
  return ExitCode::done;
}

}  // namespace rdmastate
