// SPDX-License-Identifier: Apache-2.0
// The paths of rdmastate's files, the same in every family of distributions. Pure data: nothing here looks at a host.
#pragma once

#include <string_view>

namespace rdmastate {

/// Paths of the files that rdmastate or its package writes, and of directories that it writes to.
struct Layout {
  std::string_view modules_load;     ///< read by systemd-modules-load.service (modules-load.d(5))
  std::string_view udev_rules;       ///< our rules file; after rdma-core's 60-*, before systemd's 73-* and 80-*
  std::string_view name_rules;       ///< RDMA devices' names; before rdma-core's 60-rdma-persistent-naming.rules
  std::string_view soft_rules;       ///< run rdmastate when what a soft RDMA device is made of appears
  std::string_view port_rules;       ///< run rdmastate when a port's network device or rdma_cm appears
  std::string_view rdma_options;     ///< ib_core's options (modprobe.d(5))
  std::string_view modules_block;    ///< modules that are never loaded (modprobe.d(5))
  std::string_view modules_options;  ///< modules' options (modprobe.d(5))
  std::string_view mlx4_ports;       ///< mlx4 ports' link types; read by what rdma-core's modprobe.d file runs
  std::string_view nfs_conf;         ///< our part of nfs.conf(5), where nfs-utils reads nfs.conf.d
  std::string_view nfs_exports;      ///< our exports, read beside /etc/exports (exports(5))
  std::string_view nfs_unit;         ///< rpc.nfsd's options, where it reads no nfs.conf
  std::string_view units;            ///< systemd's units that are this host's own
  std::string_view remote_wants;     ///< what remote-fs.target starts: links that `systemctl enable` would make
  std::string_view sysusers;         ///< group of section memlock (sysusers.d(5)); read by every systemd
  std::string_view umad_sysusers;    ///< the group of /dev/infiniband/umad*
  std::string_view limits;           ///< read by pam_limits (limits.conf(5)), late in its directory
  std::string_view umad_rules;       ///< who may open /dev/infiniband/umad*
  std::string_view unit;             ///< rdmastate.service as the package installs it
  std::string_view wants_link;       ///< the link `systemctl enable rdmastate.service` would make
  std::string_view nm_profiles;      ///< NetworkManager's keyfiles
  std::string_view networkd_files;   ///< systemd's .netdev, .network and .link files
  std::string_view
      ifupdown_files;  ///< stanzas that ifupdown includes; source-directory takes names of [a-zA-Z0-9_-]+ alone
  std::string_view wicked_files;    ///< SUSE's ifcfg-NAME, and what wicked reads beside each
  std::string_view netplan_file;    ///< netplan's definitions of rdmastate; after an installer's 00-, 01- and 50-
  std::string_view boot_file;       ///< the wanted volatile state, for `apply --boot`
  std::string_view ledger;          ///< what rdmastate made
  std::string_view applied;         ///< the spec that was applied
  std::string_view runs;            ///< one directory per run
  std::string_view initrd_notes;    ///< what the images in /boot were seen to hold
  std::string_view firewall_zones;  ///< firewalld's zones of this host; one here hides the package's of that name
};

/// Debian, Ubuntu, RHEL, Fedora and SUSE agree about all of these. Paths that differ stand in nfs, opensm and initrd.
const Layout& common_layout();

}  // namespace rdmastate
