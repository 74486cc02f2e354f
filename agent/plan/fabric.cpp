// SPDX-License-Identifier: Apache-2.0
// guard_fabric() refuses steps by which other hosts lose something; guard_displaced() refuses steps that put foreign
// configuration out of force. Each section finds both for its own files (Section::felt, Section::displaces).
#include <fmt/format.h>

#include <map>

#include "plan/plan.hpp"
#include "resources/step.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

// All that is wanted to be there: Item::wanted() is the wanted state alone, and sections ask for the whole Wanted.
std::vector<const Wanted*> wanted_of(const Plan& plan) {
  std::vector<const Wanted*> wanted;
  for (const auto& item : plan.items)
    if (item.wanted() != nullptr) wanted.push_back(&item.asked);
  return wanted;
}

// What other hosts lose by the item's step, a sentence each.
std::vector<std::string> felt_by_others(const Facts& facts, const Item& item, std::span<const Wanted* const> wanted) {
  const Step step{item.kind, item.key, item.gap.move->from, item.gap.move->to};
  std::vector<std::string> lost;
  for (const Section* section : all_sections()) {
    const auto more = section->felt(facts, step, wanted);
    lost.insert(lost.end(), more.begin(), more.end());
  }
  return lost;
}

// The item whose step puts this foreign configuration out of force: the first of `one.by` that has a step; nullptr:
// none has. Sections know a resource by the key of their Wanted (asked.key); Item::key is the host's name for it, or
// the path of a file that was taken over.
Item* mover_of(const Displaced& one, Plan& plan) {
  for (const auto& ref : one.by)
    for (const std::size_t step : plan.steps)
      if (Item& item = plan.items[step]; item.kind->name == ref.kind && item.asked.key == ref.key) return &item;
  return nullptr;
}

// What goes out of force, as noun phrases (Displaced::sentence: "routing_engine ftree of FILE"), by the index into
// plan.items of mover_of().
std::map<std::size_t, std::vector<std::string>> displaced_by_step(Plan& plan) {
  std::map<std::size_t, std::vector<std::string>> displaced;
  const auto wanted = wanted_of(plan);
  for (const Section* section : all_sections()) {
    for (auto& one : section->displaces(plan.facts, wanted))
      if (const Item* item = mover_of(one, plan))
        displaced[static_cast<std::size_t>(item - plan.items.data())].push_back(std::move(one.sentence));
  }
  return displaced;
}

}  // namespace

// Of a live host alone: other hosts feel what a subnet manager does that runs now, and in a tree none runs.
void guard_fabric(const PlanOptions& options, Plan& plan) {
  if (!plan.facts.live || plan.is_empty()) return;
  const auto wanted = wanted_of(plan);
  for (const std::size_t step : plan.steps) {
    Item& item = plan.items[step];
    auto lost = felt_by_others(plan.facts, item, wanted);
    if (lost.empty()) continue;
    item.disruption = Disruption::fabric;
    if (!options.allow_fabric)
      plan.refuse(item, "--allow-fabric",
                  fmt::format("{}: {}; other hosts feel that, so it needs --allow-fabric", item.title(),
                              fmt::join(lost, "; ")));
    item.touches.insert(item.touches.end(), lost.begin(), lost.end());
  }
}

// Of a tree too, since its files count at its next boot. A verb goes behind each phrase, to make a sentence of it.
void guard_displaced(const PlanOptions& options, Plan& plan) {
  if (plan.is_empty()) return;
  for (const auto& [index, phrases] : displaced_by_step(plan)) {
    Item& item = plan.items[index];
    item.disruption = Disruption::fabric;
    for (const auto& phrase : phrases) item.touches.push_back(phrase + " goes out of force");
    if (!options.allow_fabric && !options.adopt)
      plan.refuse(item, "--adopt",
                  fmt::format("{}: {} {} out of force; other hosts feel that, so it needs --adopt, which keeps what it "
                              "can, or --allow-fabric",
                              item.title(), fmt::join(phrases, ", "), phrases.size() == 1 ? "goes" : "go"));
  }
}

}  // namespace rdmastate
