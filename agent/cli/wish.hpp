// SPDX-License-Identifier: Apache-2.0
// From the command line's options and a spec to what a plan is asked for.
#pragma once

#include <memory>

#include "cli/options.hpp"
#include "plan/planner.hpp"
#include "plan/saved.hpp"
#include "spec/load.hpp"
#include "sys/spec_source.hpp"

namespace rdmastate {

/// A spec that was read from a file, and what was found about it.
struct SpecFile {
  Report report;
  std::optional<LoadedSpec> loaded;
};

/// Says on standard error who may write a spec that is read all the same.
void warn_of_writers(const std::string& sentence);
/// How the spec `path` reads what it includes; standard input includes nothing.
IncludeReader include_reader(const std::string& path, SpecTrust trust);

/// Reads and checks the spec. With mistakes they are printed and nullptr is returned: the exit code is bad_spec.
/// Warnings are printed. The result must outlive the wish.
std::unique_ptr<SpecFile> open_spec(const Options& options);

/// The same of the spec that a saved plan holds, with what it included then.
std::unique_ptr<SpecFile> open_saved(const SavedPlan& saved, const Options& options);

/// Warns, where a person reads it, of what the host's facts reveal of the spec.
void print_remarks(const Plan& plan, const Options& options);

/// What the spec asks of a host.
Wish wish_of(SpecFile& file, const Options& options);
/// The same with the options of a saved plan, and refused where the first plan has other steps. Both must outlive it.
Wish wish_of(SpecFile& file, const SavedPlan& saved, const Options& options);

}  // namespace rdmastate
