// SPDX-License-Identifier: Apache-2.0
// Findings of any command as cases of a test report, from which the forms github, sarif and junit are printed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "cli/wish.hpp"
#include "plan/plan.hpp"

namespace rdmastate {

/// How bad a finding is, and how a case of a report ended.
enum class Level { note, warning, error };
enum class CaseResult { passed, failed, skipped };

/// One thing said about one place.
struct Finding {
  Level level = Level::error;
  /// See rule_of(). Of a plan: the item's kind, "file" (unseen) or "policy" (a refusal). Of doctor: the check's id.
  std::string rule;
  std::string file;     ///< as the user named it; empty: nowhere in a file
  Place place;          ///< line 0: the file as a whole
  std::string about;    ///< "ipoib[1].pkey", what a plan calls the resource, or doctor's subject; may be empty
  std::string message;  ///< one sentence
  std::string details;  ///< further lines; may be empty
};

/// What a test report counts: a file of `check`, an item of `plan` and `verify`, a check of `doctor`.
struct Case {
  std::string group;  ///< "spec", "file", "policy", "doctor" or the kind of resource
  std::string name;   ///< the file, the resource's key or the check's id: the same in every report
  CaseResult result = CaseResult::passed;
  std::vector<Finding> findings;
};

/// A spec that was checked.
struct Checked {
  std::string path;
  Report report;
};

/// The stable identity of a finding about a spec: the field that it is about, as `explain` calls it
/// ("ipoib.ipv4.routes.to"), or "spec" where no field is known. Wordings may change from version to version, fields'
/// names do not.
std::string rule_of(std::string_view path);
/// What a rule of rule_of() is about, in one sentence: the field's own doc.
std::string rule_text(const std::string& rule);

/// One case per file, in their order. With `strict` a warning fails its case.
std::vector<Case> cases_of(std::span<const Checked> files, bool strict);

/// What a plan's items are judged for.
enum class Judging {
  plan,            ///< fails what apply would not do
  verify,          ///< fails what differs: there is a failed case where `verify` exits with 2
  verify_pending,  ///< the same with --allow-pending
};

/// One case per item, unseen file and refusal. Skipped are an item that only waits (which Judging::verify fails), and
/// one that is optional and that this host cannot have. `spec` says at which line an item stands; null: the plan is of
/// boot.json.
std::vector<Case> cases_of(const Plan& plan, const SpecFile* spec, Judging judging);

}  // namespace rdmastate
