// SPDX-License-Identifier: Apache-2.0
// Inside of options*.cpp: the options that several commands share, and which file adds which command to the parser.
#pragma once

#include <initializer_list>

#include "cli/options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rdmastate {

/// The forms of a result that a command takes.
using Forms = std::initializer_list<OutputForm>;
/// What most commands take.
inline constexpr Forms result_forms{OutputForm::text, OutputForm::json};
/// A verdict on a host has forms for pipelines too. SARIF is for mistakes in a spec alone: they have a place in a file.
inline constexpr Forms plan_forms{OutputForm::text, OutputForm::json, OutputForm::github, OutputForm::junit};
inline constexpr Forms check_forms{OutputForm::text, OutputForm::json, OutputForm::github, OutputForm::junit,
                                   OutputForm::sarif};
inline constexpr Forms doctor_forms{OutputForm::text, OutputForm::json, OutputForm::junit, OutputForm::prometheus};
/// The word behind -o: "json".
std::string_view form_name(OutputForm form);

// --- Each adds an option, or several that go together, to `command`, and what is said for it becomes a member of
// `options`, which has to outlive the parser.

/// -o and --color.
void add_output(CLI::App& command, Options& options, Forms allowed);
/// Whether a positional has to be there.
enum class Presence : std::uint8_t { required, optional };
/// The positional SPEC, once. `text`: its help.
void add_spec(CLI::App& command, Options& options, const char* text, Presence presence = Presence::required);
/// --root and --host.
void add_host(CLI::App& command, Options& options);
void add_record(CLI::App& command, Options& options);
void add_facts(CLI::App& command, Options& options);
void add_in_use(CLI::App& command, Options& options);
void add_restart(CLI::App& command, Options& options);
void add_allow_fabric(CLI::App& command, Options& options);
void add_max_disruption(CLI::App& command, Options& options);
/// An option that takes a time with its unit, such as 120s; `seconds` becomes that time. `name`: "--wait"; `text`: its
/// help. Returns the option, so that the caller can limit the time.
CLI::Option* add_duration(CLI::App& command, const char* name, unsigned& seconds, const char* text);
void add_wait(CLI::App& command, Options& options, const char* text);
void add_confirm_within(CLI::App& command, Options& options, const char* text);

// --- Each adds a command to the parser. Which options go together stands in options_together.cpp.

/// In options_spec.cpp.
void add_check(CLI::App& app, Options& options);
void add_plan(CLI::App& app, Options& options);
void add_apply(CLI::App& app, Options& options);
void add_verify(CLI::App& app, Options& options);
void add_packages(CLI::App& app, Options& options);
/// In options_host.cpp.
void add_rollback(CLI::App& app, Options& options);
void add_confirm(CLI::App& app, Options& options);
void add_history(CLI::App& app, Options& options);
void add_release(CLI::App& app, Options& options);
void add_show(CLI::App& app, Options& options);
void add_leave(CLI::App& app, Options& options);
/// In options_doctor.cpp.
void add_doctor(CLI::App& app, Options& options);
/// In options_words.cpp.
void add_explain(CLI::App& app, Options& options);
void add_schema(CLI::App& app, Options& options);
void add_completion(CLI::App& app, Options& options);
void add_man(CLI::App& app, Options& options);

}  // namespace rdmastate
