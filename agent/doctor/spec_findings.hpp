// SPDX-License-Identifier: Apache-2.0
// `doctor SPEC`: makes findings of what a plan of the spec finds different, blocked, pending or unseen.
#pragma once

#include "doctor/examination.hpp"
#include "plan/plan.hpp"

namespace rdmastate::doctor {

/// Adds findings about the plan's items that are not as the spec says, adds the files that could not be read as unseen,
/// notes that the checks spec-* looked, and sorts the diagnosis. `spec`: the path that the command of a fix names.
/// `who_sees`: how to see what could not be read (Snapshot::who_sees()).
void add_findings(const Plan& plan, const std::string& spec, const std::string& who_sees, Diagnosis& to);

}  // namespace rdmastate::doctor
