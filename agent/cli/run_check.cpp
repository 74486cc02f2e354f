// SPDX-License-Identifier: Apache-2.0
// The command check: judges specs without looking at a host.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/wish.hpp"

namespace rdmastate {
namespace {

// Checks one spec and puts its mistakes into its report. Returns bad_spec where it has an error. Where the file cannot
// be read, that is its one mistake, and the result is the code of that Error. SpecTrust::anyone: nothing is applied, so
// other users may be able to write the file.
ExitCode load_and_report(Checked& file) {
  const std::string name = file.path == "-" ? "standard input" : file.path;
  try {
    load_spec(name, read_spec(file.path, SpecTrust::anyone, warn_of_writers), file.report,
              include_reader(file.path, SpecTrust::anyone));
    return file.report.failed() ? ExitCode::bad_spec : ExitCode::done;
  } catch (const Error& error) {
    const Place whole{file.report.add_source(name, ""), 0, 0, 0};
    file.report.add(whole, "", {error.what(), "", "", Severity::error});
    return error.code();
  }
}

bool is_fine(const Checked& file, const Options& options) {
  return !file.report.failed() && !(options.strict && !file.report.diagnostics().empty());
}

}  // namespace

ExitCode run_check(const Options& options) {
  ExitCode worst = ExitCode::done;
  std::vector<Checked> files;
  for (const auto& path : options.specs) {
    files.push_back({path, Report()});
    Checked& file = files.back();
    const ExitCode code = load_and_report(file);
    const bool fine = is_fine(file, options);
    if (code == ExitCode::could_not || worst == ExitCode::could_not)
      worst = ExitCode::could_not;
    else if (!fine)
      worst = ExitCode::bad_spec;
  }
  print_reports(files, options);
  if (options.form == OutputForm::text)
    for (const auto& file : files)
      if (is_fine(file, options)) print_text(fmt::format("{}: good\n", file.path));
  return worst;
}

}  // namespace rdmastate
