// SPDX-License-Identifier: Apache-2.0
// Finds the managers that only their own files reveal: ifupdown and netplan. They have no daemon, and systemd has no
// link for them in /etc/systemd.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// Adds netplan and ifupdown to `facts.managers` where they have files, fills in `facts.includes` and
/// `facts.netplan_renderer`, and adds paths that this user may not read to `facts.unseen`. Reads `facts.claims`, which
/// must be filled in before.
void note_file_owners(const Snapshot& snapshot, Facts& facts);

/// The lines by which interfaces(5) includes other files: "source /etc/network/interfaces.d/*".
std::vector<std::string> ifupdown_includes(std::string_view text);
/// Whether those lines include a file. A line may have shell wildcards and paths relative to /etc/network, and
/// source-directory includes only files whose names interfaces(5) takes.
bool includes_file(const std::vector<std::string>& includes, const std::string& path);

/// The renderer that a netplan file gives to all its interfaces (netplan(5)); empty when it gives none.
std::string netplan_renderer(std::string_view text);

}  // namespace rdmastate
