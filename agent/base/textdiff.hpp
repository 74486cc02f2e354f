// SPDX-License-Identifier: Apache-2.0
// A unified diff of two texts: what plan and history show of a file that changes.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// A unified diff of two texts by lines, three lines of context, without the "---" and "+++" headers; empty when equal.
/// A missing final newline is said as diff(1) says it.
std::string unified_diff(std::string_view before, std::string_view after);

}  // namespace rdmastate
