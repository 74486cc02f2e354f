// SPDX-License-Identifier: Apache-2.0
// Says what each step disturbs, and refuses what could be done but is not allowed: taking another spec's work over, too
// much disruption, the loss of the default route. The flow is apply_policy(), at the end; the guards that it calls are
// here, in in_use.cpp and in fabric.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"
#include "plan/interrupts.hpp"

namespace rdmastate {
namespace {

void refuse_other_spec(const PlanOptions& options, Plan& plan) {
  if (plan.ledger.entries.empty() || plan.ledger.id == options.id || options.replace) return;
  plan.refusals.push_back(
      {fmt::format(
           "a spec with id '{}' made what rdmastate made here, and this one has id '{}': --replace lets it take "
           "over (what the other made and this one does not name is removed)",
           plan.ledger.id, options.id),
       "--replace"});
}

// Refuses a step that takes the default route away, by which the user may have come: unless --confirm-within takes the
// run back when nobody confirms it.
void guard_the_way_here(const Snapshot& snapshot, const PlanOptions& options, const Item& item, Plan& plan) {
  if (options.confirm_within != 0) return;
  const Link* link = default_route_lost(snapshot, item.loss);
  if (link == nullptr) return;
  const bool bounces = std::find(item.loss.links.begin(), item.loss.links.end(), link->index) != item.loss.links.end();
  plan.refuse(
      item, "--confirm-within",
      fmt::format(
          "{} would {}, and the default route leaves by {}: --confirm-within 60s does it, and takes the run back unless "
          "you confirm that the host can still be reached; or take the default route elsewhere first",
          item.title(), bounces ? "bounce" : "take what it needs away", link->name));
}

// Refuses a step that disrupts more than the options allow. Steps that other hosts feel are left to guard_fabric().
void limit_disruption(const PlanOptions& options, const Item& item, Plan& plan) {
  if (item.disruption == Disruption::fabric || may_take(options, item.loss)) return;
  const std::string option = option_that_takes(item.loss);
  plan.refuse(item, option,
              fmt::format("{} disrupts: {}; this run may disrupt at most: {}. {} allows it", item.title(),
                          to_text(item.disruption), to_text(options.max_disruption), option));
}

// Adds "PREFIX NAME" to what the item disturbs, unless the item's title has the name already.
void add_touched(Item& item, std::string_view prefix, const std::string& name) {
  if (!has_word(item.title(), name)) item.touches.push_back(fmt::format("{}{}", prefix, name));
}

// The addresses and routes of the interface that the step is about (the first of Loss::links) and takes down: foreign
// ones too, which are in no file of rdmastate. Those of the other interfaces are not listed.
void add_touched_on_link(const Snapshot& snapshot, std::uint32_t link, Item& item) {
  constexpr std::uint8_t by_kernel = 2;  // RTPROT_KERNEL
  for (const auto& one : snapshot.addresses(link)) add_touched(item, "address ", to_text(one.value));
  for (const auto& one : snapshot.routes(link))
    if (one.protocol != by_kernel) add_touched(item, "route ", to_text(one.to));
}

void fill_touches(const Snapshot& snapshot, Item& item) {
  const Loss& loss = item.loss;
  if (!loss.rdma_alone) {
    // The step's own interface may be called ib0 now, and mlx4_ib0 in the title: as a part of that name it is there.
    for (const std::uint32_t index : loss.links)
      if (const Link* link = snapshot.link(index);
          link != nullptr && item.title().find(link->name) == std::string::npos)
        item.touches.push_back("interface " + link->name);
    if (!loss.links.empty()) add_touched_on_link(snapshot, loss.links.front(), item);
  }
  for (const auto& one : loss.addresses) add_touched(item, "address ", to_text(one.value));
  for (const auto& one : loss.routes) add_touched(item, "route ", to_text(one.to));
  for (const auto& one : loss.services) add_touched(item, "service ", one);
  item.touches.insert(item.touches.end(), loss.users.begin(), loss.users.end());
  for (auto& one : item.kind->mentioned_by(snapshot, item.key)) item.touches.push_back(std::move(one));
}

}  // namespace

bool may_take(const PlanOptions& options, const Loss& loss) {
  const Disruption disruption = loss.disruption();
  if (disruption <= options.max_disruption) return true;
  return disruption == Disruption::service &&
         std::all_of(loss.services.begin(), loss.services.end(),
                     [&](const std::string& unit) { return options.restart.contains(unit); });
}

std::string option_that_takes(const Loss& loss) {
  if (loss.services.size() == 1) return fmt::format("--restart {}", loss.services.front());
  return fmt::format("--max-disruption {}", to_text(loss.disruption()));
}

void apply_policy(const Snapshot& snapshot, const PlanOptions& options, Plan& plan) {
  refuse_other_spec(options, plan);
  for (const std::size_t step : plan.steps) {
    Item& item = plan.items[step];
    fill_touches(snapshot, item);
    if (item.loss.is_nothing()) continue;
    limit_disruption(options, item, plan);
    guard_users(snapshot, options, item, plan);
    guard_the_way_here(snapshot, options, item, plan);
  }
  guard_connections(snapshot, options, plan);
  guard_fabric(options, plan);
  guard_displaced(options, plan);
}

}  // namespace rdmastate
