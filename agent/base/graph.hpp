// SPDX-License-Identifier: Apache-2.0
// A topological sort with ranks: the order in which steps are done.
#pragma once

#include <cstddef>
#include <vector>

namespace rdmastate {

/// An order in which every node stands behind those it needs. Nodes that do not need each other are ordered by rank,
/// and within a rank by number. `needs[i]` lists the nodes that i needs; O(nodes log nodes + edges).
struct Order {
  std::vector<std::size_t> nodes;  ///< all of them, unless there is a cycle
  std::vector<std::size_t> cycle;  ///< the nodes of cycles and those that need them; empty when there is no cycle
};
/// `needs` and `ranks` have one element per node. Pure; throws nothing.
Order topological_order(const std::vector<std::vector<std::size_t>>& needs, const std::vector<int>& ranks);

}  // namespace rdmastate
