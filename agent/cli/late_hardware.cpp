// SPDX-License-Identifier: Apache-2.0
#include "cli/late_hardware.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apply/run.hpp"
#include "cli/output.hpp"

namespace rdmastate {
namespace {

// Whether the item is absent and cannot be made now, but perhaps later. What is there and cannot be changed, such as an
// MTU that the fabric holds down, is not waited for.
bool may_come(const Item& item) {
  return !item.gap.blocked.empty() && !item.gap.never && state_of(item.observed) == nullptr;
}

// The first of the plan's items that may come. An optional one that is absent is not blocked.
std::string missing_in(const Plan& plan) {
  if (!plan.refusals.empty()) return {};
  const auto found = std::find_if(plan.items.begin(), plan.items.end(), may_come);
  return found == plan.items.end() ? std::string() : fmt::format("{}: {}", found->title(), found->gap.blocked);
}

// What the host still misses, as a sentence; empty: nothing.
std::string missing_on(Host& host, const Wish& wish) {
  try {
    return missing_in(plan_host(host, wish));
  } catch (const SystemError& error) {  // such as an interface that went away between two questions
    return error.what();
  } catch (const Misfit& misfit) {
    const Diagnostic& first = misfit.report.diagnostics().front();
    return fmt::format("{}: {}", first.path, first.complaint.message);
  }
}

}  // namespace

void await_hardware(OpenHost& open, const Wish& wish, const Options& options) {
  constexpr std::chrono::milliseconds pause{250};
  open.must_be_this_host();
  Host& host = open.host();
  if (const auto run = newest_run(host); run && run->is_open()) return;
  const auto until = host.clock.ticks() + std::chrono::seconds(options.wait);
  for (bool is_told = false; host.clock.ticks() < until; host.clock.sleep(pause)) {
    const std::string missing = missing_on(host, wish);
    if (missing.empty()) return;
    if (!is_told) talk(fmt::format("waiting up to {} s for what may come late: {}", options.wait, printable(missing)));
    is_told = true;
  }
}

}  // namespace rdmastate
