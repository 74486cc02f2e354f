// SPDX-License-Identifier: Apache-2.0
// The files that wicked reads of an interface: ifcfg-NAME (ifcfg(5), ifcfg-ipoib(5)), ifroute-NAME (ifroute(5)) and
// ifsysctl-NAME (ifsysctl(5)). Prints those of a profile, and makes records of those on a host.
#pragma once

#include <set>
#include <string>

#include "sections/adopt.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// Their paths. ifroute-NAME is there only where the interface has routes.
std::string ifcfg_path(std::string_view interface);
std::string ifroute_path(std::string_view interface);
std::string ifsysctl_path(std::string_view interface);

/// The texts, by templates/ipoib.ifcfg, bond.ifcfg, ipoib.ifroute and ipoib.ifsysctl. Throws Error where a value holds
/// anything but letters, digits and "._:/-": older tools let a shell read these files. Of a bond's port ifcfg-NAME
/// turns IP off, so it has no other file (ifcfg-bonding(5): BOOTPROTO=none).
std::string ifcfg_text(const Profile& profile);
/// `mtu` is bond_mtu(): wicked begins a bond with 1500, and gives its ports the same (ifcfg-bonding(5)).
std::string ifcfg_bond_text(const BondRecord& bond, std::uint32_t mtu);
/// `made`: with all defaults laid in (Profile::made, made_of()).
std::string ifroute_text(std::string_view interface, const IpoibRecord& made);
std::string ifsysctl_text(std::string_view interface, const IpoibRecord& made);
/// Whether ifroute_text() holds any route.
bool has_routes(const IpoibRecord& made);

/// For `show --as-spec`: adds the records that ifcfg-NAME files with those paths mean, whoever wrote them. Files of
/// interfaces that are not IPoIB are passed over. Defined in ifcfg_adopt.cpp.
void adopt_ifcfg_files(const Adoption& from, const std::set<std::string>& paths, Adopted& to);

/// A key of ifcfg-NAME that stands for one field of the record, both ways.
struct IfcfgKey {
  std::string_view key;
  std::string_view field;
  std::string (*print)(const IpoibRecord&);  ///< empty: the file has no such line
  void (*take)(const std::string&, IpoibRecord&);
};
/// All of them, in the order in which rdmastate writes them.
std::span<const IfcfgKey> ifcfg_keys();

}  // namespace rdmastate
