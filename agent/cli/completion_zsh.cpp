// SPDX-License-Identifier: Apache-2.0
// The completion script for zsh.
#include <fmt/format.h>

#include "cli/completion.hpp"

namespace rdmastate {
namespace {

// The ACTION of a spec for _arguments (zshcompsys(1)).
std::string action(const OptionWords& option) {
  switch (completes(option)) {
    case Completes::choices:
      return fmt::format("({})", fmt::join(option.choices(), " "));
    case Completes::files:
      return "_files";
    case Completes::directories:
      return "_files -/";
    case Completes::devices:
      return "_rdmastate_devices";
    case Completes::fields:
      return "_rdmastate_fields";
    case Completes::nothing:
      break;
  }
  return " ";
}

std::string option_spec(const OptionWords& option) {
  std::string what = fmt::format("[{}]", quoted(option.doc, "[]:\\"));
  if (!option.value.empty()) what += fmt::format(":{}:{}", quoted(option.value, ":\\"), action(option));
  if (option.repeated) return fmt::format("'*{}{}'", option.names.back(), what);
  if (option.names.size() == 1) return fmt::format("'{}{}'", option.names.front(), what);
  return fmt::format("'({0})'{{{1}}}'{2}'", fmt::join(option.names, " "), fmt::join(option.names, ","), what);
}

std::string positional_spec(const OptionWords& option) {
  return fmt::format("'{}:{}:{}'", option.repeated ? "*" : "1", quoted(option.names.front(), ":\\"), action(option));
}

std::string command_case(const CommandWords& command) {
  std::string text = fmt::format("    {})\n      _arguments", command.name);
  for (const auto& option : command.options)
    text += " \\\n        " + (option.positional ? positional_spec(option) : option_spec(option));
  return text + " \\\n        '(- *)--help[Print this help message and exit]' ;;\n";
}

std::string described(std::string_view word, std::string_view doc) {
  return fmt::format("    '{}:{}'\n", quoted(word, ":\\"), quoted(doc, "\\"));
}

}  // namespace

std::string zsh_completion() {
  std::string names;
  std::string cases;
  std::string fields;
  for (const auto& command : command_words()) {
    names += described(command.name, command.doc);
    cases += command_case(command);
  }
  for (const auto& field : field_words()) fields += described(field.path, field.doc);
  return fmt::format(R"(#compdef rdmastate
# zsh completion for rdmastate

_rdmastate_fields() {{
  local -a fields=(
{fields}  )
  _describe -t fields 'field of the spec' fields
}}

_rdmastate_devices() {{
  local -a devices=(/sys/class/infiniband/*(N:t))
  _describe -t devices 'RDMA device' devices
}}

_rdmastate() {{
  local curcontext="$curcontext" state line
  local -a commands=(
{names}  )
  _arguments -C '(- *)--help[Print this help message and exit]' '(- *)--version[Display program version information and exit]' \
    '1:command:->command' '*::argument:->argument' && return
  case $state in
    command) _describe -t commands 'rdmastate command' commands; return ;;
  esac
  case $words[1] in
{cases}  esac
}}

if [ "$funcstack[1]" = _rdmastate ]; then _rdmastate "$@"; else compdef _rdmastate rdmastate; fi
)",
                     fmt::arg("fields", fields), fmt::arg("names", names), fmt::arg("cases", cases));
}

}  // namespace rdmastate
