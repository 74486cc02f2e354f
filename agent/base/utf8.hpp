// SPDX-License-Identifier: Apache-2.0
// Checks UTF-8, counts its characters, and converts between them and code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rdmastate {

/// Bytes of the well-formed character (RFC 3629) that `text` starts with, 1 to 4; 0 when there is none.
std::size_t utf8_length(std::string_view text);

/// Whether all of `text` is well formed.
bool is_utf8(std::string_view text);

/// The code point of the character that `text` starts with; `text` starts with a well-formed one.
std::uint32_t utf8_code_point(std::string_view text);

/// Appends the character of a code point, which is no surrogate and at most U+10FFFF.
void append_utf8(std::string& text, std::uint32_t point);

/// Characters in `text`; a byte that belongs to none counts as one.
std::size_t utf8_count(std::string_view text);

}  // namespace rdmastate
