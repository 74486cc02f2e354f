// SPDX-License-Identifier: Apache-2.0
// The manual page that is made of tables. That of the command is text: agent/install/rdmastate.8.in.
#pragma once

#include <string>

namespace rdmastate {

/// rdmastate.yaml(5), as roff: every field of the spec's tables.
std::string man_of_fields();

}  // namespace rdmastate
