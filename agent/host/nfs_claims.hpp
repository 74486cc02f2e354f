// SPDX-License-Identifier: Apache-2.0
// Extracts what files say about mounts (fstab, mount units) and about the NFS server's listeners (nfs.conf): facts by
// which section nfs decides, and sees what others configured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// The mounts of /etc/fstab and of the units in /etc/systemd/system. Paths that this user may not read are added to
/// `unseen`.
std::vector<MountClaim> read_mount_claims(const Snapshot& snapshot, std::vector<std::string>& unseen);
/// The settings of listeners' ports, of RDMA and of threads in /etc/nfs.conf, nfs.conf.local (which SUSE's nfs.conf
/// includes) and nfs.conf.d. `unseen` as above.
std::vector<NfsSetting> read_nfs_settings(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The extractors, pure. Targets come without a slash at the end, with fstab's octal escapes resolved.
std::vector<std::string> fstab_targets(std::string_view text);
/// A unit's Where=, the last one; empty when it has none.
std::string unit_target(std::string_view text);
std::vector<NfsSetting> nfs_settings_in(const std::string& path, std::string_view text);
/// A value that nfs-utils reads as yes (conf_get_bool).
bool is_nfs_yes(const std::string& value);
/// The port on which a server with these settings, in the order in which they are read, listens for RDMA; nullopt: on
/// none. Either `rdma` is yes and `rdma-port` is the port (20049 where it is not set), or `rdma` is the port itself.
std::optional<std::uint32_t> rdma_port_of(const std::vector<NfsSetting>& settings);

/// How many threads a server with these settings starts; nullopt: no setting says so.
std::optional<std::uint32_t> threads_of(const std::vector<NfsSetting>& settings);

}  // namespace rdmastate
