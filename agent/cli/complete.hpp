// SPDX-License-Identifier: Apache-2.0
// What a shell may offer for the word under the cursor: the hidden command `complete`, which the three scripts ask.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"

namespace rdmastate {

/// One word that fits, and what it means. The words ":files" and ":directories" stand for those that the shell finds.
struct Offer {
  std::string word;
  std::string doc = {};
};

/// What may stand in the place of the last of these words: those behind "rdmastate", up to the cursor. Behind an option
/// that takes a value that value alone is offered.
std::vector<Offer> offers(std::span<const std::string_view> words);

/// The command: one offer a line, word and meaning with a tab between.
ExitCode run_complete(std::span<char*> words);

}  // namespace rdmastate
