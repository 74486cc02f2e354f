// SPDX-License-Identifier: Apache-2.0
// Tells in which file rdmastate writes the RDMA port of the NFS server, and in which form: by the version of nfs-utils
// and by distribution.
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/platform.hpp"

namespace rdmastate {

/// The NFS server's unit in Debian, Ubuntu, RHEL, Fedora and SUSE. Debian's nfs-kernel-server is another name of it.
inline constexpr std::string_view nfs_server_unit = "nfs-server.service";

/// How the NFS server of a release is told its RDMA port.
enum class NfsServerForm : std::uint8_t {
  drop_in,  ///< a file of rdmastate in nfs.conf.d: rdma=y, rdma-port=N
  entry,    ///< one key in a foreign file: rdma=N
  unit,     ///< rpc.nfsd --rdma=N, in a drop-in of nfs-server.service
};

/// The form and the path of the file for one release.
struct NfsServerConf {
  NfsServerForm form = NfsServerForm::drop_in;
  std::string_view path;
};

/// How to write the port for this platform. nfs-utils reads nfs.conf.d since 2.5.3 and nfs.conf since 2.1.1
/// (support/nfs/conffile.c). Every rpc.nfsd since 2.1.1 reads `rdma=N`; nfsdctl (2.8) takes the port for "no".
/// RHEL 8 stays with 2.3.3: its later builds know rdma-port, none reads nfs.conf.d. An update of SLES writes nfs.conf
/// anew and keeps nfs.conf.local, which nfs.conf includes.
NfsServerConf nfs_server_conf(const Platform& platform);

}  // namespace rdmastate
