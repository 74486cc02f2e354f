// SPDX-License-Identifier: Apache-2.0
// A diagnosis in each form that doctor is asked for.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "cli/pipeline_cases.hpp"
#include "doctor/environment.hpp"
#include "plan/print.hpp"

namespace rdmastate {

/// Findings with cause, fix and evidence, what was unseen, and a closing count.
std::string diagnosis_text(const doctor::Diagnosis& diagnosis, const Paint& paint);
/// "format_version": 1.
Json diagnosis_json(const doctor::Diagnosis& diagnosis, const Facts& facts);
/// One case per check: failed by an error; skipped, with the reason, where it did not look, or could not see all and
/// found nothing.
std::vector<Case> cases_of(const doctor::Diagnosis& diagnosis);
/// Metrics for node_exporter's textfile collector, in the text format 0.0.4 of Prometheus; without timestamps, which
/// the collector refuses.
std::string diagnosis_metrics(const doctor::Diagnosis& diagnosis);
/// Lines for a shell to source (`.`): one export per variable, and the remarks as comments.
std::string environment_text(const doctor::Environment& environment);
/// "format_version": 1.
Json environment_json(const doctor::Environment& environment);
/// What a check is about, at length.
std::string check_text(const doctor::Check& check);

}  // namespace rdmastate
