// SPDX-License-Identifier: Apache-2.0
// What other hosts feel of a step: whoever has a section's files says it.
#include <fmt/format.h>

#include "plan/plan.hpp"
#include "resources/step.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

std::vector<const Wanted*> wanted_of(const Plan& plan) {
  std::vector<const Wanted*> wanted;
  for (const auto& item : plan.items)
    if (item.wanted() != nullptr) wanted.push_back(&item.asked);
  return wanted;
}

std::vector<std::string> lost_by(const Facts& facts, const Item& item, std::span<const Wanted* const> wanted) {
  const Step step{item.kind, item.key, item.gap.move->from, item.gap.move->to};
  std::vector<std::string> lost;
  for (const Section* section : all_sections()) {
    if (section->felt == nullptr) continue;
    const auto more = section->felt(facts, step, wanted);
    lost.insert(lost.end(), more.begin(), more.end());
  }
  return lost;
}

}  // namespace

void guard_fabric(const PlanOptions& options, Plan& plan) {
  if (!plan.facts.live || plan.is_empty()) return;
  const auto wanted = wanted_of(plan);
  for (const std::size_t step : plan.steps) {
    Item& item = plan.items[step];
    auto lost = lost_by(plan.facts, item, wanted);
    if (lost.empty()) continue;
    item.disruption = Disruption::fabric;
    item.touches = std::move(lost);
    if (!options.allow_fabric)
      plan.refuse(item, "--allow-fabric",
                  fmt::format("{}: {}; other hosts feel that, so it needs --allow-fabric", item.title(),
                              fmt::join(item.touches, "; ")));
  }
}

}  // namespace rdmastate
