// SPDX-License-Identifier: Apache-2.0
// Flow of parse_command_line(): build() lets the function of each command (options_*.cpp) add it to CLI11's parser; the
// parser fills Options; then what is empty, has no effect or is missing is refused.
#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "cli/mistyped.hpp"
#include "cli/options_help.hpp"
#include "cli/options_shared.hpp"
#include "cli/options_together.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace rdmastate {
namespace {

// The end of every help text. CLI11 calls it only when help is asked for.
std::string footer() {
  std::string text = "Exit codes:";
  for (const auto& [code, words] : exit_meanings) text += fmt::format("\n  {} {}", static_cast<int>(code), words);
  return text;
}

struct Adder {
  std::string_view command;
  void (*add)(CLI::App&, Options&);
};

constexpr Adder adders[] = {{"check", add_check},       {"plan", add_plan},
                            {"apply", add_apply},       {"verify", add_verify},
                            {"confirm", add_confirm},   {"rollback", add_rollback},
                            {"release", add_release},   {"history", add_history},
                            {"show", add_show},         {"doctor", add_doctor},
                            {"explain", add_explain},   {"schema", add_schema},
                            {"packages", add_packages}, {"completion", add_completion},
                            {"man", add_man},           {"leave", add_leave}};

// If `named` is a command, only that one is made: all of them cost 1.5 million instructions more, and a whole plan that
// moves nothing takes 6.8 million (callgrind, examples/minimal.yaml).
void build(CLI::App& app, Options& options, std::string_view named = {}) {
  app.name("rdmastate");
  app.formatter(help_formatter());  // before the commands, which take it over
  app.footer(footer);
  app.set_version_flag("--version", std::string("rdmastate ") + version);
  app.require_subcommand(1);
  const bool known =
      std::any_of(std::begin(adders), std::end(adders), [&](const Adder& one) { return one.command == named; });
  for (const auto& one : adders)
    if (!known || one.command == named) one.add(app, options);
  for (auto* command : app.get_subcommands(nullptr)) command->footer(footer);
}

// A spec is required unless --boot or --plan takes its place.
void require_spec(const Options& options) {
  const bool knows_boot = options.command == "apply" || options.command == "verify";
  if (knows_boot && !options.boot && options.plan.empty() && options.specs.empty()) throw CLI::RequiredError("SPEC");
}

// What was said, as Options::said has it.
std::vector<std::string> said_on(const CLI::App& command, OutputForm form) {
  std::vector<std::string> said;
  for (const auto* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name(option->get_positional());
    said.push_back(name == "--output" ? "-o=" + std::string(form_name(form)) : name);
  }
  return said;
}

[[noreturn]] void refuse_empty(std::string_view name) {
  throw Error(fmt::format("{} is empty: say what it is to be, or leave it out", name));
}

// An empty value is mostly a variable of a script that was not set: `--root "$TREE"` must not mean this host.
void refuse_empty_values(const CLI::App& command) {
  for (const auto* option : command.get_options())
    for (const auto& value : option->results())
      if (value.empty()) refuse_empty(option->get_name(option->get_positional()));
}

// Behind `--root=` CLI11 takes the next word for the value, so such words are looked for before it parses.
void refuse_empty_values(std::span<char*> words) {
  for (const std::string_view word : words)
    if (word.starts_with("--") && word.ends_with('=')) refuse_empty(word.substr(0, word.size() - 1));
}

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  if (option.get_positional()) words.names.push_back(option.get_name(true));
  for (const auto& name : option.get_snames()) words.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) words.names.push_back("--" + name);
  words.value = option.get_option_text();
  words.doc = option.get_description();
  words.positional = option.get_positional();
  words.required = option.get_required();
  words.repeated = words.value.ends_with("...") || words.doc.ends_with("can be repeated");
  return words;
}

// A sentence about the unknown command or option; empty: the mistake is another one.
std::string hint_for(const CLI::App& app, const CLI::ParseError& error, std::string_view first) {
  const auto named = app.get_subcommands();
  const bool is_word = !first.empty() && first.front() != '-';
  if (named.empty()) return is_word ? no_such_command(first) : std::string();
  if (static_cast<CLI::ExitCodes>(error.get_exit_code()) != CLI::ExitCodes::ExtrasError) return {};
  for (const auto& word : named.front()->remaining())
    if (word.starts_with("--")) return no_such_option(named.front()->get_name(), word);
  return {};
}

}  // namespace

bool parse_command_line(int argc, char** argv, Options& options, int& exit_code) {
  CLI::App app("Makes a host's RDMA set-up what one YAML spec says, now and for the next boot");
  build(app, options, argc > 1 ? argv[1] : "");
  refuse_empty_values({argv, static_cast<std::size_t>(argc)});
  try {
    app.parse(argc, argv);
    const CLI::App& command = *app.get_subcommands().front();
    options.command = command.get_name();
    options.said = said_on(command, options.form);
    refuse_empty_values(command);
    refuse_without_effect(options);
    require_spec(options);
    return true;
  } catch (const CLI::ParseError& error) {
    const std::string hint = hint_for(app, error, argc > 1 ? argv[1] : "");
    if (!hint.empty()) talk("rdmastate: " + hint);
    const bool failed = !hint.empty() || app.exit(error) != 0;  // exit() prints the help, the version or the mistake
    exit_code = failed ? static_cast<int>(ExitCode::could_not) : 0;
    return false;
  }
}

std::vector<CommandWords> command_words() {
  CLI::App app;
  Options options;
  build(app, options);
  std::vector<CommandWords> words;
  for (const auto* command : app.get_subcommands(nullptr)) {
    if (command->get_group().empty()) continue;
    CommandWords one{command->get_name(), command->get_description(), {}};
    for (const auto* option : command->get_options())
      if (option != command->get_help_ptr()) one.options.push_back(words_of(*option));
    words.push_back(std::move(one));
  }
  return words;
}

std::vector<std::string> OptionWords::choices() const {
  std::vector<std::string> words;
  if (value.find('|') == std::string::npos) return words;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('|', at), value.size());
    words.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace rdmastate
