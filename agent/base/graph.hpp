// SPDX-License-Identifier: Apache-2.0
// A topological sort with ranks: the order in which steps are done.
#pragma once

#include <cstddef>
#include <vector>

namespace rdmastate {

/// An order in which every node stands behind those that it needs. A node is its index.
struct Order {
  std::vector<std::size_t> nodes;  ///< all nodes, unless there is a cycle
  std::vector<std::size_t> cycle;  ///< the nodes of cycles and those that need them; empty when there is no cycle
};
/// `needs[i]` lists the nodes that node i needs; `ranks` has one element per node. Nodes that do not need each other
/// are ordered by rank, the lowest first, and within a rank by index. O(nodes log nodes + edges). Refuses no graph.
Order topological_order(const std::vector<std::vector<std::size_t>>& needs, const std::vector<int>& ranks);

}  // namespace rdmastate
