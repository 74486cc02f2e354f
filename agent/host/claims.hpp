// SPDX-License-Identifier: Apache-2.0
// Finds the files on a host, foreign or not, that configure a network interface: by its name or by other selectors.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"

namespace rdmastate {

/// One condition of a file on an interface: at least one of these patterns fits, or, with `none_of`, none of them does.
struct Selector {
  std::string by;  ///< as systemd.network(5) calls it: Name, MACAddress, Path, Driver; ParentDriver: udev's DRIVERS
  std::vector<std::string> patterns = {};
  bool none_of = false;
};

/// The parts of a claim's `interface`: a name or a shell pattern for names ("mlx4_ib0", "mlx4*"), or selectors
/// ("[Type=infiniband Name=!eth*|en*]"). A claim of udev has both ("storage0 [MACAddress=?*a1]"): udev gives the name
/// to the interface that fits the selectors.
struct ClaimWords {
  std::string name;            ///< empty: selectors alone
  std::vector<Selector> asks;  ///< all of them have to fit; empty: the interface's name has to fit `name`
};
/// Takes the text of a claim's `interface` apart. Pure.
ClaimWords claim_words(const Claim& claim);
/// The inverse.
std::string text_of(const ClaimWords& words);

/// One program's configuration directory (or file) and how its files select interfaces.
struct ClaimSource {
  std::string_view manager;  ///< as Manager::name has it; "udev" for what systemd-udevd reads
  std::string_view place;    ///< a directory, or one file
  std::string_view suffix;   ///< of a directory the files that end so; "" takes every file
  /// Extracts the claims of a file from its text and name. Their `manager` and `path` stay empty.
  std::vector<Claim> (*claims)(std::string_view file_name, std::string_view text);
  bool is_file = false;  ///< `place` is one file
};
/// Every source, in the order in which read_claims() returns their claims.
std::span<const ClaimSource> claim_sources();

/// Every claim on the host. Files and directories that this user may not read are added to `unseen`. Files in /run
/// count only while their program runs, by `managers`.
std::vector<Claim> read_claims(const Snapshot& snapshot, const std::vector<Manager>& managers,
                               std::vector<std::string>& unseen);

/// The interface that a file of wicked or of initscripts is about, by the file's name: ib0 of ifcfg-ib0, ifroute-ib0
/// and ifsysctl-ib0. Empty: it is none of these files.
std::string_view interface_of_file(std::string_view file_name);

/// The extractors, each for one format: interfaces(5), NetworkManager's keyfiles, systemd.network(5) and
/// systemd.netdev(5), systemd.link(5), netplan(5), ifcfg-NAME files and those beside them (interface_of_file), udev's
/// rules. They return the claims of a file by its text and name, without `manager` and `path`. Pure; text that is no
/// line of the format is passed over. udev_claims() ends with an empty claim where the file also has rules that claim
/// nothing: section ipoib then knows that the file is not about its interfaces alone.
std::vector<Claim> ifupdown_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> keyfile_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> networkd_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> link_file_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> netplan_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> ifcfg_claims(std::string_view file_name, std::string_view text);
std::vector<Claim> wicked_claims(std::string_view file_name, std::string_view text);  ///< as ifcfg_claims()
std::vector<Claim> udev_claims(std::string_view file_name, std::string_view text);

/// The ports that wicked's ifcfg-NAME of a bond names, in the file's order; none where it is of no bond.
std::vector<std::string> wicked_bond_ports(std::string_view text);

/// An IPoIB interface, or a bond of them, as far as a file can ask for one.
struct ClaimedInterface {
  std::string name;         ///< that it has, or shall have
  Guid guid = {};           ///< of its port: the last 8 bytes of its hardware address; 0: not known
  std::string pci = {};     ///< address of its device's PCI function; empty: not known, or none
  std::string driver = {};  ///< of that function; empty: not known, or none
  bool is_child = false;
  bool is_bond = false;
};

/// Whether a claim is about that interface. What is not known of the interface fits no pattern, except a udev property,
/// which counts as fitting.
bool is_about(const Claim& claim, const ClaimedInterface& interface);
/// The same for a caller that asks about many interfaces: `words` are claim_words(claim).
bool is_about(const Claim& claim, const ClaimWords& words, const ClaimedInterface& interface);
/// Whether the claim selects by patterns or selectors and not by a whole name. Such a file takes an interface only
/// where its program reads it before other files that fit.
bool is_pattern(const Claim& claim);

/// The text of a netplan file with this renderer (empty: the file names none) and these claims; empty where both are.
std::string netplan_text(const std::string& renderer, const std::vector<Claim>& claims);
/// The text of a file that makes the same claim (for netplan, an entry below "ethernets:"). A record holds it in place
/// of the foreign file. Empty: the name of the file, ifcfg-NAME, makes the claim.
std::string claim_text(const Claim& claim);

}  // namespace rdmastate
