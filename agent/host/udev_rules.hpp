// SPDX-License-Identifier: Apache-2.0
// Reads the rules of a file of udev (udev(7)), token by token: to find claims, and foreign rules that win over ours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdmastate::udev {

/// One part of a rule: ATTR{address}=="?*a1".
struct Token {
  std::string key;
  std::string op;     ///< "==" and "!=" compare; "=", "+=", "-=" and ":=" assign
  std::string value;  ///< without its quotes, \" as "
  bool is_match() const { return op == "==" || op == "!="; }
};
/// The tokens of one rule, in its order.
using Rule = std::vector<Token>;

/// The rules of a file, in its order; one whose text is no token is empty. A line that ends in a backslash goes on in
/// the next one, and comment lines may stand in between. Pure; takes any text.
std::vector<Rule> rules_in(std::string_view text);

/// The rule as a line of a file: rules_in() gives it back. An e"..." is written as "...". Pure.
std::string text_of(const Rule& rule);

}  // namespace rdmastate::udev
