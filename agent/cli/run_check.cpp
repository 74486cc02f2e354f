// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/wish.hpp"

namespace rdmastate {

ExitCode run_check(const Options& options) {
  bool good = true;
  for (const auto& path : options.specs) {
    Report report;
    const bool readable = load_spec(path == "-" ? "standard input" : path, read_spec(path, SpecTrust::anyone), report,
                                    include_reader(path, SpecTrust::anyone))
                              .has_value();
    print_report(report, options);
    const bool fine = readable && !report.failed() && !(options.strict && !report.diagnostics().empty());
    if (fine && options.form == OutputForm::text) print_result(fmt::format("{}: good\n", path));
    good = good && fine;
  }
  return good ? ExitCode::done : ExitCode::bad_spec;
}

}  // namespace rdmastate
