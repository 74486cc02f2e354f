// SPDX-License-Identifier: Apache-2.0
// The commands explain, schema, completion and man: what the binary knows without a host.
#include "base/fields_explain.hpp"
#include "base/fields_schema.hpp"
#include "base/template.hpp"
#include "cli/commands.hpp"
#include "cli/man_pages.hpp"
#include "cli/output.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

ExitCode run_explain(const Options& options) {
  print_text(explain(record_of<Spec>(), options.field));
  return ExitCode::done;
}

ExitCode run_schema(const Options&) {
  print_result(json_schema(record_of<Spec>()).dump(2) + "\n");
  return ExitCode::done;
}

ExitCode run_completion(const Options& options) {
  print_result(std::string(embedded_template("completion." + options.shell)));
  return ExitCode::done;
}

ExitCode run_man(const Options&) {
  print_result(man_of_fields());
  return ExitCode::done;
}

}  // namespace rdmastate
