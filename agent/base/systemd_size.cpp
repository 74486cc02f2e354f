// SPDX-License-Identifier: Apache-2.0
#include "base/systemd_size.hpp"

#include <algorithm>
#include <charconv>

namespace rdmastate {
namespace {

constexpr std::string_view blanks = " \t\n\r";
constexpr std::string_view suffixes = "EPTGMKB";  // from the largest on; none is as B

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size())); }

// Takes the digits at the beginning; nullopt: there are none, or their number is too large.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Takes ".5", as a part of one; 0 where there is none.
double take_fraction(std::string_view& text) {
  if (!text.starts_with('.')) return 0;
  text.remove_prefix(1);
  const std::size_t before = text.size();
  double fraction = static_cast<double>(take_number(text).value_or(0));
  for (std::size_t digits = before - text.size(); digits > 0; --digits) fraction /= 10;  // as parse_size() does
  return fraction;
}

// Takes the suffix and returns its index in `suffixes`, which is at least `from`; suffixes.size() where the size has no
// suffix. nullopt: a size without a suffix came before, and nothing may follow it.
std::optional<std::size_t> take_suffix(std::string_view& text, std::size_t from) {
  const std::size_t at = text.empty() ? std::string_view::npos : suffixes.find(text.front(), from);
  if (at == std::string_view::npos) return from <= suffixes.size() ? std::optional(suffixes.size()) : std::nullopt;
  text.remove_prefix(1);
  return at;
}

// The bytes of so many units; nullopt: more than 64 bits hold.
std::optional<std::uint64_t> in_bytes(std::uint64_t whole, double fraction, std::size_t suffix) {
  const std::size_t last = suffixes.size() - 1;
  const std::uint64_t unit = std::uint64_t{1} << (10 * (last - std::min(suffix, last)));
  if (whole > systemd_infinity / unit) return std::nullopt;
  const std::uint64_t bytes = whole * unit;
  const auto part = static_cast<std::uint64_t>(fraction * static_cast<double>(unit));
  return part > systemd_infinity - bytes ? std::nullopt : std::optional(bytes + part);
}

}  // namespace

std::optional<std::uint64_t> systemd_size(std::string_view text) {
  if (text == "infinity") return systemd_infinity;
  std::uint64_t sum = 0;
  std::size_t next = 0;
  do {
    skip_blanks(text);
    const auto whole = take_number(text);
    if (!whole) return std::nullopt;
    const double fraction = take_fraction(text);
    skip_blanks(text);
    const auto suffix = take_suffix(text, next);
    const auto bytes = suffix ? in_bytes(*whole, fraction, *suffix) : std::nullopt;
    if (!bytes || *bytes >= systemd_infinity - sum) return std::nullopt;
    sum += *bytes;
    next = *suffix + 1;
  } while (!text.empty());
  return sum;
}

std::optional<SystemdLimit> systemd_limit(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto soft = systemd_size(text.substr(0, colon));
  const auto hard = colon == text.size() ? soft : systemd_size(text.substr(colon + 1));
  if (!soft || !hard || *soft > *hard) return std::nullopt;
  return SystemdLimit{*soft, *hard};
}

}  // namespace rdmastate
