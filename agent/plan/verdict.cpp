// SPDX-License-Identifier: Apache-2.0
#include "plan/verdict.hpp"

namespace rdmastate {

Verdict judge(const Plan& plan) {
  Verdict verdict;
  verdict.steps = plan.steps.size();
  verdict.pending = plan.count_pending();
  verdict.blocked = plan.count_blocked();
  verdict.unseen = plan.count_unseen();
  for (const auto& item : plan.items) {
    if (!item.gap.after.empty()) ++verdict.waiting;
    if (!item.warning.empty() && item.gap.blocked.empty()) ++verdict.blocked;
  }
  return verdict;
}

}  // namespace rdmastate
