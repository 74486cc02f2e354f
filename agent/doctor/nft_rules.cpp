// SPDX-License-Identifier: Apache-2.0
// Flow: statements (a line, or what stands between semicolons; the braces of a set belong to one) -> chains by table
// and name -> each rule of a chain in its order: may it accept such a packet, does it drop all?
#include "doctor/nft_rules.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/one_of.hpp"

namespace rdmastate::doctor {
namespace {

using Words = std::vector<std::string>;

/// A base or other chain: its rules in words, without punctuation.
struct Chain {
  bool is_input = false;
  bool drops_rest = false;
  std::vector<Words> rules;
};
using Chains = std::map<std::pair<std::string, std::string>, Chain>;

/// Thrown where the text says what is not understood here.
struct Unclear {};

// The text without comments and quotes, and with the lines joined that a backslash continues. What was quoted is one
// word.
std::string plain(std::string_view text) {
  std::string rest;
  bool quoted = false, comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') quoted = comment = false;
    if (c == '"' && !comment) quoted = !quoted;
    if (c == '#' && !quoted) comment = true;
    if (comment || c == '"') continue;
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n')
      ++i;
    else
      rest += quoted && !ascii::is_letter_or_digit(c) && std::string_view("@$.-").find(c) == std::string_view::npos
                  ? '_'
                  : c;
  }
  return rest;
}

/// Takes statements off the text, one by one.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }

  /// What ends the statement: `{` opens a block, `}` closes one; a newline or semicolon otherwise. Within a chain the
  /// braces of a set are a part of the statement, newlines in them too.
  std::pair<std::string_view, char> next(bool in_chain) {
    const std::size_t from = at_;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '{' && in_chain) ++depth;
      if (c == '}' && depth > 0 && --depth >= 0) continue;
      if (depth == 0 && (c == '\n' || c == ';' || c == '{' || c == '}'))
        return {trimmed(text_.substr(from, at_++ - from)), c};
    }
    return {trimmed(text_.substr(from)), '\n'};
  }

  /// Behind the block that was opened last.
  void skip_block() {
    for (int depth = 1; depth > 0;) {
      if (at_end()) throw Unclear{};
      const char end = next(false).second;
      if (end == '{') ++depth;
      if (end == '}') --depth;
    }
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

Words words_of(std::string_view statement) { return split(statement, " \t\n,{}=:"); }

std::size_t place_of(const Words& rule, std::string_view word) {
  return static_cast<std::size_t>(std::find(rule.begin(), rule.end(), word) - rule.begin());
}
bool has(const Words& rule, std::string_view word) { return place_of(rule, word) != rule.size(); }

// Without what is only told: `comment "..."`, `prefix "..."`.
Words without_remarks(const Words& rule) {
  Words rest;
  for (std::size_t i = 0; i < rule.size(); ++i)
    if (rule[i] == "comment" || rule[i] == "prefix")
      ++i;
    else
      rest.push_back(rule[i]);
  return rest;
}

void add_statement(const Words& words, Chain& chain) {
  if (words.empty()) return;
  if (words[0] == "include") throw Unclear{};  // behind another statement of its line
  if (words[0] == "type") {
    const std::size_t hook = place_of(words, "hook");
    chain.is_input = words.size() > 1 && words[1] == "filter" && hook + 1 < words.size() && words[hook + 1] == "input";
  } else if (words[0] == "policy") {
    chain.drops_rest = words.size() > 1 && words[1] == "drop";
  } else {
    chain.rules.push_back(without_remarks(words));
  }
}

void read_chain(Reader& reader, Chain& chain) {
  while (!reader.at_end()) {
    const auto [statement, end] = reader.next(true);
    add_statement(words_of(statement), chain);
    if (end == '}') return;
  }
  throw Unclear{};
}

void read_table(Reader& reader, const std::string& table, Chains& chains) {
  while (!reader.at_end()) {
    const auto [statement, end] = reader.next(false);
    const Words head = words_of(statement);
    if (end == '{' && head.size() == 2 && head[0] == "chain")
      read_chain(reader, chains[{table, head[1]}]);
    else if (end == '{')
      reader.skip_block();
    else if (has(head, "dormant") || (!head.empty() && head[0] == "include"))
      throw Unclear{};
    if (end == '}') return;
  }
  throw Unclear{};
}

// Commands that come before the tables and leave nothing behind; all others may change a chain.
bool is_beginning(const Words& command) {
  constexpr std::string_view known[] = {"flush", "table", "add", "delete", "destroy", "define"};
  if (!is_one_of(command[0], known)) return false;
  return command[0] != "add" || (command.size() > 1 && command[1] == "table");
}

Chains chains_from(std::string_view text) {
  Chains chains;
  for (Reader reader(text); !reader.at_end();) {
    const auto [statement, end] = reader.next(false);
    const Words head = words_of(statement);
    if (end == '{' && !head.empty() && head[0] == "table" && head.size() > 1)
      read_table(reader, head.size() == 2 ? "ip " + head[1] : head[1] + " " + head[2], chains);
    else if (end == '{' && !head.empty() && head[0] == "define")
      reader.skip_block();
    else if (end == '{' || end == '}' || (!head.empty() && (!chains.empty() || !is_beginning(head))))
      throw Unclear{};
  }
  return chains;
}

// Whether a port, "4000-5000", or a name of /etc/services may be this one.
bool may_be(std::string_view text, std::uint16_t port) {
  constexpr std::string_view others[] = {"mdns",          "bootpc", "bootps", "domain", "ntp",   "dhcpv6-client",
                                         "dhcpv6-server", "snmp",   "ssh",    "http",   "https", "isakmp",
                                         "ipsec-nat-t",   "syslog", "tftp",   "sunrpc", "nfs",   "llmnr"};
  if (is_one_of(text, others)) return false;
  const char* const end = text.data() + text.size();
  unsigned first = 0, last = 0;
  auto read = std::from_chars(text.data(), end, first);
  if (read.ec != std::errc()) return true;
  last = first;
  if (read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
  return read.ec != std::errc() || read.ptr != end || (first <= port && port <= last);
}

constexpr std::string_view verdicts[] = {"accept", "jump",     "goto", "queue", "return",
                                         "vmap",   "continue", "drop", "reject"};
// What may stand between a match's values and the rule's verdict.
bool ends_values(std::string_view word) {
  constexpr std::string_view next[] = {"ct", "udp",   "tcp",     "ip",  "ip6",     "meta", "iif",   "iifname",
                                       "th", "limit", "counter", "log", "comment", "add",  "update"};
  return is_one_of(word, next) || is_one_of(word, verdicts);
}

// Whether no word is a variable, a named set or map, or a negation.
bool is_plain(std::span<const std::string> words) {
  return std::none_of(words.begin(), words.end(), [](const std::string& word) {
    return word.find_first_of("!@$&|<>") != std::string::npos || word == "not";
  });
}

// The values behind the word at this place. Empty: none, or other than plain ones (`!=`, a variable, a named set).
std::span<const std::string> values_behind(const Words& rule, std::size_t at) {
  std::size_t end = std::min(at + 1, rule.size());
  const std::size_t from = end;
  while (end < rule.size() && !ends_values(rule[end])) ++end;
  const auto values = std::span(rule).subspan(from, end - from);
  return is_plain(values) ? values : std::span<const std::string>();
}

// Whether the rule asks that what stands behind the word is one of these.
bool wants_one_of(const Words& rule, std::string_view word, std::span<const std::string_view> known) {
  const auto values = values_behind(rule, place_of(rule, word));
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [&](const std::string& value) { return is_one_of(value, known); });
}

bool wants_another_protocol(const Words& rule) {
  constexpr std::string_view known[] = {"tcp", "icmp", "icmpv6", "ipv6-icmp", "igmp",
                                        "esp", "ah",   "sctp",   "gre",       "vrrp"};
  constexpr std::string_view fields[] = {"dport", "sport", "flags", "type", "code"};
  for (const std::string_view word : {"l4proto", "protocol", "nexthdr"})
    if (wants_one_of(rule, word, known)) return true;
  for (std::size_t i = 0; i + 1 < rule.size(); ++i)
    if (is_one_of(rule[i], known) && is_one_of(rule[i + 1], fields)) return true;
  return false;
}

// No packet of RoCE is an answer: it goes to this port, from one that depends on the queue pair.
bool wants_known_connection(const Words& rule) {
  constexpr std::string_view known[] = {"established", "related", "invalid"};
  const std::size_t ct = place_of(rule, "ct");
  if (ct + 1 >= rule.size() || rule[ct + 1] != "state") return false;
  if (ct + 2 < rule.size() && rule[ct + 2] == "vmap")
    return is_plain(rule) && !has(rule, "new") && !has(rule, "untracked");
  return wants_one_of(rule, "state", known);
}

bool wants_another_port(const Words& rule, std::uint16_t port) {
  for (std::size_t i = 0; i + 1 < rule.size(); ++i) {
    if (rule[i] != "udp" || rule[i + 1] != "dport") continue;
    const auto values = values_behind(rule, i + 1);
    return !values.empty() &&
           std::none_of(values.begin(), values.end(), [&](const std::string& value) { return may_be(value, port); });
  }
  return false;
}

bool wants_loopback(const Words& rule) {
  constexpr std::string_view known[] = {"lo"};
  return wants_one_of(rule, "iif", known) || wants_one_of(rule, "iifname", known);
}

bool may_accept(const Words& rule, std::uint16_t port) {
  constexpr std::string_view harmless[] = {"continue", "drop", "reject"};
  const bool decides = std::any_of(rule.begin(), rule.end(), [&](const std::string& word) {
    return is_one_of(word, verdicts) && !is_one_of(word, harmless);
  });
  return decides && !wants_another_protocol(rule) && !wants_known_connection(rule) && !wants_another_port(rule, port) &&
         !wants_loopback(rule);
}

// "counter reject with icmpx admin-prohibited": it has no match.
bool drops_all(const Words& rule) {
  const std::size_t first = !rule.empty() && rule[0] == "counter" ? 1 : 0;
  return first < rule.size() && (rule[first] == "drop" || rule[first] == "reject");
}

bool surely_drops(const Chain& chain, std::uint16_t port) {
  for (const auto& rule : chain.rules) {
    if (drops_all(rule)) return true;
    if (may_accept(rule, port)) return false;
  }
  return chain.drops_rest;
}

bool has_ipv4(std::string_view table) { return table.starts_with("inet ") || table.starts_with("ip "); }

}  // namespace

std::optional<NftChain> chain_that_drops(std::string_view text, std::uint16_t port) try {
  for (const auto& [name, chain] : chains_from(plain(text)))
    if (chain.is_input && has_ipv4(name.first) && surely_drops(chain, port)) return NftChain{name.first, name.second};
  return std::nullopt;
} catch (const Unclear&) {
  return std::nullopt;
}

}  // namespace rdmastate::doctor
