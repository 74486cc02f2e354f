// SPDX-License-Identifier: Apache-2.0
// Which file lives where, per family of distributions. Pure data: nothing here looks at a host.
#pragma once

#include <string_view>

namespace rdmastate {

/// Where this host's own files are read from at boot.
struct Layout {
  std::string_view modules_load;     ///< read by systemd-modules-load.service (modules-load.d(5))
  std::string_view udev_rules;       ///< our rules file; after rdma-core's 60-*, before systemd's 73-* and 80-*
  std::string_view name_rules;       ///< RDMA devices' names; before rdma-core's 60-rdma-persistent-naming.rules
  std::string_view soft_rules;       ///< soft RDMA devices come back with what they are made of
  std::string_view port_rules;       ///< priorities come back with a port's network device
  std::string_view rdma_options;     ///< ib_core's options (modprobe.d(5))
  std::string_view modules_block;    ///< modules that are never loaded (modprobe.d(5))
  std::string_view modules_options;  ///< modules' options (modprobe.d(5))
  std::string_view mlx4_ports;       ///< what mlx4 ports are, where rdma-core's modprobe.d file runs its reader
  std::string_view nfs_conf;         ///< our part of nfs.conf(5), where nfs-utils reads nfs.conf.d
  std::string_view nfs_unit;         ///< rpc.nfsd's options, where it reads no nfs.conf
  std::string_view units;            ///< systemd's units that are this host's own
  std::string_view remote_wants;     ///< what remote-fs.target starts: links that `systemctl enable` would make
  std::string_view sysusers;         ///< groups (sysusers.d(5)); /etc/sysusers.d is read by every systemd
  std::string_view umad_sysusers;    ///< the group of the fabric's management nodes
  std::string_view limits;           ///< pam_limits' (limits.conf(5)), the last file to be read of its directory
  std::string_view umad_rules;       ///< who may open the fabric's management nodes
  std::string_view unit;             ///< rdmastate.service as the package installs it
  std::string_view wants_link;       ///< the link `systemctl enable rdmastate.service` would make
  std::string_view nm_profiles;      ///< NetworkManager's keyfiles
  std::string_view networkd_files;   ///< systemd's .netdev, .network and .link files
  std::string_view ifupdown_file;    ///< rdmastate's stanzas; source-directory takes that name (interfaces(5))
  std::string_view netplan_file;     ///< netplan's definitions of rdmastate; after an installer's 00-, 01- and 50-
  std::string_view boot_file;        ///< the wanted volatile state, for `apply --boot`
  std::string_view ledger;           ///< what rdmastate made
  std::string_view applied;          ///< the spec that it made it of
  std::string_view runs;             ///< one directory per run
  std::string_view initrd_notes;     ///< what the images in /boot were seen to hold
};

/// Debian, Ubuntu, RHEL, Fedora and SUSE agree about all of these; what differs comes with the sections that need it.
const Layout& common_layout();

}  // namespace rdmastate
