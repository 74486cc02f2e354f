// SPDX-License-Identifier: Apache-2.0
// Tells which servers a mount is connected to, by its line of /proc/PID/mountinfo (proc(5)).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/connections.hpp"
#include "host/mounts.hpp"

namespace rdmastate::codec {

/// The connection that a mount stands on. The server's address stands in an option of the file system (nfs, cifs; also
/// where it was mounted by the server's name) or in the source (ceph, lustre, 9p). nullopt: the file system is of
/// another type, or the line has no address.
std::optional<Connection> connection_of(const MountLine& mount);

/// All IP addresses in a text such as "192.0.2.1@o2ib:192.0.2.2@o2ib:/fs" or "[2001:db8::1]:6789,192.0.2.3:6789:/": ','
/// '@' and ':' separate them, and brackets hold IPv6. What stands behind the first '/' is not read.
std::vector<IpAddress> addresses_in(std::string_view text);

}  // namespace rdmastate::codec
