// SPDX-License-Identifier: Apache-2.0
// What files say about mounts and about the NFS server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// Of /etc/fstab and of the units in /etc/systemd/system. What this user may not read is named in `unseen`.
std::vector<MountClaim> read_mount_claims(const Snapshot& snapshot, std::vector<std::string>& unseen);
/// Of /etc/nfs.conf, the nfs.conf.local that SUSE's includes, and nfs.conf.d: listeners' ports, and RDMA.
std::vector<NfsSetting> read_nfs_settings(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The extractors, pure. Targets come without a slash at the end, with fstab's octal escapes resolved.
std::vector<std::string> fstab_targets(std::string_view text);
/// A unit's Where=, the last one; empty when it has none.
std::string unit_target(std::string_view text);
std::vector<NfsSetting> nfs_settings_in(const std::string& path, std::string_view text);
/// A value that nfs-utils reads as yes (conf_get_bool).
bool is_nfs_yes(const std::string& value);
/// The port on which a server with these settings, in the order in which they are read, listens for RDMA; nullopt: on
/// none. `rdma` is yes, and `rdma-port` the port; or it is the port itself.
std::optional<std::uint32_t> rdma_port_of(const std::vector<NfsSetting>& settings);

}  // namespace rdmastate
