// SPDX-License-Identifier: Apache-2.0
// Flow of plan_of(): the wish is asked for the wanted resources, and make_plan() plans them. Where the plan finds some
// that this host can never have, the wish is asked once more without them, and that is planned.
#include "plan/planner.hpp"

#include "plan/applied.hpp"

namespace rdmastate {

namespace {

// What of the wanted resources this host can never have, by their gaps.
std::vector<Impossible> impossible_in(const Plan& plan) {
  std::vector<Impossible> found;
  for (const auto& item : plan.items)
    if (item.gap.never && item.wanted() != nullptr)
      found.push_back({item.kind, item.asked.key, item.asked.path, *item.gap.never});
  return found;
}

Desired desired_on(const Wish& wish, const Facts& facts, const std::vector<Impossible>& impossible, Report& report) {
  Desired desired = wish.desire(facts, impossible, report);
  if (report.failed()) throw Misfit(std::move(report));
  return desired;
}

// The mistakes of the spec that were found while planning, behind those in `report`, with their places.
Misfit placed(const Wish& wish, Report report, const Misfit& found) {
  for (const auto& one : found.report.diagnostics()) report.add(one.path, one.complaint);
  if (wish.place) wish.place(report);
  return Misfit(std::move(report));
}

}  // namespace

Plan plan_host(Host& host, const Wish& wish, const Ledger* ledger) {
  Snapshot snapshot(host);
  return plan_of(snapshot, read_facts(snapshot), wish, ledger);
}

Plan plan_of(Snapshot& snapshot, const Facts& facts, const Wish& wish, const Ledger* ledger) {
  Report report;
  Desired desired = desired_on(wish, facts, /*impossible=*/{}, report);
  snapshot.expect(desired.interfaces);  // few of many are then asked for by name
  const Ledger before = ledger != nullptr ? *ledger : read_ledger(snapshot, facts.machine_id);
  Plan plan;
  try {
    plan = make_plan(snapshot, facts, std::move(desired), before, wish.options);
  } catch (const Misfit& misfit) {
    throw placed(wish, std::move(report), misfit);
  }
  if (const auto impossible = impossible_in(plan); !impossible.empty()) {
    Report again;  // not kept: `report` has the warnings already
    plan = make_plan(snapshot, facts, desired_on(wish, facts, impossible, again), before, wish.options);
  }
  if (auto why = wish.applied ? why_none_is_kept(snapshot) : ""; !why.empty())
    plan.refusals.push_back({std::move(why)});
  plan.remarks = std::move(report);
  return plan;
}

}  // namespace rdmastate
