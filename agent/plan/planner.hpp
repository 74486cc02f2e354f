// SPDX-License-Identifier: Apache-2.0
// One plan of one host, from what is wanted.
#pragma once

#include <functional>

#include "base/error.hpp"
#include "plan/plan.hpp"

namespace rdmastate {

/// What is wanted of a host, as often as it has to be asked: apply plans again after every round.
struct Wish {
  /// Pure: what the host's facts reveal of the spec goes into the report, and with mistakes in it the result is not
  /// used. Asked again with what a first plan found impossible: nothing that asks for that is to be written for the
  /// next boot.
  std::function<Desired(const Facts&, const std::vector<Impossible>&, Report&)> desire;
  /// Says where the spec's paths stand. May be empty: they stand nowhere.
  std::function<void(Report&)> place = {};
  PlanOptions options;
  /// The spec, as applied_text() prints it: kept with the ledger once it is applied. Empty: none is kept.
  std::string applied = {};
  /// What its maker has against the first plan, a sentence each: nothing is applied then. May be empty.
  std::function<std::vector<std::string>(const Plan&)> objections = {};
};

/// A spec with mistakes that only the host's facts reveal.
class Misfit : public Error {
 public:
  explicit Misfit(Report found)
      : Error("the spec does not fit this host", ExitCode::bad_spec), report(std::move(found)) {}
  Report report;
};

/// As plan_host(), of a host that is looked at already.
Plan plan_of(Snapshot& snapshot, const Facts& facts, const Wish& wish, const Ledger* ledger = nullptr);
/// One look at the host and one plan; `ledger` overrides the host's own (what this run has done so far). Throws Misfit.
Plan plan_host(Host& host, const Wish& wish, const Ledger* ledger = nullptr);

}  // namespace rdmastate
