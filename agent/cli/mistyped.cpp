// SPDX-License-Identifier: Apache-2.0
#include "cli/mistyped.hpp"

#include <fmt/format.h>

#include "base/report.hpp"
#include "cli/options.hpp"

namespace rdmastate {
namespace {

std::string_view option_name(std::string_view word) { return word.substr(0, word.find('=')); }

std::string meant_or(std::string_view meant, std::string_view where_listed) {
  return meant.empty() ? fmt::format(": {} lists them", where_listed) : fmt::format(": did you mean {}?", meant);
}

}  // namespace

std::string no_such_command(std::string_view word) {
  std::vector<std::string> names;
  for (auto& command : command_words()) names.push_back(std::move(command.name));
  return fmt::format("there is no command {}{}", printable(word),
                     meant_or(nearest(word, {names.begin(), names.end()}), "rdmastate --help"));
}

std::string no_such_option(std::string_view command, std::string_view word) {
  const std::string_view option = option_name(word);
  std::vector<std::string> names{"--help"};
  for (const auto& one : command_words()) {
    if (one.name != command) continue;
    for (const auto& has : one.options)
      for (const auto& name : has.names)
        if (name.starts_with("--")) names.push_back(name);
  }
  return fmt::format(
      "{} has no option {}{}", command, printable(option),
      meant_or(nearest(option, {names.begin(), names.end()}), fmt::format("rdmastate {} --help", command)));
}

}  // namespace rdmastate
