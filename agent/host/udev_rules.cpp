// SPDX-License-Identifier: Apache-2.0
#include "host/udev_rules.hpp"

#include <algorithm>
#include <optional>

#include "base/lines.hpp"

namespace rdmastate::udev {
namespace {

// Where the operator of the first token in `text` begins; npos: there is none. An attribute in braces, which may hold
// any character, stands before it.
std::size_t operator_of(std::string_view text) {
  constexpr std::string_view operators = "=!+-:";
  const std::size_t op = text.find_first_of(operators);
  return text.find('{') < op ? text.find_first_of(operators, std::min(text.find('}'), text.size())) : op;
}

// KEY OP "VALUE", or e"VALUE"; nullopt at the end of what can be read.
std::optional<Token> next_token(std::string_view& text) {
  text = text.substr(std::min(text.find_first_not_of(" \t,"), text.size()));
  const std::size_t op = operator_of(text);
  const std::size_t quote = text.find('"');
  if (op == std::string_view::npos || quote == std::string_view::npos || quote < op) return std::nullopt;
  Token token{std::string(trimmed(text.substr(0, op))), std::string(trimmed(text.substr(op, quote - op), " \te")), ""};
  std::size_t at = quote + 1;
  for (; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && text.substr(at + 1, 1) == "\"") ++at;
    token.value += text[at];
  }
  text = text.substr(std::min(at + 1, text.size()));
  return token;
}

Rule tokens_of(std::string_view line) {
  Rule rule;
  while (auto token = next_token(line)) rule.push_back(std::move(*token));
  return rule;
}

}  // namespace

std::vector<Rule> rules_in(std::string_view text) {
  std::vector<Rule> rules;
  std::string joined;
  for_lines(text, [&](std::string_view line) {
    line = trimmed(line);
    if (line.starts_with('#')) return;
    const bool goes_on = line.ends_with('\\');
    joined += line.substr(0, line.size() - (goes_on ? 1 : 0));
    if (goes_on) return;
    if (!joined.empty()) rules.push_back(tokens_of(joined));
    joined.clear();
  });
  if (!joined.empty()) rules.push_back(tokens_of(joined));
  return rules;
}

std::string text_of(const Rule& rule) {
  std::string text;
  for (const auto& token : rule) {
    text += (text.empty() ? "" : ", ") + token.key + token.op + '"';
    for (const char letter : token.value) text += letter == '"' ? std::string("\\\"") : std::string(1, letter);
    text += '"';
  }
  return text;
}

}  // namespace rdmastate::udev
