// SPDX-License-Identifier: Apache-2.0
// The order of a plan's steps.
#include <fmt/format.h>

#include <unordered_map>

#include "base/error.hpp"
#include "base/graph.hpp"
#include "plan/plan.hpp"
#include "plan/resource_name.hpp"
#include "platform/layout.hpp"

namespace rdmastate {
namespace {

// Steps of lower rank come first: removals, in the opposite order of making; last boot.json. Kinds that copy or read
// the files of other steps keep their rank, also in a removal.
int rank_of(const Item& item) {
  constexpr int last = 90;
  if (item.kind->copies_others || item.kind->reads_others) return item.kind->rank;
  if (!item.gap.move->to) return -item.kind->rank;
  return item.key == common_layout().boot_file ? last : item.kind->rank;
}

}  // namespace

void order_steps(Plan& plan) {
  std::vector<std::size_t> moving;  // the items with a step: a node of the graph is an index into this list
  std::unordered_map<std::string, std::size_t> node_of;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    if (!plan.items[i].has_step()) continue;
    node_of.emplace(resource_name(plan.items[i].kind->name, plan.items[i].key), moving.size());
    if (const auto& name = plan.items[i].stands_for; !name.empty())
      node_of.emplace(resource_name(plan.items[i].kind->name, name), moving.size());
    moving.push_back(i);
  }
  std::vector<std::vector<std::size_t>> needs(moving.size());
  std::vector<int> ranks;
  for (std::size_t node = 0; node < moving.size(); ++node) {
    const Item& item = plan.items[moving[node]];
    ranks.push_back(rank_of(item));
    for (const auto& ref : item.kind->needs(item.key, item.state())) {
      const auto other = node_of.find(resource_name(ref.kind, ref.key));
      if (other == node_of.end()) continue;
      // Between a removal and a making the rank decides: removals come first.
      const bool removed = !item.gap.move->to;
      const bool other_removed = !plan.items[moving[other->second]].gap.move->to;
      if (removed && other_removed) needs[other->second].push_back(node);
      if (!removed && !other_removed) needs[node].push_back(other->second);
    }
  }
  const Order order = topological_order(needs, ranks);
  if (!order.cycle.empty())
    throw Error("steps need each other in a circle: " + plan.items[moving[order.cycle[0]]].title());
  plan.steps.clear();
  for (const std::size_t node : order.nodes) plan.steps.push_back(moving[node]);
}

}  // namespace rdmastate
