// SPDX-License-Identifier: Apache-2.0
// Finds which units systemd enables at a first boot, by its preset files (systemd.preset(5)).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

class Snapshot;

/// What the preset files (systemd.preset(5)) say of one unit.
struct Preset {
  bool enables = true;  ///< systemd enables a unit that no preset names
  std::string path;     ///< of the file that has a line for the unit; empty: none has

  /// For people: the file, or that there is none.
  std::string told_by() const { return path.empty() ? "no preset says otherwise" : path; }
};

/// Whether a preset's text enables a unit, by the first line that fits; nullopt: no line fits. "ignore" leaves the unit
/// as it is, which is not enabled.
std::optional<bool> preset_in(std::string_view text, const std::string& unit);

/// What the host's presets say of a unit. Files are read in order of their names, and the first that has a line for the
/// unit counts; of files of one name, that of the first directory. Unreadable paths are added to `unseen`.
Preset preset_of(const Snapshot& snapshot, const std::string& unit, std::vector<std::string>& unseen);

}  // namespace rdmastate
