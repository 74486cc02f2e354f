// SPDX-License-Identifier: Apache-2.0
// What doctor prints, in each form of -o: a diagnosis, the variables of --env, and a check explained.
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
/// The document of `doctor -o json`: findings, what was unseen, counts, and the counters that --since compares with.
Json diagnosis_json(const doctor::Diagnosis& diagnosis, const Facts& facts);
/// One case per check: failed by an error; skipped, with the reason, where it did not look, or could not see all and
/// found nothing.
std::vector<Case> cases_of(const doctor::Diagnosis& diagnosis);
/// Metrics for node_exporter's textfile collector, in the text format 0.0.4 of Prometheus; without timestamps, which
/// the collector refuses.
std::string diagnosis_metrics(const doctor::Diagnosis& diagnosis);
/// Lines for a shell to source (`.`): one export per variable, and the remarks as comments.
std::string environment_text(const doctor::Environment& environment);
/// The document of `doctor --env -o json`: the variables and the remarks.
Json environment_json(const doctor::Environment& environment);
/// A check explained, for `doctor ID`: its id, title, severity and text.
std::string check_text(const doctor::Check& check);

}  // namespace rdmastate
