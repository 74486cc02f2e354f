// SPDX-License-Identifier: Apache-2.0
// What was asked for on the command line.
#pragma once

#include <string>
#include <vector>

namespace rdmastate {

enum class OutputForm { text, json, github };
enum class ColourChoice { automatic, always, never };

struct Options {
  std::string command;
  std::vector<std::string> specs;
  std::string root;    ///< --root DIR: an offline tree
  std::string host;    ///< --host FILE: a recorded host
  std::string facts;   ///< --facts FILE: the hardware that a tree is for
  std::string record;  ///< --record FILE: where the moved or shown host is written
  std::string field;   ///< explain FIELD
  std::string shell;   ///< completion SHELL
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
  bool strict = false;             ///< check: warnings are errors
  bool detailed_exitcode = false;  ///< plan: 2 when there is something to do
  bool allow_pending = false;      ///< verify
  bool boot = false;               ///< apply, verify: what boot.json says
  bool coalesce = false;           ///< apply --boot: leave it to a run that waits already
  unsigned wait = 0;               ///< verify: seconds
  bool adopt = false;
  bool replace = false;
  bool as_spec = false;             ///< show --as-spec
  bool explain = false;             ///< show --as-spec --explain
  std::vector<std::string> in_use;  ///< --in-use DEVICE: its users are known and given up
  bool force = false;               ///< rollback

  const std::string& spec() const { return specs.front(); }
};

/// Parses. On --help, --version and usage errors it prints, sets `exit_code` and returns false.
bool parse_command_line(int argc, char** argv, Options& options, int& exit_code);

/// The command line as data, for shell completion: each command with its options.
struct CommandWords {
  std::string name;
  std::vector<std::string> options;
};
std::vector<CommandWords> command_words();

}  // namespace rdmastate
