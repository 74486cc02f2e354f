// SPDX-License-Identifier: Apache-2.0
// Makes one plan of one host, from a Wish: the function that gives the wanted resources, and the options.
#pragma once

#include <functional>

#include "base/error.hpp"
#include "plan/plan.hpp"

namespace rdmastate {

/// What the caller wants of a host. It makes the wanted resources anew for each plan, as apply plans after every round.
struct Wish {
  /// Makes the wanted resources for a host with these Facts. Pure. Mistakes in the spec that only the Facts reveal go
  /// into the report, and the result is then not used. Called again with what a first plan found impossible, so that no
  /// file asks for it at the next boot.
  std::function<Desired(const Facts&, const std::vector<Impossible>&, Report&)> desire;
  /// Gives each path in the report its place in the spec. May be empty: the paths have no places.
  std::function<void(Report&)> place = {};
  PlanOptions options;
  /// Prints the spec that is kept with the ledger once it is applied, as applied_text() does: only an apply needs the
  /// text. Empty: none is kept.
  std::function<std::string()> applied = {};
  /// Why the caller does not want the first plan applied, a sentence each: with one, nothing is applied. May be empty.
  std::function<std::vector<std::string>(const Plan&)> objections = {};
};

/// A spec with mistakes that only the host's facts reveal.
class Misfit : public Error {
 public:
  explicit Misfit(Report found)
      : Error("the spec does not fit this host", ExitCode::bad_spec), report(std::move(found)) {}
  Report report;
};

/// As plan_host(), by a snapshot and Facts that the caller has already.
Plan plan_of(Snapshot& snapshot, const Facts& facts, const Wish& wish, const Ledger* ledger = nullptr);
/// Takes one Snapshot of the host and makes one plan. `ledger`: what to use instead of the host's own, which a run
/// writes only at its end; nullptr: the host's own. Throws Misfit; Error where the ledger is damaged, or steps
/// need each other in a circle.
Plan plan_host(Host& host, const Wish& wish, const Ledger* ledger = nullptr);

}  // namespace rdmastate
