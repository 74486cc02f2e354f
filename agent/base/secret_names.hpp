// SPDX-License-Identifier: Apache-2.0
// Finds secrets in lines of configuration files and specs, by their names. base/spec_secrets.hpp finds where those of a
// spec end.
#pragma once

#include <cstddef>
#include <string_view>

namespace rdmastate {

/// What people see instead of a secret.
inline constexpr std::string_view hidden_secret = "(a secret, not shown)";

/// Where the value of the line's first secret begins that is named at offset `from` or behind it; npos: the line names
/// none.
std::size_t secret_at(std::string_view line, std::size_t from = 0);

}  // namespace rdmastate
