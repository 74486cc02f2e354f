// SPDX-License-Identifier: Apache-2.0
// The files by which systemd knows a unit and starts it at boot (systemd.unit(5)), as far as they can be told without
// systemd: in a tree, and of a host whose bus does not answer yet.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "host/place.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// The path of the unit file that systemd reads, also where it is masked; for an instance (a@b.service) without a file
/// of its own the path of its template. Empty: the unit is not installed.
std::string found_unit(const Snapshot& snapshot, std::string_view unit);

/// Links to the unit in .wants and .requires directories, as `systemctl enable` makes them: what starts it with another
/// unit. Each link's target by the link's path, without links to /dev/null, which mask.
std::map<std::string, std::string> links_that_start(const Snapshot& snapshot, std::string_view unit);

/// Where found_unit() and links_that_start() look for this unit.
FilePlaces unit_places(std::string_view unit);

}  // namespace rdmastate
