// SPDX-License-Identifier: Apache-2.0
// Kind `unit_files`: systemd has read a unit's file and its drop-ins as they are. Key: the unit's name. systemd holds
// copies in memory, so a changed file takes effect only once systemd has read it again. Twin: those files, which
// systemd reads at boot.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct UnitFilesState {
  /// Files that systemd has not read as they are, or will not have once a plan's files are written. Of an observed
  /// state "some of them" stands for all: systemd does not say which.
  std::vector<std::string> unread;
  bool operator==(const UnitFilesState&) const = default;
};

template <>
struct Fields<UnitFilesState> {
  static constexpr std::string_view name = "unit_files";
  static constexpr std::string_view doc = "What systemd has read of a unit's files.";
  static constexpr auto table = Table{
      Field{"unread", &UnitFilesState::unread, "Files that systemd has not read as they are."},
  };
};

extern const Kind unit_files_kind;

/// Wanted: none is unread.
State read_unit_files();

}  // namespace rdmastate
