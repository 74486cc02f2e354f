// SPDX-License-Identifier: Apache-2.0
// Orders the steps of a plan: order_steps() makes a graph of the items that have a step, with an edge to each item that
// has to come before, and sorts it topologically; the rank decides among steps that do not need each other.
#include <fmt/format.h>

#include <unordered_map>

#include "base/error.hpp"
#include "base/graph.hpp"
#include "plan/plan.hpp"
#include "plan/resource_name.hpp"
#include "platform/layout.hpp"

namespace rdmastate {
namespace {

// Steps of lower rank come first. A removal has the negative rank of its kind, so removals come before all others and
// in the opposite order of making; boot.json is last. Kinds that copy or read the files of other steps keep their rank,
// also in a removal.
int rank_of(const Item& item) {
  constexpr int last = 90;  // more than the rank of any kind
  if (item.kind->copies_others || item.kind->reads_others) return item.kind->rank;
  if (!item.gap.move->to) return -item.kind->rank;
  return item.key == common_layout().boot_file ? last : item.kind->rank;
}

// The items that have a step, as indices into Plan::items. An index into this list is a node of the graph.
std::vector<std::size_t> items_with_step(const Plan& plan) {
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < plan.items.size(); ++i)
    if (plan.items[i].has_step()) moving.push_back(i);
  return moving;
}

// The node of each resource, by resource_name(); of a file that stands for another, by both names.
std::unordered_map<std::string, std::size_t> nodes_by_name(const Plan& plan, const std::vector<std::size_t>& moving) {
  std::unordered_map<std::string, std::size_t> nodes;
  for (std::size_t node = 0; node < moving.size(); ++node) {
    const Item& item = plan.items[moving[node]];
    nodes.emplace(resource_name(item.kind->name, item.key), node);
    if (!item.stands_for.empty()) nodes.emplace(resource_name(item.kind->name, item.stands_for), node);
  }
  return nodes;
}

// By node, the nodes that have to come before it: what it needs is made first, and removed after it. Between a removal
// and a making there is no edge: the rank decides.
std::vector<std::vector<std::size_t>> needs_of(const Plan& plan, const std::vector<std::size_t>& moving) {
  const auto nodes = nodes_by_name(plan, moving);
  std::vector<std::vector<std::size_t>> needs(moving.size());
  for (std::size_t node = 0; node < moving.size(); ++node) {
    const Item& item = plan.items[moving[node]];
    for (const auto& ref : item.kind->needs(item.key, item.state())) {
      const auto other = nodes.find(resource_name(ref.kind, ref.key));
      if (other == nodes.end()) continue;
      const bool removed = !item.gap.move->to;
      const bool other_removed = !plan.items[moving[other->second]].gap.move->to;
      if (removed && other_removed) needs[other->second].push_back(node);
      if (!removed && !other_removed) needs[node].push_back(other->second);
    }
  }
  return needs;
}

}  // namespace

void order_steps(Plan& plan) {
  const std::vector<std::size_t> moving = items_with_step(plan);
  std::vector<int> ranks;
  for (const std::size_t i : moving) ranks.push_back(rank_of(plan.items[i]));
  const Order order = topological_order(needs_of(plan, moving), ranks);
  if (!order.cycle.empty())
    throw Error("steps need each other in a circle: " + plan.items[moving[order.cycle[0]]].title());
  plan.steps.clear();
  for (const std::size_t node : order.nodes) plan.steps.push_back(moving[node]);
}

}  // namespace rdmastate
