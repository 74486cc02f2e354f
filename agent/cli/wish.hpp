// SPDX-License-Identifier: Apache-2.0
// Opens the spec that the command line names, and makes a Wish of it and of the options.
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
  std::optional<LoadedSpec> loaded;  ///< always set in what open_spec() and open_saved() return
};

/// Warns on standard error, with this sentence, that other users may write a spec that is read all the same.
void warn_of_writers(const std::string& sentence);
/// How the spec `path` reads what it includes; standard input includes nothing.
IncludeReader include_reader(const std::string& path, SpecTrust trust);

/// Reads and checks the spec that the options name. Prints its mistakes and returns nullptr where it has any: the exit
/// code is bad_spec then. Prints warnings with -o text and github alone. Throws Error where the spec cannot be read.
/// The result must outlive the wish.
std::unique_ptr<SpecFile> open_spec(const Options& options);

/// The same for the spec that a saved plan holds, with the files that it included then.
std::unique_ptr<SpecFile> open_saved(const SavedPlan& saved, const Options& options);

/// Prints the remarks of the plan about the spec; with -o text alone.
void print_remarks(const Plan& plan, const Options& options);

/// What the spec and the options ask of a host. `file` must outlive the wish.
Wish wish_of(SpecFile& file, const Options& options);
/// The same with the options of a saved plan; apply refuses it where the first plan has other steps than the saved one.
/// `file` and `saved` must outlive the wish.
Wish wish_of(SpecFile& file, const SavedPlan& saved, const Options& options);

}  // namespace rdmastate
