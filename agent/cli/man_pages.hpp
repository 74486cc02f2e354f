// SPDX-License-Identifier: Apache-2.0
// The two manual pages as roff.
#pragma once

#include <string>

namespace rdmastate {

/// rdmastate(8), as roff: commands and options are those of command_words().
std::string man_of_command();
/// rdmastate.yaml(5), as roff: every field of the spec's tables.
std::string man_of_fields();

}  // namespace rdmastate
