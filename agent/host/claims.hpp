// SPDX-License-Identifier: Apache-2.0
// Which files on a host configure which network interface by name, whoever wrote them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// One program's configuration directory (or file) and how its files name an interface.
struct ClaimSource {
  std::string_view manager;
  std::string_view place;   ///< a directory, or with an empty suffix list one file
  std::string_view suffix;  ///< files that end so; "" takes every file
  /// The interfaces that this file's text (or its name) speaks of.
  std::vector<std::string> (*interfaces)(std::string_view file_name, std::string_view text);
};

/// Every claim there is. Files and directories that this user may not read are named in `unseen`. What lies in /run
/// counts where its program runs.
std::vector<Claim> read_claims(const Snapshot& snapshot, const std::vector<Manager>& managers,
                               std::vector<std::string>& unseen);

/// The extractors, pure: interfaces(5), NetworkManager keyfiles, systemd.network/.netdev, netplan, ifcfg.
std::vector<std::string> ifupdown_interfaces(std::string_view file_name, std::string_view text);
std::vector<std::string> keyfile_interfaces(std::string_view file_name, std::string_view text);
std::vector<std::string> networkd_interfaces(std::string_view file_name, std::string_view text);
std::vector<std::string> netplan_interfaces(std::string_view file_name, std::string_view text);
std::vector<std::string> ifcfg_interfaces(std::string_view file_name, std::string_view text);

}  // namespace rdmastate
