// SPDX-License-Identifier: Apache-2.0
#include "plan/intent.hpp"

#include <fmt/format.h>

#include "plan/interrupts.hpp"

namespace rdmastate {
namespace {

std::string name_of(std::string_view kind, std::string_view key) {
  return std::string(kind).append(1, ' ').append(key);
}

}  // namespace

const WantedOfKind& PlanIntent::wanted(const Kind& kind) const {
  const auto [found, fresh] = wanted_.try_emplace(&kind);
  if (fresh)
    for (const auto& item : plan_.items)
      if (item.kind == &kind && item.cause != Cause::released) found->second.emplace(item.key, item.asked.state);
  return found->second;
}

std::string PlanIntent::why_kept(const Loss& loss) const {
  if (!may_take(options_, loss))
    return fmt::format("this run may disrupt at most: {}; {} does it now", to_text(options_.max_disruption),
                       option_that_takes(loss));
  return why_held(snapshot_, loss);
}

std::string_view PlanIntent::moved_to(const Kind& kind, const std::string& key) const {
  if (!has_moved_)
    for (const auto& entry : plan_.ledger.entries) moved_.emplace(name_of(entry.kind, entry.key), entry.digest);
  has_moved_ = true;
  const auto found = moved_.find(name_of(kind.name, key));
  return found == moved_.end() ? std::string_view() : found->second;
}

}  // namespace rdmastate
