// SPDX-License-Identifier: Apache-2.0
// What a plan answers to the kinds of its items while they are judged.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "plan/ledger_index.hpp"
#include "plan/plan.hpp"

namespace rdmastate {

/// The arguments of its constructor must outlive it. To be asked only when all wanted items are in the plan: it reads
/// each table once, at the first question.
class PlanIntent final : public Intent {
 public:
  PlanIntent(const Plan& plan, const Snapshot& snapshot, const PlanOptions& options)
      : plan_(plan), snapshot_(snapshot), options_(options) {}
  const WantedOfKind& wanted(const Kind& kind) const override;
  std::string_view moved_to(const Kind& kind, const std::string& key) const override;
  std::string why_kept(const Loss& loss) const override;
  /// The plan's ledger as a table.
  const LedgerIndex& known() const;
  bool may_restart(const std::string& unit) const override { return options_.restart.contains(unit); }

 private:
  std::shared_ptr<const void>* place_for(const Kind& kind) const override { return &once_[&kind]; }

  const Plan& plan_;
  const Snapshot& snapshot_;
  const PlanOptions& options_;
  mutable std::map<const Kind*, WantedOfKind> wanted_;
  mutable std::map<const Kind*, std::shared_ptr<const void>> once_;
  mutable std::optional<LedgerIndex> known_;
};

}  // namespace rdmastate
