// SPDX-License-Identifier: Apache-2.0
// The counts by which `verify` decides.
#pragma once

#include "plan/plan.hpp"

namespace rdmastate {

/// What `verify` answers: is the host, and its next boot, what the spec says?
struct Verdict {
  std::size_t steps = 0;    ///< items that differ and can be moved now
  std::size_t pending = 0;  ///< items that another program or a boot will make
  std::size_t blocked = 0;  ///< items that are blocked or have a warning
  std::size_t waiting = 0;  ///< items that can be judged only after a step
  std::size_t unseen = 0;   ///< resources and files that this user may not read
  bool in_sync() const { return steps + pending + blocked + waiting + unseen == 0; }
};

/// Counts the plan's items. Pure.
Verdict judge(const Plan& plan);

}  // namespace rdmastate
