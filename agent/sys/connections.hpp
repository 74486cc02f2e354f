// SPDX-License-Identifier: Apache-2.0
// What would be cut off on the live host if an interface went away: mounts, storage, the SSH session at work, routing
// rules.
#pragma once

#include "host/connections.hpp"
#include "sys/netlink.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// The live host's connections, read anew at each list():
/// - mounts: /proc/self/mountinfo;
/// - storage: NVMe over Fabrics controllers (/sys/class/nvme) and iSCSI connections (/sys/class/iscsi_connection), with
///   the mounts that stand on their disks, also by device mapper and md;
/// - the session: the sockets of the SSH server that is the nearest ancestor of this process. A detached process has no
///   such ancestor: then those of the SSH server in its audit session (/proc/PID/sessionid);
/// - rules of policy routing for a single source address (RTM_GETRULE).
/// Contract: host/connections.hpp.
class KernelConnections final : public Connections {
 public:
  /// `root` must outlive this object.
  explicit KernelConnections(const Root& root) : root_(root) {}
  std::vector<Connection> list() override;

 private:
  const Root& root_;
  NetlinkSocket netlink_{0};  ///< NETLINK_ROUTE
};

/// The storage alone, with `carries` empty. On a host without storage over the network only two directories are read.
std::vector<Connection> read_storage(const Root& root);
/// The storage (Connection::name) that the block device of a mount stands on, by MountLine::device and
/// MountLine::source. Where `device` is "259:1" it decides; where it is "0:52", as of btrfs, `source` does. Names
/// NVMe controllers and iSCSI sessions, also an NVMe controller that is not reached over the network.
std::vector<std::string> storage_beneath(const Root& root, const std::string& device, const std::string& source);

}  // namespace rdmastate
