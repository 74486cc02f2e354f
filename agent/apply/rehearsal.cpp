// SPDX-License-Identifier: Apache-2.0
#include "apply/rehearsal.hpp"

#include "apply/settle.hpp"

namespace rdmastate {

OwnersRound owners_round(Host& host, const Wish& wish, const Plan& last, const Ledger& ledger) {
  OwnersRound round;
  std::set<std::pair<const Kind*, std::string>> due;
  for (const auto& item : last.items) {
    if (!item.due) continue;
    due.emplace(item.kind, item.key);
    round.by.insert(item.asked.awaited_from);
  }
  if (due.empty()) return round;
  Wish as_owners = wish;
  as_owners.options.as_owners = true;
  round.steps = steps_of_round(settled_plan(host, as_owners, ledger));
  std::erase_if(round.steps, [&](const RoundStep& one) { return !due.contains({one.step.kind, one.step.key}); });
  return round;
}

}  // namespace rdmastate
