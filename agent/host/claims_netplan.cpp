// SPDX-License-Identifier: Apache-2.0
// Extracts claims and the renderer from netplan's YAML files (netplan(5)), and writes such a file.
#include <algorithm>
#include <optional>
#include <utility>

#include "host/claims.hpp"
#include "host/file_owners.hpp"
#include "yaml/load.hpp"

namespace rdmastate {
namespace {

// The YAML document in the text; nullopt: the text is no YAML, and netplan does not read it either. The messages of the
// parser are dropped: some are about YAML that only a spec may not have, such as anchors and tags.
std::optional<yaml::Document> parsed(std::string_view text) {
  Report dropped;
  return yaml::load("netplan", std::string(text), dropped);
}

// The text of a scalar; empty for any other node, and for nullptr.
std::string word_of(const yaml::Node* node) {
  return node != nullptr && node->type() == yaml::NodeType::scalar ? std::string(node->as_scalar().text)
                                                                   : std::string();
}

// A word that a claim can hold.
bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f && c != '"'; });
}

// The words of a scalar or of a list, of which any may fit.
std::vector<std::string> words_in(const yaml::Node& node) {
  std::vector<std::string> words;
  if (std::string one = word_of(&node); is_word(one)) words.push_back(std::move(one));
  for (const auto& item : node.items())
    if (std::string one = word_of(&item); is_word(one)) words.push_back(std::move(one));
  return words;
}

// The claim of a definition's `match`.
Claim asking_of(const yaml::Node& match) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"macaddress", "MACAddress"}, {"name", "Name"}, {"driver", "Driver"}};
  std::vector<Selector> asks;
  for (const auto& [key, by] : known)
    if (const yaml::Node* value = match.value(key))
      if (auto words = words_in(*value); !words.empty()) asks.push_back({std::string(by), std::move(words)});
  if (asks.empty()) asks.push_back({"Name", {"*"}});  // an empty `match` fits any interface
  return {text_of(ClaimWords{"", std::move(asks)}), "", ""};
}

// A definition is an entry below "ethernets:" and the like. With `match` its id may be any word, and `set-name` names
// the interface; without, the id is the interface's name.
void add_definition(const yaml::Entry& one, std::vector<Claim>& found) {
  const yaml::Node* match = one.value.value("match");
  std::string name = word_of(match == nullptr ? &one.key : one.value.value("set-name"));
  if (match != nullptr) found.push_back(asking_of(*match));
  if (is_word(name) && name.find_first_of("[]") == std::string::npos) found.push_back({std::move(name), "", ""});
}

}  // namespace

std::vector<Claim> netplan_claims(std::string_view, std::string_view text) {
  std::vector<Claim> found;
  const auto document = parsed(text);
  const yaml::Node* network = document ? document->root.value("network") : nullptr;
  if (network == nullptr) return found;
  for (const auto& type : network->entries())
    for (const auto& one : type.value.entries()) add_definition(one, found);
  return found;
}

std::string netplan_renderer(std::string_view text) {
  const auto document = parsed(text);
  const yaml::Node* network = document ? document->root.value("network") : nullptr;
  return network == nullptr ? std::string() : word_of(network->value("renderer"));
}

std::string netplan_text(const std::string& renderer, const std::vector<Claim>& claims) {
  if (renderer.empty() && claims.empty()) return {};
  std::string text = "network:\n";
  if (!renderer.empty()) text += "  renderer: " + renderer + "\n";
  if (!claims.empty()) text += "  ethernets:\n";
  std::vector<std::string> written;  // YAML takes a key once
  for (const auto& claim : claims) {
    if (std::find(written.begin(), written.end(), claim.interface) != written.end()) continue;
    written.push_back(claim.interface);
    text += claim_text(claim);
  }
  return text;
}

}  // namespace rdmastate
