// SPDX-License-Identifier: Apache-2.0
// Extracts mounts from fstab and mount units, and the settings of the NFS server's ports, RDMA and threads from
// nfs.conf. They become Facts, by which section nfs sees what other programs and people have configured.
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
/// The settings of ports, RDMA and threads in /etc/nfs.conf, nfs.conf.local (which SUSE's nfs.conf includes) and
/// nfs.conf.d, in the order in which nfs-utils reads them. `unseen` as in read_mount_claims().
std::vector<NfsSetting> read_nfs_settings(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The extractors, pure, each from the text of one file. Targets are mount points; they come without a slash at the
/// end, with fstab's octal escapes resolved.
std::vector<std::string> fstab_targets(std::string_view text);
/// A unit's Where=, the last one; empty when it has none.
std::string unit_target(std::string_view text);
/// The settings of one file of nfs.conf(5); `path`, the file's, goes into each.
std::vector<NfsSetting> nfs_settings_in(const std::string& path, std::string_view text);
/// A value that nfs-utils reads as yes (conf_get_bool).
bool is_nfs_yes(const std::string& value);
/// The port on which a server with these settings, in the order in which they are read, listens for RDMA; nullopt: on
/// none, also where the port is above 65535. Either `rdma` is yes and `rdma-port` is the port (20049 where that is no
/// number, or 0), or `rdma` is the port.
std::optional<std::uint32_t> rdma_port_of(const std::vector<NfsSetting>& settings);

/// How many threads a server with these settings starts; nullopt: no setting says so. One that is no number, or 0, does
/// not count.
std::optional<std::uint32_t> threads_of(const std::vector<NfsSetting>& settings);

}  // namespace rdmastate
