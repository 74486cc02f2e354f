// SPDX-License-Identifier: Apache-2.0
// What is refused although it could be done: foreign owners, other specs' work, and bounces of the way to the host.
#include <fmt/format.h>

#include <algorithm>

#include "plan/interrupts.hpp"
#include "resources/rdma_device.hpp"

namespace rdmastate {
namespace {

std::string_view what_of(const Claim& claim) {
  if (claim.manager == "nfs-utils") return "the key";
  return claim.interface.starts_with('/') ? "the mount" : "the interface";
}

void refuse_foreign(const Desired& desired, const PlanOptions& options, Plan& plan) {
  for (const auto& claim : desired.foreign) {
    const bool shared = holds_more(claim);
    if (options.adopt && !shared) continue;
    const std::string fix =
        shared ? fmt::format("it holds more than that; take {} out of it by hand", what_of(claim))
               : fmt::format("take {} out of it, or let --adopt take the file over (the original is kept in the run)",
                             what_of(claim));
    plan.refusals.push_back(fmt::format("{} ({}) configures {}, which this spec names: {}", claim.path, claim.manager,
                                        claim.interface, fix));
  }
}

void refuse_other_spec(const PlanOptions& options, Plan& plan) {
  if (plan.ledger.entries.empty() || plan.ledger.id == options.id || options.replace) return;
  plan.refusals.push_back(fmt::format(
      "a spec with id '{}' made what rdmastate made here, and this one has id '{}': --replace lets it take over (what the "
      "other made and this one does not name is removed)",
      plan.ledger.id, options.id));
}

void guard_the_way_here(const Snapshot& snapshot, const PlanOptions& options, const Item& item, Plan& plan) {
  if (options.confirm_within != 0) return;
  const auto ways = snapshot.default_route_links();
  for (const Link* link : bounced_by(snapshot, item))
    if (std::find(ways.begin(), ways.end(), link->index) != ways.end())
      plan.refusals.push_back(fmt::format(
          "{} would bounce, and the default route leaves by {}: --confirm-within 60s does it, and takes the run back unless "
          "you confirm that the host can still be reached; or take the default route elsewhere first",
          item.title(), link->name));
}

void limit_disruption(const PlanOptions& options, const Item& item, Plan& plan) {
  const Disruption disruption = item.gap.move->disruption;
  if (disruption == Disruption::fabric || disruption <= options.max_disruption) return;
  plan.refusals.push_back(
      fmt::format("{} disrupts: {}; this run may disrupt at most: {}. --max-disruption {} allows it", item.title(),
                  to_text(disruption), to_text(options.max_disruption), to_text(disruption)));
}

bool disrupts(const Item& item) { return item.gap.move->disruption != Disruption::none; }

}  // namespace

bool holds_more(const Claim& claim) {
  return claim.path == "/etc/network/interfaces" || claim.manager == "netplan" || claim.manager == "fstab" ||
         claim.manager == "nfs-utils";
}

void apply_policy(const Snapshot& snapshot, const Desired& desired, const PlanOptions& options, Plan& plan) {
  refuse_foreign(desired, options, plan);
  refuse_other_spec(options, plan);
  for (const std::size_t step : plan.steps) {
    Item& item = plan.items[step];
    if (!disrupts(item) && item.kind != &rdma_device_kind) continue;
    if (item.kind->touches != nullptr) item.touches = item.kind->touches(snapshot, item.key);
    if (!disrupts(item)) continue;
    limit_disruption(options, item, plan);
    guard_users(snapshot, options, item, plan);
    guard_the_way_here(snapshot, options, item, plan);
  }
  guard_connections(snapshot, options, plan);
  guard_fabric(options, plan);
}

}  // namespace rdmastate
