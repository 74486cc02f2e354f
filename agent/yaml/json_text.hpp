// SPDX-License-Identifier: Apache-2.0
// Reads JSON's strings, numbers and words, and explains what people write in their place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "yaml/prepass.hpp"

namespace rdmastate::yaml {

/// Reads the string whose opening quote is bytes[at], of UTF-8 without control characters but tabs and line ends. `out`
/// gets its text and `at` moves behind the closing quote. Returns what is wrong; nullopt when it is read.
std::optional<Prepass::Problem> read_json_string(std::string_view bytes, std::size_t& at, std::string& out);

/// Whether the word is a number by RFC 8259, section 6: no leading zero, no plus, no hexadecimal, digits on both sides
/// of a point.
bool is_json_number(std::string_view word);

/// What is wrong about a word that is no value of JSON. `next` is read where `word` is empty: the character that stands
/// where a value should begin.
Complaint explain_json_word(std::string_view word, char next);

}  // namespace rdmastate::yaml
