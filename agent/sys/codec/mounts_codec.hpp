// SPDX-License-Identifier: Apache-2.0
// The lines of /proc/PID/mountinfo (proc(5)), and what they say of servers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/connections.hpp"

namespace rdmastate::codec {

/// One line of /proc/self/mountinfo (proc(5)).
struct MountLine {
  std::string device;  ///< "259:1"; "0:52" of what stands on no block device
  std::string target;
  std::string type;
  std::string source;
  std::string options;  ///< of the file system, not of the mount
  bool operator==(const MountLine&) const = default;
};

/// Lines that are none are left out.
std::vector<MountLine> mounts_from(std::string_view mountinfo);

/// What its file system's own options or its source say; nullopt for one that is not on the network, or is known here
/// as one: nfs, cifs, ceph, lustre, 9p. Names of servers are addresses by the time they are mounted.
std::optional<Connection> connection_of(const MountLine& mount);

/// A value among "key=value,key,key=value"; empty when it is not there.
std::string option_of(std::string_view options, std::string_view key);
/// All of IP addresses in a text in which ',', '@', ':' and '[]' part them; none from the first '/' on.
std::vector<IpAddress> addresses_in(std::string_view text);

}  // namespace rdmastate::codec
