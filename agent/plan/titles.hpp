// SPDX-License-Identifier: Apache-2.0
// How a plan calls its items: by the names of interfaces and devices, where keys have what does not change.
#pragma once

#include <functional>

#include "plan/plan.hpp"

namespace rdmastate {

/// "192.0.2.1/24 on mlx4_ib0", "mlx4_1 port 2 infiniband (node_guid ...)": without the kind. `find` gives the plan's
/// item of a resource that this one needs; nullptr: there is none.
std::string title_of(const Item& item, const Snapshot& snapshot, const std::function<const Item*(const Ref&)>& find);

}  // namespace rdmastate
