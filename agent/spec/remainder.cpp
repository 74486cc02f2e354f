// SPDX-License-Identifier: Apache-2.0
#include "spec/remainder.hpp"

#include <algorithm>

#include "base/path.hpp"
#include "sections/section.hpp"
#include "yaml/reader.hpp"

namespace rdmastate {
namespace {

// Copies a tree of nodes without what stands at some of its paths, and notes in `remainder` which items of lists are
// left.
class Pruning {
 public:
  Pruning(yaml::NodeStore& store, const std::set<std::string>& gone, Remainder& to)
      : store_(store), gone_(gone), remainder_(to) {}

  yaml::Node copy(const yaml::Node& node, const std::string& path) {
    if (!node.items().empty()) return list(node, path);
    if (!node.entries().empty()) return map(node, path);
    return node;
  }

 private:
  yaml::Node list(const yaml::Node& node, const std::string& path) {
    std::vector<yaml::Node> items;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < node.items().size(); ++i) {
      std::string item_path = path;
      append_index(item_path, i);
      if (gone_.contains(item_path)) continue;
      items.push_back(copy(node.items()[i], item_path));
      left.push_back(i);
    }
    if (left.size() < node.items().size()) remainder_.left.emplace(path, std::move(left));
    return yaml::Node::list(store_.keep(std::span<const yaml::Node>(items)), node.place());
  }

  yaml::Node map(const yaml::Node& node, const std::string& path) {
    std::vector<yaml::Entry> entries;
    for (const auto& entry : node.entries()) {
      std::string entry_path = path;
      append_key(entry_path, entry.key.as_scalar().text);
      if (!gone_.contains(entry_path)) entries.push_back({entry.key, copy(entry.value, entry_path)});
    }
    return yaml::Node::map(store_.keep(std::span<const yaml::Entry>(entries)), node.place());
  }

  yaml::NodeStore& store_;
  const std::set<std::string>& gone_;
  Remainder& remainder_;
};

// The node to which one step of a path leads from `node`; nullptr: there is none.
const yaml::Node* child_at(const yaml::Node& node, const PathStep& step) {
  if (!step.index) return node.value(step.key);
  return *step.index < node.items().size() ? &node.items()[*step.index] : nullptr;
}

void append_step(std::string& path, const PathStep& step) {
  if (step.index) {
    append_index(path, *step.index);
  } else {
    append_key(path, step.key);
  }
}

}  // namespace

std::string Remainder::path_in_whole(std::string_view path) const {
  std::string whole;
  while (auto step = next_step(path)) {
    const auto indices = step->index ? left.find(whole) : left.end();
    if (indices != left.end() && *step->index < indices->second.size()) step->index = indices->second[*step->index];
    append_step(whole, *step);
  }
  return whole;
}

std::string standing_at(const LoadedSpec& whole, std::string_view path, const std::set<std::string>& gone) {
  std::string standing;
  const yaml::Node* node = &whole.root;
  while (const auto step = next_step(path)) {
    node = child_at(*node, *step);
    std::string below = standing;
    append_step(below, *step);
    if (node == nullptr || gone.contains(below)) break;
    standing = std::move(below);
  }
  return standing;
}

Remainder without(const LoadedSpec& whole, const std::set<std::string>& paths, Report& report) {
  Remainder rest;
  yaml::NodeStore store;
  Report found;
  LoadedSpec reduced;
  reduced.root = Pruning(store, paths, rest).copy(whole.root, "");
  yaml::read(reduced.root, reduced.spec, "", found);
  for (const Section* section : all_sections()) section->check(reduced.spec, found);
  for (const auto& one : found.diagnostics()) report.add(rest.path_in_whole(one.path), one.complaint);
  rest.spec = std::move(reduced.spec);
  return rest;
}

}  // namespace rdmastate
