// SPDX-License-Identifier: Apache-2.0
// The manual page rdmastate.yaml(5), made from the field tables. rdmastate(8) is text: agent/install/rdmastate.8.in.
#pragma once

#include <string>

namespace rdmastate {

/// rdmastate.yaml(5), as roff: every field of the spec's tables.
std::string man_of_fields();

}  // namespace rdmastate
