// SPDX-License-Identifier: Apache-2.0
// Reads from a line of /proc/PID/mountinfo (proc(5)) to which servers a mount is connected (host/connections.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/connections.hpp"
#include "host/mounts.hpp"

namespace rdmastate::codec {

/// The connection that a mount stands on, by the options of its file system or by its source: there a server stands by
/// its address, also where it was mounted by name. nullopt where the type is none of those over the network that are
/// known here (nfs, cifs, ceph, lustre, 9p), and where no address is found.
std::optional<Connection> connection_of(const MountLine& mount);

/// All IP addresses in a text that separates them by ',', '@', ':' or '[]'. What stands behind the first '/' is not
/// read.
std::vector<IpAddress> addresses_in(std::string_view text);

}  // namespace rdmastate::codec
