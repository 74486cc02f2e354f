// SPDX-License-Identifier: Apache-2.0
#include "host/parameter_value.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <vector>

namespace rdmastate {
namespace {

// The elements between the commas, empty ones included: a parameter that is no array has one.
std::vector<std::string> elements_of(std::string_view text) {
  std::vector<std::string> elements;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    elements.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  elements.emplace_back(text);
  return elements;
}

bool is_boolean(std::string_view live) { return live == "Y" || live == "N"; }

// kstrtobool(): the first letter decides, after 'o' the second one.
std::optional<bool> boolean_from(std::string_view text) {
  const std::string_view word = text.starts_with('o') || text.starts_with('O') ? text.substr(0, 2) : text.substr(0, 1);
  for (const std::string_view yes : {"y", "Y", "1", "on", "On", "ON", "oN"})
    if (word == yes) return true;
  for (const std::string_view no : {"n", "N", "0", "of", "Of", "OF", "oF"})
    if (word == no) return false;
  return std::nullopt;
}

// The number in decimal, as kstrtoll() and kstrtoull() read it with base 0: 0x is hexadecimal, a leading 0 octal.
// nullopt: it is no number of 64 bits.
std::optional<std::string> number_from(const std::string& text) {
  if (text.empty() || text.find_first_of(" \t\n") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const bool negative = text.front() == '-';
  const auto below = negative ? std::strtoll(text.c_str(), &end, 0) : 0;
  const auto above = negative ? 0 : std::strtoull(text.c_str(), &end, 0);
  if (errno != 0 || end != text.c_str() + text.size()) return std::nullopt;
  return negative ? std::to_string(below) : std::to_string(above);
}

// printed_like() of one element.
std::string element_printed_like(const std::string& live, const std::string& wanted) {
  if (is_boolean(live)) {
    const auto value = boolean_from(wanted);
    return !value ? wanted : *value ? "Y" : "N";
  }
  const auto now = number_from(live);
  const auto number = number_from(wanted);
  if (!now || !number) return wanted;
  return *number == *now ? live : *number;  // the kernel may print it in another base: that text stays
}

}  // namespace

// Elements of `wanted` beyond those of `live` are printed as its last one is.
std::string printed_like(std::string_view live, std::string_view wanted) {
  const auto now = elements_of(live);
  const auto asked = elements_of(wanted);
  std::string printed;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (i > 0) printed += ',';
    printed += element_printed_like(now[std::min(i, now.size() - 1)], asked[i]);
  }
  return printed;
}

bool is_value(std::string_view live, std::string_view wanted) {
  const auto now = elements_of(live);
  const auto asked = elements_of(printed_like(live, wanted));
  if (asked.size() > now.size() || !std::equal(asked.begin(), asked.end(), now.begin())) return false;
  return std::all_of(now.begin() + static_cast<std::ptrdiff_t>(asked.size()), now.end(),
                     [](const std::string& rest) { return rest == "0" || rest == "N"; });
}

bool takes_value(std::string_view live, std::string_view wanted) {
  const auto now = elements_of(live);
  const auto asked = elements_of(wanted);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto& like = now[std::min(i, now.size() - 1)];
    if (is_boolean(like) && !boolean_from(asked[i])) return false;
    if (number_from(like) && !number_from(asked[i]) && asked[i] != "off")
      return false;  // ib_srp's timeouts: 600 or off
  }
  return true;
}

}  // namespace rdmastate
