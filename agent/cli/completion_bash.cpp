// SPDX-License-Identifier: Apache-2.0
// The completion script for bash.
#include <fmt/format.h>

#include "cli/completion.hpp"

namespace rdmastate {
namespace {

// What fills COMPREPLY, as an argument of compgen; empty: nothing is known.
std::string offer(const OptionWords& option) {
  switch (completes(option)) {
    case Completes::choices:
      return fmt::format("-W \"{}\"", fmt::join(option.choices(), " "));
    case Completes::files:
      return "-f";
    case Completes::directories:
      return "-d";
    case Completes::devices:
      return "-W \"$(command ls /sys/class/infiniband 2>/dev/null)\"";
    case Completes::fields:
      return "-W \"$fields\"";
    case Completes::nothing:
      break;
  }
  return {};
}

std::string line(const std::string& patterns, const std::string& offered) {
  const std::string reply =
      offered.empty() ? "COMPREPLY=()" : fmt::format("COMPREPLY=($(compgen {} -- \"$cur\"))", offered);
  return fmt::format("    {}) {}; return ;;\n", patterns, reply);
}

// After an option that takes a value, nothing but that value is offered.
std::string values(const CommandWords& command) {
  std::string text;
  for (const auto& option : command.options) {
    if (option.positional || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const auto& name : option.names) patterns.push_back(command.name + "/" + name);
    text += line(fmt::format("{}", fmt::join(patterns, "|")), offer(option));
  }
  return text;
}

std::string words(const CommandWords& command) {
  std::vector<std::string> options;
  std::string more;
  for (const auto& option : command.options) {
    if (option.positional)
      more = offer(option);
    else
      options.push_back(option.names.back());
  }
  if (!more.empty()) more = fmt::format(" COMPREPLY+=($(compgen {} -- \"$cur\"));", more);
  return fmt::format("    {}) words=\"{}\";{} ;;\n", command.name, fmt::join(options, " "), more);
}

}  // namespace

std::string bash_completion() {
  std::vector<std::string> names;
  std::string after_option;
  std::string after_command;
  for (const auto& command : command_words()) {
    names.push_back(command.name);
    after_option += values(command);
    after_command += words(command);
  }
  std::vector<std::string> fields;
  for (const auto& field : field_words()) fields.push_back(field.path);
  return fmt::format(R"(# bash completion for rdmastate
_rdmastate() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  local fields="{fields}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} --help --version" -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}}/$prev in
{after_option}  esac
  case ${{COMP_WORDS[1]}} in
{after_command}  esac
  COMPREPLY+=($(compgen -W "$words --help" -- "$cur"))
}}
complete -o filenames -F _rdmastate rdmastate
)",
                     fmt::arg("fields", fmt::format("{}", fmt::join(fields, " "))),
                     fmt::arg("commands", fmt::format("{}", fmt::join(names, " "))),
                     fmt::arg("after_option", after_option), fmt::arg("after_command", after_command));
}

}  // namespace rdmastate
