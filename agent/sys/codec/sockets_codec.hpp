// SPDX-License-Identifier: Apache-2.0
// Reads /proc/PID/stat and the lines of /proc/net/tcp and tcp6 (proc(5)), by which sys/connections finds SSH sessions,
// and sys/older_processes what is older than a service's main process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace rdmastate::codec {

/// The fields of /proc/PID/stat that are used (proc(5)): a session is found by going up the parents of a process to
/// one called sshd.
struct ProcessLine {
  std::string command;  ///< without the parentheses around it
  std::uint32_t parent_pid = 0;
  std::uint64_t started = 0;  ///< in clock ticks since boot; 0: the text ends before it
  bool operator==(const ProcessLine&) const = default;
};

/// nullopt where the text has another format.
std::optional<ProcessLine> process_from(std::string_view stat);

/// The fields of a line of /proc/net/tcp and tcp6 that are used: addresses without their ports.
struct SocketLine {
  IpAddress local;
  IpAddress remote;
  std::uint64_t inode = 0;
  bool operator==(const SocketLine&) const = default;
};

/// The connections in state ESTABLISHED; `tcp` is the whole text of the file. An IPv4-mapped address (::ffff:192.0.2.1)
/// is given as IPv4. Lines of another format, such as the heading, are skipped.
std::vector<SocketLine> established_from(std::string_view tcp);

/// The inode in "socket:[4711]", which a symlink /proc/PID/fd/N has as its target; nullopt: the target is no socket.
std::optional<std::uint64_t> socket_inode(std::string_view target);

}  // namespace rdmastate::codec
