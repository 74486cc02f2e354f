// SPDX-License-Identifier: Apache-2.0
// Kind `opensm_unit`: a subnet manager that runs. Key: its unit, "opensm@0xf4521403007bcba1.service" on Debian, where
// each port has one, else "opensm.service". OpenSM keeps in memory what its files said, so a changed file takes effect
// only once OpenSM has read it again. Twin: what starts the unit at boot: the list of ports in /etc/default on Debian,
// else the link that enables the unit.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

/// The `unread` fields are set only in the state before a step: they name files that the plan writes and that OpenSM
/// will not have read. OpenSM reads partitions.conf again at SIGHUP, and every other file at its start alone.
struct OpensmUnitState {
  /// False: the process runs, but the adapter's driver was loaded again, so OpenSM manages nothing until it is
  /// restarted.
  bool runs = true;
  std::optional<std::vector<std::string>> unread_until_sighup = {};
  std::optional<std::vector<std::string>> unread_until_restart = {};
  bool operator==(const OpensmUnitState&) const = default;
};

template <>
struct Fields<OpensmUnitState> {
  static constexpr std::string_view name = "opensm_unit";
  static constexpr std::string_view doc = "A subnet manager that runs.";
  static constexpr auto table = Table{
      Field{"runs", &OpensmUnitState::runs, "Its unit is active, and it has its port."},
      Field{"unread_until_sighup", &OpensmUnitState::unread_until_sighup, "Files that it reads at SIGHUP."},
      Field{"unread_until_restart", &OpensmUnitState::unread_until_restart, "Files that it reads when it starts anew."},
  };
};

extern const Kind opensm_unit_kind;

/// The wanted state: OpenSM runs, and has read its files.
State running_opensm();

/// Whether a step between these states of a running OpenSM, or the undo of that step, restarts OpenSM; else OpenSM gets
/// SIGHUP.
bool restarts_opensm(const State& from, const State& to);

}  // namespace rdmastate
