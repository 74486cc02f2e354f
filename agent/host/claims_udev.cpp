// SPDX-License-Identifier: Apache-2.0
// Two directions. udev_claims() extracts the interfaces to which udev's rules (udev(7)) give a name: claim_of() makes
// the claim of a rule. claim_text() writes a claim, of any manager, as the text of a file that makes it, which a record
// keeps: match_of(), keyfile_of(), rule_of() and yaml_of() each write one format.
//
// ClaimWords (claims.hpp) is a claim in parts: the interface's `name`, and `asks`, the conditions on the interface. A
// condition (Selector) names what is compared (`by`, a key of systemd's [Match]) and the patterns for it; with
// `none_of` no pattern may fit.
#include <fmt/format.h>

#include "base/lines.hpp"
#include "host/claims.hpp"
#include "host/udev_rules.hpp"

namespace rdmastate {
namespace {

using udev::Token;

bool is_assigned(const Token& token) { return token.op == "=" || token.op == ":="; }

// The Selector's `by` for a key of udev; empty: the key does not select an interface.
std::string_view by_of(const std::string& key) {
  if (key == "ATTR{address}") return "MACAddress";
  if (key == "KERNEL") return "OriginalName";
  if (key == "ENV{ID_PATH}" || key == "KERNELS") return "Path";
  if (key == "DRIVERS") return "ParentDriver";
  if (key == "ENV{ID_NET_DRIVER}") return "Driver";
  if (key == "ATTR{type}") return "Type";
  return {};
}

// Stands before the ARPHRD_ number of any type but InfiniBand.
constexpr std::string_view other_type = "type ";

// A token's value as a Selector's pattern, which has systemd's words for paths and types.
std::string value_of(const Token& token) {
  if (token.key == "KERNELS") return "pci-" + token.value;
  if (token.key == "ATTR{type}") return token.value == "32" ? "infiniband" : std::string(other_type) + token.value;
  return token.value;
}

// udev separates alternatives by "|".
Selector selector_of(const Token& token) {
  Selector one{std::string(by_of(token.key)), {}, token.op == "!="};
  for (auto& part : split(token.value, "|")) one.patterns.push_back(value_of({token.key, token.op, std::move(part)}));
  return one;
}

// The claim of a rule that gives an interface a name; nullopt: it gives none, or one that is computed ($).
std::optional<Claim> claim_of(const udev::Rule& rule) {
  ClaimWords claim;
  bool tells_apart = false;  // a driver or a type alone does not tell interfaces apart: then only `name` counts
  for (const auto& token : rule) {
    if (token.key == "NAME" && is_assigned(token)) claim.name = token.value;
    if (token.key == "SUBSYSTEM" && token.op == "==" && token.value != "net") return std::nullopt;
    if (!token.is_match() || by_of(token.key).empty()) continue;
    claim.asks.push_back(selector_of(token));
    tells_apart = tells_apart || (token.op == "==" && token.key != "DRIVERS" && token.key != "ATTR{type}");
  }
  if (claim.name.empty() || claim.name.find('$') != std::string::npos) return std::nullopt;
  if (!tells_apart) claim.asks.clear();
  return Claim{text_of(claim), "", ""};
}

// A section of an INI file; empty where it has no lines.
std::string section(std::string_view name, std::string_view lines) {
  return lines.empty() ? std::string() : fmt::format("[{}]\n{}", name, lines);
}

// [Match] of systemd.network(5) and systemd.link(5).
std::string match_of(const ClaimWords& claim) {
  std::string lines;
  for (const auto& one : claim.asks)
    lines += fmt::format("{}={}{}\n", one.by, one.none_of ? "!" : "", fmt::join(one.patterns, " "));
  return section("Match", lines);
}

// A profile of NetworkManager, as infiniband_claims() (claims.cpp) reads it.
std::string keyfile_of(const ClaimWords& claim) {
  std::string address, lines;
  for (const auto& one : claim.asks) {
    if (one.by == "MACAddress") address = fmt::format("mac-address={}\n", one.patterns.front());
    const std::string_view key = one.by == "Name" ? "interface-name" : one.by == "Path" ? "path" : "driver";
    std::string list;
    for (const auto& pattern : one.patterns) list += (one.none_of ? "!" : "") + pattern + ";";
    if (one.by != "MACAddress" && one.by != "Type") lines += fmt::format("{}={}\n", key, list);
  }
  return "[connection]\ntype=infiniband\n" + section("infiniband", address) + section("match", lines);
}

std::string_view file_name(const Claim& claim) {
  return std::string_view(claim.path).substr(claim.path.rfind('/') + 1);
}

// Whether the claim is of a file of assignments, which NetworkManager reads on RHEL and wicked on SUSE.
bool is_ifcfg(const Claim& claim) { return !interface_of_file(file_name(claim)).empty(); }

// A word that a shell reads as this text.
std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// The text of an ifcfg-NAME file; empty where its name alone makes the claim.
std::string ifcfg_of(const Claim& claim, const ClaimWords& parts) {
  if (!parts.asks.empty()) return fmt::format("HWADDR={}\n", shell_word(parts.asks.front().patterns.front()));
  if (parts.name == interface_of_file(file_name(claim))) return {};
  return fmt::format("DEVICE={}\n", shell_word(parts.name));
}

// A rule of udev.
std::string rule_of(const ClaimWords& claim) {
  if (claim.name.empty()) return "ACTION==\"add\"\n";  // stands for the file's other rules, as an empty claim does
  std::string rule = "SUBSYSTEM==\"net\", ";
  for (const auto& one : claim.asks) {
    std::string key = "ATTR{address}";
    for (const char* other : {"KERNEL", "ENV{ID_PATH}", "DRIVERS", "ENV{ID_NET_DRIVER}", "ATTR{type}"})
      if (by_of(other) == one.by) key = other;
    const bool is_infiniband = one.by == "Type" && one.patterns == std::vector<std::string>{"infiniband"};
    std::string value = is_infiniband ? "32" : fmt::format("{}", fmt::join(one.patterns, "|"));
    if (one.by == "Type" && value.starts_with(other_type)) value = value.substr(other_type.size());
    rule += fmt::format("{}{}\"{}\", ", key, one.none_of ? "!=" : "==", value);
  }
  return rule + fmt::format("NAME=\"{}\"\n", claim.name);
}

// An entry below netplan's "ethernets:". With `match` the id may be any word: it is the text of the claim.
std::string yaml_of(const ClaimWords& claim) {
  if (claim.asks.empty()) return fmt::format("    \"{}\": {{}}\n", claim.name);
  std::string text = fmt::format("    \"{}\":\n      match:\n", text_of(claim));
  for (const auto& one : claim.asks) {
    const std::string_view key = one.by == "MACAddress" ? "macaddress" : one.by == "Name" ? "name" : "driver";
    text += fmt::format("        {}: [\"{}\"]\n", key, fmt::join(one.patterns, "\", \""));
  }
  return text;
}

}  // namespace

std::vector<Claim> udev_claims(std::string_view, std::string_view text) {
  std::vector<Claim> found;
  bool has_others = false;
  for (const auto& rule : udev::rules_in(text)) {
    auto claim = claim_of(rule);
    has_others = has_others || !claim;
    if (claim) found.push_back(std::move(*claim));
  }
  if (has_others && !found.empty()) found.emplace_back();  // an empty claim: the file has other rules too
  return found;
}

std::string claim_text(const Claim& claim) {
  const ClaimWords parts = claim_words(claim);
  const bool asks = !parts.asks.empty();
  if (is_ifcfg(claim)) return ifcfg_of(claim, parts);
  if (claim.manager == "networkmanager") return asks ? keyfile_of(parts) : "interface-name=" + parts.name + "\n";
  if (claim.manager == "networkd") return asks ? match_of(parts) : "[Match]\nName=" + parts.name + "\n";
  if (claim.manager == "netplan") return yaml_of(parts);
  if (claim.manager == "udev" && claim.path.ends_with(".rules")) return rule_of(parts);
  if (claim.manager == "udev") return match_of(parts) + "[Link]\nName=" + parts.name + "\n";
  // interfaces(5): "auto /PATTERN=x" selects interfaces by a pattern; x is the name of their iface stanza.
  if (claim.manager == "ifupdown" && asks) return "auto /" + parts.asks.front().patterns.front() + "=x\n";
  return "iface " + parts.name + " inet manual\n";
}

}  // namespace rdmastate
