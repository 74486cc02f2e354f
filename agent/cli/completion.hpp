// SPDX-License-Identifier: Apache-2.0
// Completion scripts, each made from command_words() and the spec's field tables.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace rdmastate {

/// The completion scripts: made from the command line as data, to be sourced by the shell.
std::string bash_completion();
/// A function of zshcompsys(1), for a directory of fpath or to be sourced.
std::string zsh_completion();
std::string fish_completion();

/// What may stand behind an option, or as a positional.
enum class Completes { nothing, choices, files, directories, devices, fields };
Completes completes(const OptionWords& option);

/// A path that `explain` takes.
struct FieldWord {
  std::string path;
  std::string_view doc;
};
/// The words for `explain`, in the tables' order.
std::vector<FieldWord> field_words();

/// `text` with a backslash in front of each of `special`, and each ' as '\'': to stand between single quotes.
std::string quoted(std::string_view text, std::string_view special);

}  // namespace rdmastate
