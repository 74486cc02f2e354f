// SPDX-License-Identifier: Apache-2.0
// /proc/PID/stat, and the lines of /proc/net/tcp and tcp6 (proc(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace rdmastate::codec {

/// What is read of /proc/PID/stat (proc(5)).
struct ProcessLine {
  std::string command;
  std::uint32_t parent = 0;
  bool operator==(const ProcessLine&) const = default;
};

/// nullopt when it is no such line.
std::optional<ProcessLine> process_from(std::string_view stat);

/// What is read of a line of /proc/net/tcp and tcp6.
struct SocketLine {
  IpAddress local;
  IpAddress remote;
  std::uint64_t inode = 0;
  bool operator==(const SocketLine&) const = default;
};

/// Established connections alone. An IPv4 one of an IPv6 socket (::ffff:192.0.2.1) is an IPv4 one.
std::vector<SocketLine> established_from(std::string_view tcp);

/// The number in "socket:[4711]"; nullopt for what is no socket.
std::optional<std::uint64_t> socket_inode(std::string_view link);

}  // namespace rdmastate::codec
