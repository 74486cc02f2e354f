// SPDX-License-Identifier: Apache-2.0
// Finds secrets in lines of configuration files and specs by their names, so that plans and messages can hide them.
// base/spec_secrets.hpp finds where those of a spec end.
#pragma once

#include <cstddef>
#include <string_view>

namespace rdmastate {

/// What people see instead of a secret.
inline constexpr std::string_view hidden_secret = "(a secret, not shown)";

/// Where the value of a secret begins: of the first one whose name stands at offset `from` or behind it. Blanks may
/// come before the value; line.size(): the value is empty or stands on the next line. npos: the line names no secret.
std::size_t secret_at(std::string_view line, std::size_t from = 0);

}  // namespace rdmastate
