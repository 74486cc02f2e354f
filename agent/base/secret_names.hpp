// SPDX-License-Identifier: Apache-2.0
// Finds secrets in lines of configuration files and specs, by their names.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rdmastate {

/// What people see instead of a secret.
inline constexpr std::string_view hidden_secret = "(a secret, not shown)";

/// Where the value of the line's first secret begins that is named at offset `from` or behind it; npos: the line names
/// none.
std::size_t secret_at(std::string_view line, std::size_t from = 0);

/// A secret's value in a line: offsets in bytes, `end` is the one behind it.
struct SecretValue {
  std::size_t begin = 0;
  std::size_t end = 0;
};
/// The values of the secrets in a line of YAML or JSON, in their order. Where the end of a value is in doubt, it is the
/// line's.
std::vector<SecretValue> secrets_of_spec_line(std::string_view line);

}  // namespace rdmastate
