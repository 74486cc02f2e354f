// SPDX-License-Identifier: Apache-2.0
// The interface to what would be cut off if an interface went away: mounts and storage over the network, the session
// that rdmastate was started from, and rules of policy routing that go by an address.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace rdmastate {

/// Something on this host that lives on traffic with others, or a rule of policy routing: the traffic that it routes is
/// cut off when its address goes.
struct Connection {
  enum class What : std::uint8_t { mount, storage, session, rule };
  What what = What::mount;
  /// Of a mount its mount point; of storage the name in sysfs ("nvme0", "session1"); of a session the process's number;
  /// of a rule its priority.
  std::string name{};
  std::string type{};  ///< mount: "nfs4"; storage: "nvme-rdma", "iscsi"; session: "sshd"; rule: "ip rule"
  /// Of a mount "server.example.com:/projects"; of storage the subsystem's or target's name; of a rule
  /// "from 192.0.2.1 lookup 101"; empty of a session.
  std::string source{};
  std::vector<IpAddress> remotes{};    ///< the other side; empty where the kernel does not tell
  std::optional<IpAddress> local{};    ///< the address on this host, where the kernel tells
  bool rdma = false;                   ///< over an RDMA device, not TCP
  std::vector<std::string> carries{};  ///< the mount points whose file systems are on this mount or storage, sorted
  bool operator==(const Connection&) const = default;
};
template <>
struct Names<Connection::What> {
  static constexpr std::string_view wanted = "mount, storage, session or rule";
  static constexpr std::array table{Name<Connection::What>{Connection::What::mount, "mount"},
                                    Name<Connection::What>{Connection::What::storage, "storage"},
                                    Name<Connection::What>{Connection::What::session, "session"},
                                    Name<Connection::What>{Connection::What::rule, "rule"}};
};

/// Lists what uses the network of a host.
class Connections {
 public:
  virtual ~Connections() = default;
  /// Mounts, then storage, then the session, then rules. A session that this user may not look into is left out.
  virtual std::vector<Connection> list() = 0;
};

}  // namespace rdmastate
