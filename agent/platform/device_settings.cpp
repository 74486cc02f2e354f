// SPDX-License-Identifier: Apache-2.0
// Reads udev's rules and .link files as settings (setting.hpp): what they set, and the conditions on the device. The
// own_* functions read a file of rdmastate, and add conditions that its text implies: see add_implied() and
// own_link_settings().
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ini.hpp"
#include "base/lines.hpp"
#include "host/udev_rules.hpp"
#include "platform/setting.hpp"

namespace rdmastate {
namespace {

// The kernel calls a port's interface ib0, ib1 and so on before udev or a program gives it a name.
constexpr const char* ipoib_names = "ib*";

using udev::Rule;
using udev::Token;

Condition condition_of(const Token& token) { return {token.key, split(token.value, "|"), token.op == "!="}; }

std::vector<Condition> conditions_of(const Rule& rule) {
  std::vector<Condition> when;
  for (const auto& token : rule)
    if (token.is_match()) when.push_back(condition_of(token));
  return when;
}

// The rule's first assignment to this key; nullptr: it has none.
const Token* assignment(const Rule& rule, std::string_view key) {
  const auto found =
      std::find_if(rule.begin(), rule.end(), [&](const Token& one) { return one.key == key && !one.is_match(); });
  return found == rule.end() ? nullptr : &*found;
}

// Adds the conditions that one of our rules implies: ATTR{type}=="32" (ARPHRD_INFINIBAND) means that KERNEL is ib*; and
// a later rule may have as its condition what ours sets (NAME, GROUP, MODE).
void add_implied(const Rule& rule, std::vector<Condition>& when) {
  const bool is_ipoib = std::any_of(rule.begin(), rule.end(), [](const Token& one) {
    return one.key == "ATTR{type}" && one.op == "==" && one.value == "32";
  });
  const bool has_name = std::any_of(when.begin(), when.end(), [](const Condition& one) { return one.key == "KERNEL"; });
  if (is_ipoib && !has_name) when.push_back({"KERNEL", {ipoib_names}});
  for (const char* key : {"NAME", "GROUP", "MODE"})
    if (const Token* set = assignment(rule, key)) when.push_back({key, {set->value}});
}

// A GOTO whose rule has one condition: the rules that it jumps over, up to its label, have the opposite condition.
struct Jump {
  Condition opposite;
  std::string label;
};

// Ends the jumps whose label the rule has, and begins the jump that the rule makes, if it makes one.
void follow_jumps(const Rule& rule, const std::vector<Condition>& asked, std::vector<Jump>& jumps) {
  if (const Token* label = assignment(rule, "LABEL"))
    std::erase_if(jumps, [&](const Jump& jump) { return jump.label == label->value; });
  const Token* over = assignment(rule, "GOTO");
  if (over == nullptr || asked.size() != 1) return;
  Condition opposite = asked.front();
  opposite.negated = !opposite.negated;
  jumps.push_back({std::move(opposite), over->value});
}

// A rule renames an RDMA device by PROGRAM="rdma_rename %k METHOD [NAME]". rdma_rename looks for the device by
// the kernel's name (%k), and no longer finds it once it is renamed, so the first rule that renames it counts. The
// method NAME_KERNEL renames nothing.
void add_rename(const Rule& rule, const std::vector<Condition>& when, Settings& settings) {
  for (const auto& token : rule) {
    const auto parts = words(token.value);
    if (token.key != "PROGRAM" || parts.size() < 3 || !parts[0].ends_with("rdma_rename") || parts[2] == "NAME_KERNEL")
      continue;
    Setting setting{"rdma_rename", parts.back(), fmt::format("PROGRAM=\"{}\"", token.value), /*first=*/true};
    setting.when = when;
    settings.push_back(std::move(setting));
  }
}

// Most rules add to TAG and ENV (+=); only a rule that sets them takes away what ours adds. Additions are read too,
// since our own rules are read by this function.
void add_assignments(const Rule& rule, const std::vector<Condition>& when, Settings& settings) {
  constexpr std::array<std::string_view, 5> keys{"NAME", "GROUP", "MODE", "TAG", "ENV{SYSTEMD_WANTS}"};
  for (const auto& token : rule) {
    if (token.is_match() || std::find(keys.begin(), keys.end(), token.key) == keys.end()) continue;
    Setting setting{token.key, token.value, fmt::format("{}{}\"{}\"", token.key, token.op, token.value)};
    setting.adds = token.op == "+=" || token.op == "-=";
    setting.final = token.op == ":=";
    setting.when = when;
    settings.push_back(std::move(setting));
  }
}

}  // namespace

Settings rule_settings(std::string_view text) {
  Settings settings;
  std::vector<Jump> jumps;
  for (const auto& rule : udev::rules_in(text)) {
    std::vector<Condition> when = conditions_of(rule);
    follow_jumps(rule, when, jumps);
    for (const auto& jump : jumps) when.push_back(jump.opposite);
    add_rename(rule, when, settings);
    add_assignments(rule, when, settings);
  }
  return settings;
}

Settings own_rule_settings(std::string_view text) {
  Settings settings;
  for (const auto& rule : udev::rules_in(text)) {
    std::vector<Condition> when = conditions_of(rule);
    add_implied(rule, when);
    add_rename(rule, when, settings);
    add_assignments(rule, when, settings);
  }
  return settings;
}

Settings link_settings(std::string_view text) {
  const ini::File file(ini::systemd, text);
  Setting setting{".link", file.value("Link", "Name"), /*text=*/"", /*first=*/true};
  for (const auto& entry : file.entries()) {
    if (file.section(entry) != "Match" || !entry.counts || entry.value.empty()) continue;
    const bool negated = entry.value[0] == '!';
    setting.when.push_back({entry.key, words(entry.value.substr(negated ? 1 : 0)), negated});
    setting.text += fmt::format("{}{}={}", setting.text.empty() ? "" : " ", entry.key, entry.value);
  }
  if (setting.when.empty()) return {};  // a file without [Match] is none (systemd.link(5))
  return {setting};
}

Settings own_link_settings(std::string_view text) {
  Settings settings = link_settings(text);
  for (auto& setting : settings) setting.when.push_back({"OriginalName", {ipoib_names}});
  return settings;
}

}  // namespace rdmastate
