// SPDX-License-Identifier: Apache-2.0
// Who configures network interfaces, by what their daemons, systemd and their packages leave on a host.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// Those that run or are enabled. Of a tree in which none is enabled: those that Snapshot::given() says to be.
std::vector<Manager> read_managers(const Snapshot& snapshot);

/// Of a tree in which none is enabled: those whose units are there, not masked, and enabled by presets.
std::vector<Manager> preset_managers(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The names of those whose program is there; nullopt where that may not be looked at.
std::optional<std::vector<std::string>> installed_managers(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The paths of which only matters that they are there.
std::vector<std::string_view> paths_of_managers();

}  // namespace rdmastate
