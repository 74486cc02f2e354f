// SPDX-License-Identifier: Apache-2.0
// The command line: parsed into Options, and as data for completion and messages.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

/// The form of a result (-o), and when it has colours (--color).
enum class OutputForm { text, json, github, sarif, junit, prometheus };
enum class ColourChoice { automatic, always, never };

/// The command line, parsed. A member that the command does not have keeps its default.
struct Options {
  std::string command;
  /// What was said: "SPEC" and the long name of each option; of -o with its value, "-o=json".
  std::vector<std::string> said;
  /// SPEC: files, or "-" for standard input. Only check takes several; doctor also takes the id of a check.
  std::vector<std::string> specs;
  std::string root;      ///< --root DIR: an offline tree
  std::string host;      ///< --host FILE: a recorded host
  std::string facts;     ///< --facts FILE: the hardware that a tree is for
  std::string record;    ///< --record FILE: where the moved or shown host is written
  std::string out;       ///< plan --out FILE: where the plan is written
  std::string plan;      ///< apply --plan FILE: a plan that was written
  std::string field;     ///< explain FIELD
  std::string shell;     ///< completion SHELL
  std::string family;    ///< packages --for FAMILY
  std::string manual;    ///< man SECTION
  std::string released;  ///< release SECTION; empty: all
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
  bool strict = false;              ///< check: warnings are errors
  bool detailed_exitcode = false;   ///< plan: 2 when anything is to be done, blocked or unseen
  bool brief = false;               ///< plan: one line for each step
  bool allow_pending = false;       ///< verify: what is pending does not count
  bool boot = false;                ///< apply, verify: what boot.json says
  bool coalesce = false;            ///< apply --boot: leave it to a run that waits already
  unsigned wait = 0;                ///< verify, apply: seconds to wait for what is wanted, or for hardware; 0: none
  unsigned interval = 0;            ///< doctor: seconds between two looks; 0: one look
  bool env = false;                 ///< doctor --env
  std::string since;                ///< doctor --since FILE: what an earlier look printed
  bool listen = false;              ///< doctor --listen
  std::string bind;                 ///< doctor --listen --bind ADDRESS
  std::string peer;                 ///< doctor --active --peer HOST
  unsigned timeout = 300;           ///< doctor --listen --timeout: seconds
  unsigned tcp_port = 0;            ///< doctor --tcp-port; 0: the usual one
  bool active = false;              ///< doctor --active
  std::vector<std::string> device;  ///< doctor --device DEVICE[/PORT]
  unsigned port_timeout = 5;        ///< doctor --port-timeout: seconds
  unsigned confirm_within = 0;      ///< apply, plan: seconds; 0: nobody has to confirm
  std::string run;                  ///< history RUN, confirm RUN, rollback --unconfirmed RUN
  // apply and plan: take foreign files over; replace what a spec with another id made. apply --root: the tree becomes
  // an image, which keeps no record of the run.
  bool adopt = false;
  bool replace = false;
  bool bake = false;
  bool as_spec = false;                          ///< show --as-spec
  bool explain = false;                          ///< show --as-spec --explain
  std::vector<std::string> in_use;               ///< --in-use DEVICE: may be interrupted although it is in use
  std::vector<std::string> restart;              ///< --restart UNIT: it may be stopped, or restarted, now
  bool allow_fabric = false;                     ///< --allow-fabric: steps that other hosts notice
  Disruption max_disruption = Disruption::link;  ///< --max-disruption
  bool force = false;                            ///< rollback: also what other programs changed since
  bool dry_run = false;                          ///< release --dry-run: only say what would be let go
  bool with_tools = false;                       ///< packages: also those with tools for checks

  /// The one SPEC, which has to be there.
  const std::string& spec() const { return specs.front(); }
};

/// Parses into `options`; true: a command is to be run. On --help, --version and usage errors it prints, sets
/// `exit_code` and returns false. Throws Error for an option that has an empty value, or no effect beside the others.
bool parse_command_line(int argc, char** argv, Options& options, int& exit_code);

/// One option or positional, as help tells it: for completion, and to name the option nearest to a mistyped one.
struct OptionWords {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional its one name, "SPEC"
  std::string value;               ///< what it takes: "DIR", "FILE", "text|json"; empty: nothing
  std::string doc;
  bool positional = false;
  bool required = false;
  bool repeated = false;

  /// The words of "text|json"; empty where it takes anything else.
  std::vector<std::string> choices() const;
};
/// One command with its options, as texts of help.
struct CommandWords {
  std::string name;
  std::string doc;
  std::vector<OptionWords> options;  ///< all but --help
};
/// The command line as data, without hidden commands.
std::vector<CommandWords> command_words();

/// One exit code and what it means.
struct ExitMeaning {
  ExitCode code;
  std::string_view words;
};
/// What the process exits with, for --help.
inline constexpr std::array exit_meanings{
    ExitMeaning{ExitCode::done, "done"},
    ExitMeaning{ExitCode::could_not, "could not, or something is left blocked"},
    ExitMeaning{ExitCode::differs, "differs"},
    ExitMeaning{ExitCode::bad_spec, "the spec is wrong"},
    ExitMeaning{ExitCode::failed_restored, "apply failed and the host is as before"},
    ExitMeaning{ExitCode::failed_dirty, "apply failed and the host is not as before, or awaits recovery"},
    ExitMeaning{ExitCode::refused, "refused by policy: disruption, in use, foreign owner, a chroot"},
    ExitMeaning{ExitCode::busy, "busy, or a run is unfinished or awaits confirmation"},
};

}  // namespace rdmastate
