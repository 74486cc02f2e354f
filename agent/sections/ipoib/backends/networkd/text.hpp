// SPDX-License-Identifier: Apache-2.0
// From a Profile (an interface of the spec with all its defaults) to the texts of networkd's files, and back: for back
// end networkd, and for the P_Key children of netplan on networkd, since netplan has no key for them.
#pragma once

#include "base/template.hpp"
#include "sections/adopt.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/backends/networkd/keys.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// A .network file (systemd.network(5)) by templates/ipoib.network; the file of a port also names its children
/// (IPoIB=).
std::string network_text(const Template& text, const Profile& profile);
/// A child's .netdev file (systemd.netdev(5)) by templates/ipoib.netdev.
std::string netdev_text(const Template& text, const Profile& profile);
/// A bond's .network file, by the same template as those of IPoIB interfaces.
std::string bond_network_text(const Template& text, const BondRecord& bond);
/// A bond's .netdev file by templates/bond.netdev.
std::string bond_netdev_text(const Template& text, const BondRecord& bond, std::uint32_t mtu);
/// The names of a port's children, for the "IPoIB=" lines of a template.
std::vector<Values> child_values(const Profile& profile);

/// For `show --as-spec`: adds the record that one interface's files mean, whoever wrote them. Of a port `netdev` is
/// null and `parent` empty.
void adopt_network_file(const Adoption& from, const Ini& network, const std::string& name, const Ini* netdev,
                        const std::string& parent, Adopted& to);

/// `text` with a comment in that section that names the child's parent interface (networkd_parent_key); for a port
/// `text` as it is. Defined in network_over.cpp.
std::string with_parent_said(const IpoibRecord& record, std::string_view section, std::string text);
/// For --adopt: a foreign .network file, changed so that it says what the spec says of the interface: lines that the
/// spec has no field for stay byte for byte, and a line that contradicts the spec is a conflict (TakenOver::against).
/// `path`: where rdmastate's own file of the interface stands. Defined in network_over.cpp.
TakenOver network_file_over(const NetworkdSaid& asked, const std::string& path, const State& theirs);
/// A foreign .netdev file of a child, in the same way. Defined in netdev_over.cpp.
TakenOver netdev_file_over(const IpoibRecord& asked, const std::string& path, const State& theirs);

}  // namespace rdmastate
