// SPDX-License-Identifier: Apache-2.0
#include "apply/settle.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;

bool has_come(const Snapshot& snapshot, const Item& item) {
  return item.kind->has_come == nullptr || item.kind->has_come(snapshot, item.key, item.wanted(), item.is_awaited());
}

// Whether everything is there that the next round needs. A removal is not waited for: no plan needs it.
bool has_settled(Host& host, const Plan& plan) {
  if (host.files.meta("/run/udev/queue")) return false;  // systemd-udevd keeps this file while events are queued
  const Snapshot snapshot(host);
  return std::all_of(plan.items.begin(), plan.items.end(),
                     [&](const Item& item) { return item.gap.after.empty() || has_come(snapshot, item); });
}

}  // namespace

void settle(Host& host, const Plan& plan) {
  constexpr auto longest = 15s;  // udev names an interface late, when it handles the event
  constexpr auto pause = 10ms;
  const auto deadline = host.clock.ticks() + longest;
  while (!has_settled(host, plan) && host.clock.ticks() < deadline) host.clock.sleep(pause);
}

Plan settled_plan(Host& host, const Wish& wish, const Ledger& ledger) {
  constexpr auto longest = 10s;
  constexpr auto pause = 200ms;
  const auto deadline = host.clock.ticks() + longest;
  for (;;) {
    Plan plan = plan_host(host, wish, &ledger);
    // No step is left, but a network manager has not done yet what its files say (`due`).
    const bool waits =
        plan.is_empty() && std::any_of(plan.items.begin(), plan.items.end(), [](const Item& item) { return item.due; });
    if (!waits || host.clock.ticks() >= deadline) return plan;
    host.clock.sleep(pause);
  }
}

}  // namespace rdmastate
