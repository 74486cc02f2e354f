// SPDX-License-Identifier: Apache-2.0
// Prints and reads hexadecimal digits. No format string: one plan prints thousands of GUIDs and P_Keys.
#pragma once

#include <cstdint>
#include <string>

namespace rdmastate {

/// Appends exactly `digits` lower-case digits: the lowest ones of `value`, with zeros in front.
inline void append_hex(std::string& text, std::uint64_t value, unsigned digits) {
  for (unsigned left = digits; left-- > 0;) text += "0123456789abcdef"[value >> (4U * left) & 0xfU];
}

/// What one lower-case hexadecimal digit, as append_hex() writes it, stands for; -1 for any other character.
inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace rdmastate
