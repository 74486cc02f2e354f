// SPDX-License-Identifier: Apache-2.0
// A plan that was written to a file, to be looked at, signed off and applied later. It is never executed: `apply
// --plan` plans again and goes on only when it comes to the same steps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/report.hpp"
#include "plan/plan.hpp"
#include "resources/step.hpp"

namespace rdmastate {

/// What `plan --out` wrote.
struct SavedPlan {
  std::vector<Source> sources;  ///< the spec first, then what it includes, under the names they were read by
  /// As the plan was made with: adopt, replace, in_use, restart, allow_fabric and max_disruption. All others have their
  /// defaults.
  PlanOptions options;
  Facts facts;
  std::vector<Step> steps;  ///< of the first round, in order
};

/// The file's text: spec, options, Facts, what every resource was like, and the steps. It may hold what only root may
/// read: write it 0600.
std::string saved_plan_text(const Plan& plan, const PlanOptions& options, const std::vector<Source>& sources);

/// Reads what saved_plan_text() made. Throws Error(could_not) with `name` and what is wrong with it.
SavedPlan read_saved_plan(std::string_view text, const std::string& name);

/// Why `plan`, made now, is not what was saved: a sentence per key; empty when the steps are equal. Of a plan
/// saved on another machine the only sentence says so.
std::vector<std::string> differences(const SavedPlan& saved, const Plan& plan);

}  // namespace rdmastate
