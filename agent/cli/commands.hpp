// SPDX-License-Identifier: Apache-2.0
// One function per command; each returns what the process exits with.
#pragma once

#include "base/error.hpp"
#include "cli/options.hpp"

namespace rdmastate {

/// Each runs one command: prints its result to standard output and its messages to standard error, and returns the exit
/// code. Throws Error where the command could not do its work: main() prints it and exits with its code.
ExitCode run_check(const Options& options);
ExitCode run_plan(const Options& options);
ExitCode run_apply(const Options& options);
ExitCode run_verify(const Options& options);
ExitCode run_confirm(const Options& options);
ExitCode run_rollback(const Options& options);
ExitCode run_release(const Options& options);
ExitCode run_history(const Options& options);
ExitCode run_show(const Options& options);
ExitCode run_doctor(const Options& options);
ExitCode run_explain(const Options& options);
ExitCode run_schema(const Options& options);
ExitCode run_packages(const Options& options);
ExitCode run_completion(const Options& options);
/// Hidden commands: `leave` for the scripts of packages, `man` for the build.
ExitCode run_leave(const Options& options);
ExitCode run_man(const Options& options);

}  // namespace rdmastate
