// SPDX-License-Identifier: Apache-2.0
// The hidden command `complete`, which the completion scripts of three shells ask: what may stand at the cursor.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"

namespace rdmastate {

/// One word that fits, and what it means. The words ":files" and ":directories" ask the shell for its own list of files
/// or directories.
struct Offer {
  std::string word;
  std::string doc = {};
};

/// What may stand in the place of the last of `words`, which are those after "rdmastate" up to the cursor. After an
/// option that takes a value, only its values are offered. Empty: nothing fits, or there is no such command.
std::vector<Offer> offers(std::span<const std::string_view> words);

/// Runs the command: prints one offer per line, a tab between the word and its meaning.
ExitCode run_complete(std::span<char*> words);

}  // namespace rdmastate
