// SPDX-License-Identifier: Apache-2.0
// Kind `unit`: a unit of systemd that is started at boot and runs. Key: its name, "nfs-server.service". Its link in
// multi-user.target.wants is durable; systemd starts it by that link at boot, and rdmastate asks systemd to start it
// now.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct UnitState {
  std::optional<bool> enabled;  ///< something starts it at boot; of an observed state never nullopt
  /// It runs. Of an observed state nullopt where systemd cannot be asked: in a tree, or when it does not answer.
  std::optional<bool> active;
  /// Of an observed state, and of what a step makes of it: the links that enable it, with where each leads.
  std::map<std::string, std::string> links = {};
  bool operator==(const UnitState&) const = default;
};

template <>
struct Fields<UnitState> {
  static constexpr std::string_view name = "unit";
  static constexpr std::string_view doc = "A unit of systemd that is started at boot and runs.";
  static constexpr auto table = Table{
      Field{"enabled", &UnitState::enabled, "Something starts it at boot."},
      Field{"active", &UnitState::active, "It runs.", {.runtime = true}},
      Field{"links", &UnitState::links, "The links that start it, and where each leads.", {.identity = true}},
  };
};

extern const Kind unit_kind;

/// Wanted: started at boot, and now.
State running_unit();

/// Why systemd does not start the unit: it is not installed, or masked, or systemd does not answer. Empty: it can. In a
/// tree only a mask counts: the unit's package may come later, and systemd answers at the next boot.
Pending why_not_started(const Snapshot& snapshot, const std::string& unit);

/// Whether the plan starts the unit, so that what it brings comes with it. In a tree no plan does.
bool is_starting(const Scene& scene, const std::string& unit);
/// Whether the plan wants the unit disabled and stopped, as it may be already.
bool is_stopping(const Scene& scene, const std::string& unit);

}  // namespace rdmastate
