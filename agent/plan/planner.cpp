// SPDX-License-Identifier: Apache-2.0
#include "plan/planner.hpp"

namespace rdmastate {

namespace {

std::vector<Impossible> impossible_in(const Plan& plan) {
  std::vector<Impossible> found;
  for (const auto& item : plan.items)
    if (item.gap.never && item.wanted() != nullptr)
      found.push_back({item.kind, item.asked.key, item.asked.path, *item.gap.never});
  return found;
}

}  // namespace

Plan plan_host(Host& host, const Wish& wish, const Ledger* ledger) {
  Snapshot snapshot(host);
  const Facts facts = read_facts(snapshot);
  Desired desired = wish.desire(facts, {});
  snapshot.expect(desired.interfaces);
  const Ledger before = ledger != nullptr ? *ledger : read_ledger(snapshot, facts.machine_id);
  Plan plan = make_plan(snapshot, facts, std::move(desired), before, wish.options);
  const auto impossible = impossible_in(plan);
  if (impossible.empty()) return plan;
  return make_plan(snapshot, facts, wish.desire(facts, impossible), before, wish.options);
}

}  // namespace rdmastate
