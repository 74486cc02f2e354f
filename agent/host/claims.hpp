// SPDX-License-Identifier: Apache-2.0
// Which files on a host configure which network interface, by name or by what else their owners go by, whoever wrote
// them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// What a file asks of an interface before it is about it: that one of these patterns fits, or with `none_of` none.
struct Selector {
  std::string by;  ///< as systemd.network(5) calls it: Name, MACAddress, Path, Driver, Type
  std::vector<std::string> patterns = {};
  bool none_of = false;
};

/// A claim's `interface` in its parts: "mlx4_ib0", "[Type=infiniband Name=!eth*|en*]", and of udev, which gives a name
/// to what it asks for, "storage0 [MACAddress=?*a1]". No name has a bracket.
struct ClaimWords {
  std::string name;
  std::vector<Selector> asks;  ///< all of them have to fit; empty: the interface has that name
};
/// Takes the text of a claim's `interface` apart. Pure.
ClaimWords claim_words(const Claim& claim);
/// The inverse.
std::string text_of(const ClaimWords& words);

/// One program's configuration directory (or file) and how its files select interfaces.
struct ClaimSource {
  std::string_view manager;
  std::string_view place;   ///< a directory, or one file
  std::string_view suffix;  ///< of a directory the files that end so; "" takes every file
  /// What this file's text (or its name) is about; whose it is and where it lies is not filled in.
  std::vector<Claim> (*claims)(std::string_view file_name, std::string_view text);
  bool is_file = false;
};
/// Every source, in the order of claims.
std::span<const ClaimSource> claim_sources();

/// Every claim there is. Files and directories that this user may not read are named in `unseen`. What lies in /run
/// counts where its program runs.
std::vector<Claim> read_claims(const Snapshot& snapshot, const std::vector<Manager>& managers,
                               std::vector<std::string>& unseen);

/// The extractors, pure: interfaces(5), NetworkManager keyfiles, systemd.network/.netdev/.link, netplan, ifcfg, udev
/// rules.
std::vector<Claim> ifupdown_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> keyfile_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> networkd_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> link_file_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> netplan_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> ifcfg_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> udev_claims(std::string_view file_name, std::string_view text);

/// An IPoIB interface as far as a file can ask for one.
struct ClaimedInterface {
  std::string name;  ///< that it has, or shall have
  Guid guid = {};    ///< of its port: the last 8 bytes of its hardware address; 0: not known
  std::string pci = {};
  std::string driver = {};  ///< of its PCI function
  bool is_child = false;
};

/// Whether a claim is about that interface. What is not known of the interface fits no pattern.
bool is_about(const Claim& claim, const ClaimedInterface& interface);
/// Whether it goes by anything but whole names, so that it takes interfaces only where its program reads it first.
bool is_pattern(const Claim& claim);

/// A file of netplan's that says no more than this.
std::string netplan_text(const std::string& renderer, const std::vector<Claim>& claims);
/// The text of a file that claims the same (of netplan's, of what stands below "ethernets:"): what a record of a host
/// has instead of others' files.
std::string claim_text(const Claim& claim);

}  // namespace rdmastate
