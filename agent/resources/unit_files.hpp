// SPDX-License-Identifier: Apache-2.0
// Kind `unit_files`: what systemd has read of a unit's file and its drop-ins. Key: the unit's name. It holds copies in
// memory, so a file that changes is of use once it has read them again. Twin: those files, which it reads at boot.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct UnitFilesState {
  std::map<std::string, std::string> holds;  ///< SHA-256 by path; without a path, of what is on the disk no more
  bool operator==(const UnitFilesState&) const = default;
};

template <>
struct Fields<UnitFilesState> {
  static constexpr std::string_view name = "unit_files";
  static constexpr std::string_view doc = "What systemd has read of a unit's files.";
  static constexpr auto table = Table{
      Field{"holds", &UnitFilesState::holds, "Each file by its path: the SHA-256 of its bytes."},
  };
};

extern const Kind unit_files_kind;

/// Wanted: whatever its files say.
State read_unit_files();

}  // namespace rdmastate
