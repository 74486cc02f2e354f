// SPDX-License-Identifier: Apache-2.0
#include "plan/intent.hpp"

#include <fmt/format.h>

#include "plan/interrupts.hpp"

namespace rdmastate {
const WantedOfKind& PlanIntent::wanted(const Kind& kind) const {
  const auto [table, is_new] = wanted_.try_emplace(&kind);
  if (is_new)
    for (const auto& item : plan_.items)
      if (item.kind == &kind && item.cause != Cause::released) table->second.emplace(item.key, item.asked.state);
  return table->second;
}

std::string PlanIntent::why_kept(const Loss& loss) const {
  if (!may_take(options_, loss))
    return fmt::format("this run may disrupt at most: {}; {} does it now", to_text(options_.max_disruption),
                       option_that_takes(loss));
  return why_held(snapshot_, loss);
}

const LedgerIndex& PlanIntent::known() const {
  if (!known_) known_.emplace(plan_.ledger);
  return *known_;
}

std::string_view PlanIntent::moved_to(const Kind& kind, const std::string& key) const {
  const LedgerEntry* entry = known().find(kind.name, key);
  return entry == nullptr ? std::string_view() : entry->digest;
}

}  // namespace rdmastate
