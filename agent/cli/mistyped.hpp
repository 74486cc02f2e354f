// SPDX-License-Identifier: Apache-2.0
// "did you mean" for commands and options.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// One sentence: there is no such command, and the nearest one that there is.
std::string no_such_command(std::string_view word);

/// One sentence: the command has no such option, and the nearest one that it has. `word` may have a value: --adopt=yes.
std::string no_such_option(std::string_view command, std::string_view word);

}  // namespace rdmastate
