// SPDX-License-Identifier: Apache-2.0
// The program: parses the command line, runs one command, and turns an error into an exit code.
#include <fmt/format.h>

#include <array>
#include <exception>

#include "cli/commands.hpp"
#include "cli/complete.hpp"
#include "cli/output.hpp"
#include "plan/planner.hpp"
#include "sys/streams.hpp"

namespace {

using namespace rdmastate;

struct Command {
  std::string_view name;
  ExitCode (*run)(const Options&);
};

constexpr std::array commands{
    Command{"check", run_check},       Command{"plan", run_plan},
    Command{"apply", run_apply},       Command{"verify", run_verify},
    Command{"confirm", run_confirm},   Command{"rollback", run_rollback},
    Command{"release", run_release},   Command{"history", run_history},
    Command{"show", run_show},         Command{"doctor", run_doctor},
    Command{"explain", run_explain},   Command{"schema", run_schema},
    Command{"packages", run_packages}, Command{"completion", run_completion},
    Command{"man", run_man},           Command{"leave", run_leave},
};

ExitCode run(const Options& options) {
  for (const auto& command : commands)
    if (command.name == options.command) return command.run(options);
  return ExitCode::could_not;  // not reached: parse_command_line() refuses any other command
}

// Runs the command and returns the exit code; prints what is thrown.
int guarded(int argc, char** argv) {
  Options options;
  int exit_code = 0;
  try {
    // The words after `complete` are an unfinished command line, which the parser would refuse.
    if (argc > 2 && std::string_view(argv[1]) == "complete")
      return static_cast<int>(run_complete({argv + 2, static_cast<std::size_t>(argc - 2)}));
    if (!parse_command_line(argc, argv, options, exit_code)) return exit_code;
    return static_cast<int>(run(options));
  } catch (const Misfit& misfit) {
    print_report(misfit.report, options);
    talk(fmt::format("rdmastate: {}", misfit.what()));
    return static_cast<int>(misfit.code());
  } catch (const NobodyReads&) {
    return static_cast<int>(ExitCode::could_not);
  } catch (const Error& error) {
    talk(fmt::format("rdmastate: {}", error.what()));
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    talk(fmt::format("rdmastate: internal error: {}", error.what()));
    return static_cast<int>(ExitCode::could_not);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!rdmastate::hold_standard_streams()) return static_cast<int>(rdmastate::ExitCode::could_not);
  rdmastate::ignore_write_signals();
  return guarded(argc, argv);
}
