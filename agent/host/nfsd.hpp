// SPDX-License-Identifier: Apache-2.0
// The interface to the kernel's NFS server: its listeners, threads and clients in /proc/fs/nfsd (nfsd(7),
// fs/nfsd/nfsctl.c), and the directories that exportfs(8) has exported.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rdmastate {

/// Where the server takes requests, over IPv4 and IPv6: a transport and a port.
struct NfsListener {
  std::string transport;  ///< "rdma", "tcp", "udp"
  std::uint32_t port = 0;
  auto operator<=>(const NfsListener&) const = default;
};

/// A directory that is exported to one client, network, netgroup or pattern.
struct NfsExport {
  std::string path;
  std::string host;     ///< as exports(5) writes it: "192.0.2.0/24", "*.example.com", "@group", "*"
  std::string options;  ///< between the parentheses: "rw,no_root_squash"
  auto operator<=>(const NfsExport&) const = default;
};

/// The server as it is now: /proc/fs/nfsd/threads, portlist and nfsv4gracetime, and what exportfs(8) has exported.
struct NfsdState {
  std::uint32_t threads = 0;            ///< 0: it does not run
  std::vector<NfsListener> listeners;   ///< each once
  std::uint32_t grace = 0;              ///< seconds after a start in which clients reclaim their locks and opens
  std::vector<NfsExport> exports = {};  ///< as /var/lib/nfs/etab has them; none while the server does not run
  bool operator==(const NfsdState&) const = default;
};

/// A client that has a lease. Clients of NFS 3 have none and are not known.
struct NfsdClient {
  std::string address;  ///< "198.51.100.7:722"
  std::string name;     ///< the name that it gives itself
  bool operator==(const NfsdClient&) const = default;
};

/// The server of one host. Each call throws an Error that names the file when it cannot be read or written.
class Nfsd {
 public:
  virtual ~Nfsd() = default;
  /// nullopt: the nfsd file system is not mounted, so no server can run.
  virtual std::optional<NfsdState> look() = 0;
  /// The clients that have a lease. Only root may see them.
  virtual std::vector<NfsdClient> clients() = 0;
  /// Adds a listener for IPv4, and for IPv6 where the kernel has that, also while the server's threads run. The kernel
  /// removes none while threads run: to remove one, restart the server's unit.
  virtual void listen(const NfsListener& listener) = 0;
  /// Gives a server that runs more threads, or fewer once these have answered their present requests. Throws Error for
  /// 0, which would stop it, and where none runs.
  virtual void set_threads(std::uint32_t count) = 0;
};

/// "rdma 20049", as a line of portlist has it.
inline std::string listener_text(const NfsListener& listener) {
  return listener.transport + " " + std::to_string(listener.port);
}

}  // namespace rdmastate
