// SPDX-License-Identifier: Apache-2.0
#include "cli/late_hardware.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apply/run.hpp"
#include "cli/output.hpp"
#include "sections/boot_file.hpp"
#include "sys/bus.hpp"

namespace rdmastate {
namespace {

// Whether only hardware, or its driver, brings the resource: it is no file, and no file alone makes it at the next
// boot, as one does of a module, its parameters or an open port of the firewall.
bool is_of_hardware(const Item& item) {
  const Wanted& asked = item.asked;
  return !item.kind->durable && (asked.twins.empty() || is_made_at_boot(asked) || !asked.awaited_from.empty());
}

// Whether the item is absent and cannot be made now, but perhaps later. What is there and cannot be changed, such as an
// MTU that the fabric holds down, is not waited for.
bool may_come(const Item& item) {
  const bool is_blocked = !item.gap.blocked.empty() && !item.gap.never;
  return is_blocked && state_of(item.observed) == nullptr && is_of_hardware(item);
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
  } catch (const BusError& error) {  // such as a network manager that starts again
    return error.what();
  } catch (const Misfit& misfit) {
    for (const auto& one : misfit.report.diagnostics())
      if (one.complaint.severity == Severity::error) return fmt::format("{}: {}", one.path, one.complaint.message);
    return misfit.what();
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
    const bool is_being_named = is_told && host.files.meta("/run/udev/queue").has_value();  // as settle() waits
    if (missing.empty() && !is_being_named) return;
    if (!is_told) talk(fmt::format("waiting up to {} s for what may come late: {}", options.wait, printable(missing)));
    is_told = true;
  }
}

}  // namespace rdmastate
