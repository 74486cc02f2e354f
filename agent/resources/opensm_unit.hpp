// SPDX-License-Identifier: Apache-2.0
// Kind `opensm_unit`: a subnet manager that runs. Key: its unit, "opensm@0xf4521403007bcba1.service" on Debian, where
// each port has one, else "opensm.service". OpenSM keeps what its files said when it started, so files that change are
// of use once it has read them. Twin: what starts it at boot.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

/// The `unread` fields are set only in the state before a step: they name files that the plan writes and that OpenSM
/// will not have read. OpenSM reads partitions.conf again at SIGHUP, and every other file at its start alone.
struct OpensmUnitState {
  bool runs = true;  ///< false of one whose adapter's driver was loaded again: it manages nothing until it is restarted
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

/// Wanted: it runs, and has read its files.
State running_opensm();

/// Whether a step between two states of an OpenSM that runs, or its undo, starts it anew; else it gets SIGHUP.
bool restarts_opensm(const State& from, const State& to);

}  // namespace rdmastate
