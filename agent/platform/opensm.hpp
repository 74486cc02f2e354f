// SPDX-License-Identifier: Apache-2.0
// OpenSM's files and units in each family of distributions, and how OpenSM is told which ports to run on. Constant
// tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/platform.hpp"

namespace rdmastate {

/// The paths and names of one family; a field that only other families use is empty. Debian's opensm.service starts one
/// opensm@GUID.service per port; elsewhere opensm-launch reads /etc/sysconfig/opensm and, where that names no GUIDS,
/// runs one opensm per numbered configuration file.
struct OpensmLayout {
  std::string_view settings;          ///< the package's file with the ports; rdmastate keeps single entries of it
  std::string_view ports;             ///< the entry that lists the port GUIDs
  std::string_view priority;          ///< the entry that holds every instance's priority; empty: there is none
  std::string_view partitions;        ///< wholly ours while the spec has partitions
  std::string_view drop_ins;          ///< Debian: the directory of units; a drop-in gives an instance its options
  std::string_view instance_configs;  ///< Debian: how the path of an instance's configuration begins; its GUID follows
  std::string_view configs;           ///< else: how the path of an instance's configuration begins; a number follows
  std::string_view standard;          ///< the configuration that OpenSM reads where it is told of no other (-F)
  std::string_view unit;              ///< opensm.service as the package installs it
  /// Debian: the link that makes every boot start `unit`. The package's own link is one of network-online.target, which
  /// a boot reaches only where another unit wants it.
  std::string_view boot_link;
  std::string_view wants_link;  ///< the link that `systemctl enable opensm` makes; empty on Debian, which has boot_link
  bool reads_partitions = true;  ///< OpenSM reads `partitions` by itself; else its configuration has to name it

  /// Whether a unit runs each instance, and the settings list their ports (Debian); else a launcher runs all of them.
  bool has_unit_per_port() const { return wants_link.empty(); }
};

/// The layout of a family; nullptr where it is not known.
///
/// Sources: of Debian the package opensm 3.3.23-2. RHEL and Fedora build it with --with-opensm-conf-sub-dir=rdma.
/// openSUSE builds it without, so that it looks for /etc/opensm/partitions.conf, although its launcher reads
/// /etc/rdma/opensm.conf.N.
const OpensmLayout* opensm_layout(DistroFamily family);

/// "0xf4521403007bcba1": a GUID as OpenSM reads it, and as the names of its units hold it.
std::string opensm_guid(std::uint64_t value);
/// Debian: the unit of the OpenSM on one port, "opensm@0xf4521403007bcba1.service".
std::string opensm_unit_on(std::uint64_t port_guid);
/// Debian: the configuration of that instance where it has options, "/etc/opensm/opensm.conf.0xf4521403007bcba1".
std::string opensm_config_on(const OpensmLayout& layout, std::uint64_t port_guid);
/// Elsewhere: the one unit of all, which runs the launcher.
inline constexpr std::string_view opensm_launcher_unit = "opensm.service";

/// The layouts of every family that has one.
std::vector<const OpensmLayout*> opensm_layouts();

}  // namespace rdmastate
