// SPDX-License-Identifier: Apache-2.0
// Classes and case of ASCII characters. Unlike isalpha(3) and the like, these functions do not depend on the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace rdmastate::ascii {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }                               ///< 0 to 9
constexpr bool is_octal(char c) { return c >= '0' && c <= '7'; }                               ///< 0 to 7
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }  ///< A to Z, a to z
constexpr bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }              ///< either
/// What isspace(3) calls a blank in the C locale.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
/// A control character: 0x00 to 0x1f, or 0x7f.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }
/// A letter, a digit, or a character of `others`.
constexpr bool is_one_of(char c, std::string_view others) {
  return is_letter_or_digit(c) || others.find(c) != std::string_view::npos;
}
/// Whether is_one_of() is true of every character; true for an empty text.
inline bool holds_only(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [&](char c) { return is_one_of(c, others); });
}
/// Whether the text is one digit or more, and nothing else.
inline bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// The letter in lower or upper case; any other character is returned as it is.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
/// A copy of the text with its letters in lower case.
inline std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(), [](char c) { return lower(c); });
  return low;
}

/// The value of a hexadecimal digit of either case; -1 for any other character.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  return lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}
constexpr bool is_hex(char c) { return hex_value(c) >= 0; }

}  // namespace rdmastate::ascii
