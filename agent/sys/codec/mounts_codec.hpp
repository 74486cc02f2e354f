// SPDX-License-Identifier: Apache-2.0
// What the lines of /proc/PID/mountinfo (proc(5)) say of servers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/connections.hpp"
#include "host/mounts.hpp"

namespace rdmastate::codec {

/// What its file system's own options or its source say; nullopt for one that is not on the network, or is known here
/// as one: nfs, cifs, ceph, lustre, 9p. Names of servers are addresses by the time they are mounted.
std::optional<Connection> connection_of(const MountLine& mount);

/// All of IP addresses in a text in which ',', '@', ':' and '[]' part them; none from the first '/' on.
std::vector<IpAddress> addresses_in(std::string_view text);

}  // namespace rdmastate::codec
