// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.hpp"

#include <algorithm>

#include "base/report.hpp"
#include "platform/layout.hpp"

namespace rdmastate {

Plan::Plan() = default;
Plan::Plan(const Plan& other) = default;
Plan::Plan(Plan&& other) noexcept = default;
Plan& Plan::operator=(const Plan& other) = default;
Plan& Plan::operator=(Plan&& other) noexcept = default;
Plan::~Plan() = default;

Step step_of(const Item& item) {
  Step step{item.kind, item.key, item.gap.move->from, item.gap.move->to};
  if (std::string called = printable(item.title()); called != title(step)) step.called = std::move(called);
  return step;
}

std::size_t Plan::count_waiting() const {
  return static_cast<std::size_t>(std::count_if(
      items.begin(), items.end(), [](const Item& i) { return !i.gap.after.empty() && !i.gap.comes_along; }));
}

std::size_t Plan::count_coming_along() const {
  return static_cast<std::size_t>(std::count_if(
      items.begin(), items.end(), [](const Item& i) { return !i.gap.after.empty() && i.gap.comes_along; }));
}

std::size_t Plan::count_pending() const {
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [](const Item& i) { return !i.gap.pending.empty(); }));
}

void Plan::refuse(const Item& item, std::string allowed_by, std::string sentence) {
  refusals.push_back({std::move(sentence), std::move(allowed_by), static_cast<std::size_t>(&item - items.data())});
}

bool Plan::is_refused(std::size_t item) const {
  return std::any_of(refusals.begin(), refusals.end(), [&](const PlanRefusal& one) { return one.item == item; });
}

std::vector<std::string> Plan::refused() const {
  std::vector<std::string> sentences;
  for (const auto& one : refusals) sentences.push_back(one.sentence);
  return sentences;
}

std::size_t Plan::count_blocked() const {
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [](const Item& i) { return !i.gap.blocked.empty(); }));
}

std::size_t Plan::count_taken_as_they_are() const {
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [](const Item& item) { return item.is_taken_as_it_is(); }));
}

std::size_t Plan::count_unseen() const {
  const auto items_unseen =
      std::count_if(items.begin(), items.end(), [](const Item& i) { return !i.gap.unseen.empty(); });
  return static_cast<std::size_t>(items_unseen) + facts.unseen.size();
}

bool Plan::has_more_rounds() const {
  return std::any_of(items.begin(), items.end(), [](const Item& i) { return !i.gap.after.empty(); });
}

bool Plan::is_of_last_round(const Item& item) const {
  return has_more_rounds() && item.key == common_layout().boot_file;
}

Disruption Plan::disruption() const {
  Disruption most = Disruption::none;
  for (const std::size_t step : steps) most = std::max(most, items[step].disruption);
  return most;
}

bool Plan::needs_reboot() const {
  return std::any_of(items.begin(), items.end(), [](const Item& item) {
    return !item.gap.pending.empty() && item.gap.pending.until == Until::reboot;
  });
}

Plan make_plan(const Snapshot& snapshot, const Facts& facts, Desired desired, const Ledger& ledger,
               const PlanOptions& options) {
  Plan plan;
  plan.facts = facts;
  plan.id = options.id;
  plan.backend = desired.backend;
  plan.backend_reason = desired.backend_reason;
  plan.ledger = ledger;
  add_items(snapshot, desired, options, plan);
  order_steps(plan);
  apply_policy(snapshot, options, plan);
  fill_next_boot(snapshot, desired, plan);
  fill_columns(plan);
  return plan;
}

}  // namespace rdmastate
