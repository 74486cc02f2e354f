// SPDX-License-Identifier: Apache-2.0
// Kind `nfs_mount`: an NFS file system that is mounted, or that an automount mounts at the first access. Key: the mount
// point. Twin: the unit, and the link that starts it. The transport is the one that the kernel uses: a mount with
// proto=tcp takes the RDMA connection that another mount has to that server by the same minor version, and is in sync.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct NfsMountState {
  std::optional<std::string> source;  ///< "server.example.com:/nfs/projects"; nullopt: not accessed yet
  /// As nfs(5) has them; of an observed state as the kernel prints them, or "type=ext4" where a file system other than
  /// NFS is mounted there. nullopt: `source` is, or the state is that after a step, which cannot tell what is printed.
  std::optional<std::string> options;
  bool automount = false;  ///< an automount is at the target: it mounts the source at the first access
  bool operator==(const NfsMountState&) const = default;
};

template <>
struct Fields<NfsMountState> {
  static constexpr std::string_view name = "nfs_mount";
  static constexpr std::string_view doc = "An NFS file system that is mounted.";
  static constexpr auto table = Table{
      Field{"source", &NfsMountState::source, "The server, and what it exports."},
      Field{"options", &NfsMountState::options, "Its options."},
      Field{"automount", &NfsMountState::automount, "It is mounted when somebody looks there.", {.required = true}},
  };
};

extern const Kind nfs_mount_kind;

/// Whether mount options as the kernel prints them (`present`) agree with those that were asked for (`wanted`): the
/// value of each option that the kernel prints, and words that have a contrary, such as hard and soft. Others are not
/// compared.
bool fits_options(std::string_view present, std::string_view wanted);

}  // namespace rdmastate
