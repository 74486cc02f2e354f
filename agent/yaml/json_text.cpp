// SPDX-License-Identifier: Apache-2.0
#include "yaml/json_text.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace rdmastate::yaml {
namespace {

using Problem = Prepass::Problem;

constexpr std::size_t hex_digits = 4;

Problem problem(std::size_t offset, std::string message, std::string hint) {
  return {offset, {std::move(message), {}, std::move(hint), Severity::error}};
}

std::optional<std::uint32_t> hex_at(std::string_view bytes, std::size_t at) {
  const std::string_view digits = bytes.substr(std::min(at, bytes.size()), hex_digits);
  std::uint32_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  const bool whole = digits.size() == hex_digits && end == digits.data() + digits.size();
  return failure == std::errc{} && whole ? std::optional(value) : std::nullopt;
}

bool is_high(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

// The character of an escape \uXXXX, or of two that make one ("\ud83d\ude00"); nullopt: they make none. `at` is at the
// u, and moves to the last digit.
std::optional<std::uint32_t> code_point(std::string_view bytes, std::size_t& at) {
  const auto first = hex_at(bytes, at + 1);
  if (!first || is_low(*first)) return std::nullopt;
  at += hex_digits;
  if (!is_high(*first)) return first;
  const auto second = bytes.substr(at + 1, 2) == "\\u" ? hex_at(bytes, at + 3) : std::nullopt;
  if (!second || !is_low(*second)) return std::nullopt;
  at += 2 + hex_digits;
  return 0x10000U + ((*first - 0xd800U) << 10U) + (*second - 0xdc00U);
}

// The character that a backslash and `c` stand for; 0 where JSON has no such escape.
char short_escape(char c) {
  constexpr std::string_view written = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  const std::size_t which = written.find(c);
  return which == std::string_view::npos ? '\0' : meant[which];
}

// `at` is at the backslash, and moves to the escape's last character.
std::optional<Problem> escape(std::string_view bytes, std::size_t& at, std::string& out) {
  const std::size_t start = at++;
  const char c = at < bytes.size() ? bytes[at] : '\0';
  if (const char meant = short_escape(c); meant != '\0') {
    out += meant;
    return std::nullopt;
  }
  if (c != 'u')
    return problem(start, "an unknown escape in a string",
                   R"(JSON has \" \\ \/ \b \f \n \r \t and \u with four digits)");
  const auto point = code_point(bytes, at);
  if (!point)
    return problem(start, R"(\u without the digits of a character)",
                   R"(four hexadecimal digits, and two such escapes for what lies above \uffff)");
  append_utf8(out, *point);
  return std::nullopt;
}

// Takes digits from the front; false where there are none.
bool take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

}  // namespace

std::optional<Problem> read_json_string(std::string_view bytes, std::size_t& at, std::string& out) {
  const std::size_t start = at++;
  out.clear();
  for (; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (c == '"') return ++at, std::nullopt;
    if (c == '\t') return problem(at, "a tab within a string", R"(write \t)");
    if (c == '\n' || c == '\r')
      return problem(start, "a string that goes on in the next line", R"(close it, or write \n for a line's end)");
    if (c != '\\')
      out += c;
    else if (auto found = escape(bytes, at, out))
      return found;
  }
  return problem(start, "a quote that is never closed", {});
}

bool is_json_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  const bool zero = word.starts_with('0');
  if (zero) word.remove_prefix(1);
  if (!zero && !take_digits(word)) return false;
  if (word.starts_with('.')) {
    word.remove_prefix(1);
    if (!take_digits(word)) return false;
  }
  if (word.starts_with('e') || word.starts_with('E')) {
    word.remove_prefix(1);
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    if (!take_digits(word)) return false;
  }
  return word.empty();
}

Complaint explain_json_word(std::string_view word, char next) {
  const auto error = [](std::string message, std::string hint) {
    return Complaint{std::move(message), {}, std::move(hint), Severity::error};
  };
  if (word.empty()) return error(fmt::format("expected a value, got '{}'", printable({&next, 1})), {});
  const char first = word.front();
  if (first == '#' || first == '/')
    return error("a comment, which JSON does not have", "remove it, or write the file as YAML");
  if (first == '\'') return error("a text in single quotes", "JSON's texts stand in double quotes");
  if (ascii::is_digit(first) || first == '-' || first == '+' || first == '.')
    return error(fmt::format("'{}' is no number in JSON", printable(word)),
                 fmt::format("a number has decimal digits and no leading zero; a text is \"{}\"", printable(word)));
  return error(fmt::format("'{}' is no value in JSON", printable(word)),
               fmt::format("true, false, a number, or a text in double quotes: \"{}\"", printable(word)));
}

}  // namespace rdmastate::yaml
