// SPDX-License-Identifier: Apache-2.0
// The completion script for fish.
#include <fmt/format.h>

#include "cli/completion.hpp"

namespace rdmastate {
namespace {

// Between fish's single quotes a backslash escapes itself and the quote, and nothing else.
std::string fish_quoted(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe + "'";
}

// -x: takes a value and offers no files; -r: takes one.
std::string offer(const OptionWords& option) {
  switch (completes(option)) {
    case Completes::choices:
      return " -x -a " + fish_quoted(fmt::format("{}", fmt::join(option.choices(), " ")));
    case Completes::files:
      return " -r -F";
    case Completes::directories:
      return " -x -a '(__fish_complete_directories (commandline -ct))'";
    case Completes::devices:
      return " -x -a '(command ls /sys/class/infiniband 2>/dev/null)'";
    case Completes::fields:
      return " -x -a '(__rdmastate_fields)'";
    case Completes::nothing:
      break;
  }
  return option.value.empty() ? "" : " -x";
}

std::string line(const CommandWords& command, const OptionWords& option) {
  std::string text = fmt::format("complete -c rdmastate -n '__fish_seen_subcommand_from {}'", command.name);
  if (option.positional) {
    const std::string what = offer(option);
    return text + (what.starts_with(" -r") || what.starts_with(" -x") ? what.substr(3) : what) + "\n";
  }
  for (const auto& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text + " -d " + fish_quoted(option.doc) + offer(option) + "\n";
}

}  // namespace

std::string fish_completion() {
  std::string text = "# fish completion for rdmastate\nfunction __rdmastate_fields\n";
  for (const auto& field : field_words())
    text += fmt::format("  printf '%s\\t%s\\n' {} {}\n", field.path, fish_quoted(field.doc));
  text += "end\n\ncomplete -c rdmastate -f\ncomplete -c rdmastate -l help -s h -d 'Print this help message and exit'\n";
  text +=
      "complete -c rdmastate -n __fish_use_subcommand -l version -d 'Display program version information and exit'\n";
  for (const auto& command : command_words()) {
    text += fmt::format("\ncomplete -c rdmastate -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.doc));
    for (const auto& option : command.options) text += line(command, option);
  }
  return text;
}

}  // namespace rdmastate
