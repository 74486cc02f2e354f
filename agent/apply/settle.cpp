// SPDX-License-Identifier: Apache-2.0
#include "apply/settle.hpp"

#include "resources/ipoib_link.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;

// Whoever makes an interface so finds it by the name that udev gives it.
bool has_come(const Snapshot& snapshot, const Item& item) {
  const Observation observed = item.kind->observe(snapshot, item.key);
  const State* state = state_of(observed);
  if (state == nullptr || item.kind != &ipoib_link_kind || item.awaited_from.empty() || !item.wanted)
    return state != nullptr;
  return state->as<IpoibLink>().name == item.wanted->as<IpoibLink>().name;
}

bool has_appeared(Host& host, const Plan& plan) {
  if (host.files.meta("/run/udev/queue")) return false;  // systemd-udevd keeps this file while events are queued
  const Snapshot snapshot(host);
  return std::all_of(plan.items.begin(), plan.items.end(), [&](const Item& item) {
    return item.gap.after.empty() || item.kind->durable || item.key.find("pkey") != std::string::npos ||
           item.kind->resolve == nullptr || has_come(snapshot, item);
  });
}

}  // namespace

void settle(Host& host, const Plan& plan) {
  constexpr auto deadline = 15s;  // an interface is named when udev gets to it
  constexpr auto pause = 10ms;
  const auto until = host.clock.ticks() + deadline;
  while (!has_appeared(host, plan) && host.clock.ticks() < until) host.clock.sleep(pause);
}

Plan settled_plan(Host& host, const Wish& wish, const Ledger& ledger) {
  constexpr auto deadline = 10s;
  constexpr auto pause = 200ms;
  const auto until = host.clock.ticks() + deadline;
  for (;;) {
    Plan plan = plan_host(host, wish, &ledger);
    const bool waits =
        plan.is_empty() && std::any_of(plan.items.begin(), plan.items.end(), [](const Item& item) { return item.due; });
    if (!waits || host.clock.ticks() >= until) return plan;
    host.clock.sleep(pause);
  }
}

}  // namespace rdmastate
