// SPDX-License-Identifier: Apache-2.0
// Makes the titles by which a plan calls its items. A key has what does not change, such as a GUID; a title has the
// name of the interface or device: that which it has, or is to get by this plan.
#pragma once

#include <functional>

#include "plan/plan.hpp"

namespace rdmastate {

/// "192.0.2.1/24 on mlx4_ib0", "mlx4_1 port 2 infiniband (node_guid ...)": without the kind. `find` returns the plan's
/// item of a resource that `item` needs, or nullptr where the plan has none.
std::string title_of(const Item& item, const Snapshot& snapshot, const std::function<const Item*(const Ref&)>& find);

}  // namespace rdmastate
