// SPDX-License-Identifier: Apache-2.0
// Example hosts, what is done to them, and what doctor says then.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "doctor/examination.hpp"
#include "host/recorded/recorded.hpp"
#include "support/scene.hpp"

namespace rdmastate::doctor {

/// A small change of a healthy host, the one finding that it brings, and what mends it.
struct Illness {
  std::string id;
  std::string host;  ///< of examples/hosts, without .json
  std::string subject;
  Severity severity;
  void (*change)(HostModel&);
  std::string hint = {};  ///< what its symptom, cause or fix says
  /// Makes right what the change made wrong, and leaves what the check reads: then nothing more is found than before
  /// the change.
  void (*cure)(HostModel&) = nullptr;
};

std::ostream& operator<<(std::ostream& out, const Illness& illness);
std::ostream& operator<<(std::ostream& out, const Finding& finding);

HostModel example(const std::string& name);
std::vector<std::string> example_names();
/// `before`: the counters of an earlier look.
Diagnosis diagnosis_of(HostModel model, const Counters* before = nullptr);
/// What `show --record` keeps of the host, with these places.
HostModel record_of_host(HostModel model, const FilePlaces& more);
/// Those of `more` that `less` has not.
std::vector<Finding> added(const Diagnosis& less, const Diagnosis& more);

// --- what a change is made of
RdmaPort& port(HostModel& model, std::size_t device = 0, std::size_t at = 0);
Link& link(HostModel& model, const std::string& name);
inline constexpr MemlockLimit unlimited{{MemorySize::no_limit}, {MemorySize::no_limit}};
/// A service that runs, as systemd of the record has it.
void run(HostModel& model, const std::string& unit, RecordedUnit state = {812, unlimited, false});

/// The families' illnesses, a list each.
std::vector<Illness> adapter_illnesses();
std::vector<Illness> ethernet_illnesses();
std::vector<Illness> fabric_illnesses();
std::vector<Illness> firewall_illnesses();
std::vector<Illness> service_illnesses();
std::vector<Illness> verbs_illnesses();
/// Looks of checks that need more than one look at a host (Looks): each check is found in one, and in another one it
/// looks and finds nothing.
std::vector<Diagnosis> counter_looks();
std::vector<Diagnosis> message_looks();
std::vector<Diagnosis> peer_looks();
std::vector<Diagnosis> spec_looks();
/// Changes that bring no finding.
std::vector<Illness> fabric_healths();
std::vector<Illness> firewall_healths();
std::vector<Illness> service_healths();
std::vector<Illness> verbs_healths();

}  // namespace rdmastate::doctor
