// SPDX-License-Identifier: Apache-2.0
#include "base/graph.hpp"

#include <queue>
#include <utility>

namespace rdmastate {

Order topological_order(const std::vector<std::vector<std::size_t>>& needs, const std::vector<int>& ranks) {
  // Kahn's algorithm: a node is ready when all that it needs is in the order; of the ready ones the lowest rank comes
  // next.
  std::vector<std::vector<std::size_t>> needed_by(needs.size());
  std::vector<std::size_t> open_needs(needs.size());
  for (std::size_t node = 0; node < needs.size(); ++node) {
    open_needs[node] = needs[node].size();
    for (const std::size_t needed : needs[node]) needed_by[needed].push_back(node);
  }
  using Ready = std::pair<int, std::size_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::size_t node = 0; node < needs.size(); ++node)
    if (open_needs[node] == 0) ready.emplace(ranks[node], node);
  Order order;
  while (!ready.empty()) {
    const std::size_t node = ready.top().second;
    ready.pop();
    order.nodes.push_back(node);
    for (const std::size_t dependent : needed_by[node])
      if (--open_needs[dependent] == 0) ready.emplace(ranks[dependent], dependent);
  }
  for (std::size_t node = 0; node < needs.size(); ++node)
    if (open_needs[node] != 0) order.cycle.push_back(node);
  return order;
}

}  // namespace rdmastate
