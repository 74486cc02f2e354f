// SPDX-License-Identifier: Apache-2.0
// The kernel's NFS server of this host.
#pragma once

#include "host/nfsd.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// The NFS server of the kernel that runs, through /proc/fs/nfsd; what it exports, by /var/lib/nfs/etab.
/// Contract: host/nfsd.hpp. set_threads() refuses what would start or stop the server.
class KernelNfsd final : public Nfsd {
 public:
  /// `root` must outlive this object.
  explicit KernelNfsd(const Root& root) : root_(root) {}
  std::optional<NfsdState> look() override;
  std::vector<NfsdClient> clients() override;
  void listen(const NfsListener& listener) override;
  void set_threads(std::uint32_t count) override;

 private:
  /// The number in a file of /proc/fs/nfsd; 0 where there is none.
  std::uint32_t number(const char* file) const;

  const Root& root_;
};

}  // namespace rdmastate
