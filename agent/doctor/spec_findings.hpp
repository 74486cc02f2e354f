// SPDX-License-Identifier: Apache-2.0
// What a spec expects of a host and does not find: verify's differences as findings.
#pragma once

#include "doctor/examination.hpp"
#include "plan/plan.hpp"

namespace rdmastate::doctor {

/// One finding per item of the plan that `verify` counts. `spec`: what the fix's command names.
void add_findings(const Plan& plan, const std::string& spec, Diagnosis& to);

}  // namespace rdmastate::doctor
