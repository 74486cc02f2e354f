// SPDX-License-Identifier: Apache-2.0
#include "apply/settle.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;

bool has_come(const Snapshot& snapshot, const Item& item) {
  return item.kind->has_come == nullptr || item.kind->has_come(snapshot, item.key, item.wanted(), item.is_awaited());
}

// What the plan's removals take away is not waited for: nothing is planned on it.
bool has_settled(Host& host, const Plan& plan) {
  if (host.files.meta("/run/udev/queue")) return false;  // systemd-udevd keeps this file while events are queued
  const Snapshot snapshot(host);
  return std::all_of(plan.items.begin(), plan.items.end(),
                     [&](const Item& item) { return item.gap.after.empty() || has_come(snapshot, item); });
}

}  // namespace

void settle(Host& host, const Plan& plan) {
  constexpr auto deadline = 15s;  // an interface is named when udev gets to it
  constexpr auto pause = 10ms;
  const auto until = host.clock.ticks() + deadline;
  while (!has_settled(host, plan) && host.clock.ticks() < until) host.clock.sleep(pause);
}

Plan settled_plan(Host& host, const Wish& wish, const Ledger& ledger) {
  constexpr auto deadline = 10s;
  constexpr auto pause = 200ms;
  const auto until = host.clock.ticks() + deadline;
  for (;;) {
    Plan plan = plan_host(host, wish, &ledger);
    // No step is left, but a network manager still owes what its files say.
    const bool waits =
        plan.is_empty() && std::any_of(plan.items.begin(), plan.items.end(), [](const Item& item) { return item.due; });
    if (!waits || host.clock.ticks() >= until) return plan;
    host.clock.sleep(pause);
  }
}

}  // namespace rdmastate
