// SPDX-License-Identifier: Apache-2.0
// A check of doctor: its id, how bad it can be, what it means at length, and the function that examines the host.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "doctor/finding.hpp"
#include "host/place.hpp"

namespace rdmastate::doctor {

class Examination;

/// What a check needs before it can look.
enum class Looks : std::uint8_t {
  one,    ///< one look at a host
  two,    ///< an earlier look at the host too: a counter tells something only by its change
  plans,  ///< a spec
  sends,  ///< messages over a connection, which are sent where that was asked for
  meets,  ///< a peer, whose ports are compared with this host's
};
/// Why a check of that sort did not look, as a clause; empty for Looks::one, which always does.
std::string_view why_it_did_not_look(Looks looks);

/// One row of a family's table: all that is said of a check stands here. Its findings have its id.
struct Check {
  std::string_view id;     ///< never changes its meaning: pipelines and dashboards know it
  Severity severity;       ///< the worst that its findings can be
  std::string_view title;  ///< one sentence without its full stop
  std::string_view text;   ///< what it means, how it comes about and what to do: one paragraph
  /// Adds its findings to the examination. Asks the snapshot and the facts, and nothing else. Null: what is found comes
  /// from a spec's plan (spec_findings.hpp), or from messages that were sent (active.hpp).
  void (*look)(Examination&);
  Looks looks = Looks::one;
};

/// Checks that look at the same things.
struct CheckFamily {
  std::span<const Check> checks;
  /// All files that these checks read, those of sysfs too: a record keeps them.
  FilePlaces (*places)();
};

/// All families and all checks, in the order in which they look.
std::span<const CheckFamily> all_families();
std::vector<const Check*> all_checks();
/// nullptr: there is no such check.
const Check* check_named(std::string_view id);
/// The files that all checks read.
FilePlaces places();

/// PCI functions, drivers, firmware, GUIDs (adapters.cpp).
extern const CheckFamily adapter_checks;
/// Counters that rose between two looks (counters.cpp).
extern const CheckFamily counter_checks;
/// Partitions and carriers of IPoIB interfaces (ipoib.cpp).
extern const CheckFamily ipoib_checks;
/// What guides have people change by hand (leftovers.cpp).
extern const CheckFamily leftover_checks;
/// Links, states and subnet managers (ports.cpp).
extern const CheckFamily port_checks;
/// Who may open nodes of management datagrams (nodes.cpp).
extern const CheckFamily node_checks;
/// Reliable connections, over which messages are sent (rc_findings.cpp).
extern const CheckFamily rc_checks;
/// GIDs, their indexes, active MTUs (roce.cpp).
extern const CheckFamily roce_checks;
/// Subnet managers that run on this host (managers.cpp).
extern const CheckFamily manager_checks;
/// Daemons, and how much memory services and logins may pin (services.cpp).
extern const CheckFamily service_checks;
/// Those that a spec's plan answers (spec_findings.cpp).
extern const CheckFamily spec_checks;
/// Widths, rates, PCIe, NUMA (speed.cpp).
extern const CheckFamily speed_checks;
/// OFED beside the kernel's modules or the distribution's libraries (stacks.cpp).
extern const CheckFamily stack_checks;
/// Several interfaces in one subnet (subnets.cpp).
extern const CheckFamily subnet_checks;
/// Network namespaces and GPUs (system.cpp).
extern const CheckFamily system_checks;
/// libibverbs, its providers and modules (verbs.cpp).
extern const CheckFamily verbs_checks;

}  // namespace rdmastate::doctor
