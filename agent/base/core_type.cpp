// SPDX-License-Identifier: Apache-2.0
// core_type() of base/text.hpp: a scalar's type in YAML's core schema (YAML 1.2.2, section 10.3.2), found without
// regular expressions.
#include "base/ascii.hpp"
#include "base/one_of.hpp"
#include "base/text.hpp"

namespace rdmastate {
namespace {

using ascii::is_digit;
using ascii::is_hex;
using ascii::is_octal;

template <class Is>
bool all(std::string_view text, Is is) {
  for (const char c : text)
    if (!is(c)) return false;
  return !text.empty();
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

std::string_view without_digits(std::string_view text) {
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return text;
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_real(std::string_view text) {
  text = without_sign(text);
  std::string_view rest = without_digits(text);
  const bool whole = rest.size() < text.size();
  if (!rest.empty() && rest.front() == '.') {
    const std::string_view fraction = rest.substr(1);
    rest = without_digits(fraction);
    if (!whole && rest.size() == fraction.size()) return false;
  } else if (!whole) {
    return false;
  }
  if (rest.empty()) return true;
  return (rest.front() == 'e' || rest.front() == 'E') && all(without_sign(rest.substr(1)), is_digit);
}

bool is_special_real(std::string_view text) {
  return is_one_of(without_sign(text), {".inf", ".Inf", ".INF"}) || is_one_of(text, {".nan", ".NaN", ".NAN"});
}

bool is_integer(std::string_view text) {
  if (text.starts_with("0o")) return all(text.substr(2), is_octal);
  if (text.starts_with("0x")) return all(text.substr(2), is_hex);
  return all(without_sign(text), is_digit);
}

}  // namespace

CoreType core_type(const Scalar& scalar) {
  if (!scalar.plain) return CoreType::string;
  const std::string_view text = scalar.text;
  if (text.empty()) return CoreType::null;
  const char first = text.front();
  if (is_digit(first) || first == '-' || first == '+' || first == '.') {
    if (is_integer(text)) return CoreType::integer;
    return is_real(text) || is_special_real(text) ? CoreType::real : CoreType::string;
  }
  if (is_one_of(text, {"~", "null", "Null", "NULL"})) return CoreType::null;
  if (is_one_of(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) return CoreType::boolean;
  return CoreType::string;
}

}  // namespace rdmastate
