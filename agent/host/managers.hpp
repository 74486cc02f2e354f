// SPDX-License-Identifier: Apache-2.0
// Finds the managers of network interfaces by the files of their daemons, of systemd and of their packages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// The managers that run or are enabled. Of a tree in which none is enabled: those of the facts given by --facts.
std::vector<Manager> read_managers(const Snapshot& snapshot);

/// For a tree of which read_managers() gives none: the managers whose units are there, not masked, and enabled by
/// presets. They have `preset` set, and `enabled` false. Paths that this user may not read are added to `unseen`, also
/// by installed_managers().
std::vector<Manager> preset_managers(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The names of the managers whose program is there; nullopt where this user may not look at some program's path.
std::optional<std::vector<std::string>> installed_managers(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The paths whose existence alone tells of a manager.
std::vector<std::string_view> paths_of_managers();

}  // namespace rdmastate
