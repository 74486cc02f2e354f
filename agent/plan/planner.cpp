// SPDX-License-Identifier: Apache-2.0
#include "plan/planner.hpp"

namespace rdmastate {

Plan plan_host(Host& host, const Wish& wish, const Ledger* ledger) {
  Snapshot snapshot(host);
  const Facts facts = read_facts(snapshot);
  const Desired desired = wish.desire(facts);
  snapshot.expect(desired.interfaces);
  return make_plan(snapshot, facts, desired, ledger != nullptr ? *ledger : read_ledger(snapshot, facts.machine_id),
                   wish.options);
}

}  // namespace rdmastate
