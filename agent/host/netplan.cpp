// SPDX-License-Identifier: Apache-2.0
#include "host/netplan.hpp"

#include "yaml/load.hpp"

namespace rdmastate {
namespace {

// Adds the node to `text`, with lengths before words, so that no two nodes give the same text.
void print(const yaml::Node& node, std::string& text) {
  const Scalar scalar = node.as_scalar();
  text += std::to_string(scalar.text.size()) + ":" + std::string(scalar.text) + "[";
  for (const auto& item : node.items()) print(item, text);
  text += "]{";
  for (const auto& entry : node.entries()) {
    print(entry.key, text);
    print(entry.value, text);
  }
  text += "}";
}

}  // namespace

std::string netplan_network_path(const std::string& id) {
  return std::string(netplan_generated_files) + id + ".network";
}

std::string netplan_profile_path(const std::string& id) {
  return std::string(netplan_generated_profiles) + id + ".nmconnection";
}

std::vector<std::string> netplan_paths_of(const std::string& id) {
  return {netplan_network_path(id), std::string(netplan_generated_files) + id + ".link", netplan_profile_path(id)};
}

std::vector<NetplanDefinition> netplan_definitions(std::string_view text) {
  std::vector<NetplanDefinition> found;
  Report dropped;  // what is no YAML for netplan either has no definitions
  const auto document = yaml::load("netplan", std::string(text), dropped);
  const yaml::Node* network = document ? document->root.value("network") : nullptr;
  if (network == nullptr) return found;
  for (const auto& type : network->entries())
    for (const auto& one : type.value.entries()) {
      NetplanDefinition& made = found.emplace_back();
      made.id = one.key.as_scalar().text;
      print(one.value, made.text);
    }
  return found;
}

}  // namespace rdmastate
