// SPDX-License-Identifier: Apache-2.0
// Messages for a mistyped command or option, which name the nearest one.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// One sentence: there is no command `word`, and the nearest one, or else where all are listed.
std::string no_such_command(std::string_view word);

/// One sentence: the command has no option `word`, and the nearest one, or else where all are listed. `word` may have a
/// value: --adopt=yes.
std::string no_such_option(std::string_view command, std::string_view word);

}  // namespace rdmastate
