// SPDX-License-Identifier: Apache-2.0
#include "platform/layout.hpp"

namespace rdmastate {
namespace {

constexpr Layout common{
    .modules_load = "/etc/modules-load.d/rdmastate.conf",
    .udev_rules = "/etc/udev/rules.d/70-rdmastate-ipoib.rules",
    .name_rules = "/etc/udev/rules.d/59-rdmastate-names.rules",
    .soft_rules = "/etc/udev/rules.d/70-rdmastate-soft.rules",
    .port_rules = "/etc/udev/rules.d/70-rdmastate-ports.rules",
    .rdma_options = "/etc/modprobe.d/rdmastate-rdma.conf",
    .modules_block = "/etc/modprobe.d/rdmastate-block.conf",
    .modules_options = "/etc/modprobe.d/rdmastate-options.conf",
    .mlx4_ports = "/etc/rdma/mlx4.conf",
    .nfs_conf = "/etc/nfs.conf.d/rdmastate.conf",
    .nfs_exports = "/etc/exports.d/rdmastate.exports",
    .nfs_unit = "/etc/systemd/system/nfs-server.service.d/rdmastate.conf",
    .units = "/etc/systemd/system",
    .remote_wants = "/etc/systemd/system/remote-fs.target.wants",
    .sysusers = "/etc/sysusers.d/rdmastate.conf",
    .umad_sysusers = "/etc/sysusers.d/rdmastate-umad.conf",
    .limits = "/etc/security/limits.d/95-rdmastate.conf",
    .umad_rules = "/etc/udev/rules.d/70-rdmastate-umad.rules",
    .unit = "/usr/lib/systemd/system/rdmastate.service",
    .wants_link = "/etc/systemd/system/multi-user.target.wants/rdmastate.service",
    .nm_profiles = "/etc/NetworkManager/system-connections",
    .networkd_files = "/etc/systemd/network",
    .ifupdown_files = "/etc/network/interfaces.d",
    .wicked_files = "/etc/sysconfig/network",
    .netplan_file = "/etc/netplan/90-rdmastate.yaml",
    .boot_file = "/etc/rdmastate/boot.json",
    .ledger = "/etc/rdmastate/ledger.json",
    .applied = "/etc/rdmastate/applied.yaml",
    .runs = "/var/lib/rdmastate/runs",
    .initrd_notes = "/var/lib/rdmastate/initrd.json",
    .firewall_zones = "/etc/firewalld/zones",
};

}  // namespace

const Layout& common_layout() { return common; }

}  // namespace rdmastate
