// SPDX-License-Identifier: Apache-2.0
#include "cli/late_hardware.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.hpp"
#include "sys/bus.hpp"

namespace rdmastate {
namespace {

using Items = std::vector<Item>;

Items::const_iterator first_late(const Items& items) {
  return std::find_if(items.begin(), items.end(), [](const Item& item) { return item.gap.comes_late; });
}

// The first that the plan misses, as a sentence; empty: nothing, or it is refused anyway.
std::string missing_in(const Plan& plan) {
  const auto late = first_late(plan.items);
  if (!plan.refusals.empty() || late == plan.items.end()) return {};
  const Gap& gap = late->gap;
  return fmt::format("{}: {}", late->title(), gap.blocked.empty() ? gap.pending.sentence : gap.blocked);
}

// The same of a spec that does not fit the host; empty also where the hardware would not make it fit.
std::string missing_by(const Report& report) {
  std::string first;
  for (const auto& [place, path, complaint] : report.diagnostics()) {
    if (complaint.severity != Severity::error) continue;
    if (!complaint.comes_late) return {};
    if (first.empty()) first = fmt::format("{}: {}", path, complaint.message);
  }
  return first;
}

// What the host still misses, as a sentence; empty: nothing.
std::string missing_on(Host& host, const Wish& wish) {
  try {
    return missing_in(plan_host(host, wish));
  } catch (const SystemError& error) {  // such as an interface that went away between two questions
    return error.what();
  } catch (const BusError& error) {  // such as a network manager that starts again
    return error.what();
  } catch (const Misfit& misfit) {
    return missing_by(misfit.report);
  }
}

}  // namespace

bool lacks_hardware(const Plan& plan) { return first_late(plan.items) != plan.items.end(); }

void await_hardware(Host& host, const Wish& wish, std::chrono::milliseconds until) {
  constexpr std::chrono::milliseconds pause{250};
  const auto left = std::chrono::ceil<std::chrono::seconds>(until - host.clock.ticks());
  for (bool is_told = false; host.clock.ticks() < until; host.clock.sleep(pause)) {
    const std::string missing = missing_on(host, wish);
    const bool is_being_named = is_told && host.files.meta("/run/udev/queue").has_value();  // as settle() waits
    if (missing.empty() && !is_being_named) return;
    if (!is_told) talk(fmt::format("waiting up to {} s for what may come late: {}", left.count(), printable(missing)));
    is_told = true;
  }
}

}  // namespace rdmastate
