// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

namespace rdmastate {
namespace {

std::uint8_t byte(std::string_view text, std::size_t i) { return static_cast<std::uint8_t>(text[i]); }

// The bytes of a character by its first byte (RFC 3629, section 4); 0: no character begins with that byte.
std::size_t claimed_length(std::uint8_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

// Shortest form only, no surrogates, nothing above U+10FFFF: all decided by the second byte.
bool second_fits(std::uint8_t first, std::uint8_t second) {
  if (first == 0xe0) return second >= 0xa0;
  if (first == 0xed) return second < 0xa0;
  if (first == 0xf0) return second >= 0x90;
  if (first == 0xf4) return second < 0x90;
  return true;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t length = claimed_length(byte(text, 0));
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(text, i) & 0xc0U) != 0x80U) return 0;
  if (length > 1 && !second_fits(byte(text, 0), byte(text, 1))) return 0;
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::uint32_t utf8_code_point(std::string_view text) {
  const std::size_t length = claimed_length(byte(text, 0));
  if (length <= 1) return byte(text, 0);
  std::uint32_t point = byte(text, 0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) point = (point << 6U) | (byte(text, i) & 0x3fU);
  return point;
}

void append_utf8(std::string& text, std::uint32_t point) {
  if (point < 0x80) {
    text += static_cast<char>(point);
    return;
  }
  const std::uint32_t tails = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const std::uint32_t mark = 0xf00U >> (tails + 1U);  // as many ones as the character has bytes, and a zero
  text += static_cast<char>((mark & 0xffU) | (point >> (6U * tails)));
  for (std::uint32_t left = tails; left-- > 0;) text += static_cast<char>(0x80U | ((point >> (6U * left)) & 0x3fU));
}

std::size_t utf8_count(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    text.remove_prefix(length == 0 ? 1 : length);
    ++count;
  }
  return count;
}

}  // namespace rdmastate
