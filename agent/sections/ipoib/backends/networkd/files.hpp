// SPDX-License-Identifier: Apache-2.0
// The files of a bond that networkd makes: for back end networkd, and for netplan on networkd.
#pragma once

#include "resources/kind.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {

/// A .network or .netdev file as a spec wants it. `kind`: networkd_file_kind, or file_kind where networkd cannot run
/// the file now.
State networkd_file_state(const Kind& kind, const std::string& path, std::string text);

/// How a back end has networkd make a bond.
struct NetworkdBonds {
  const Kind& kind;   ///< of the files, as for networkd_file_state()
  std::string owner;  ///< as LiveBy::owner
  std::string (*file_of_port)(
      const Profile&);     ///< path of the file that makes the interface a port of the bond (Bond=)
  std::string waits = {};  ///< as LiveBy::waits
};

/// As BackendRow::bond_by: adds the bond's .netdev and .network files. That a port joins, its own file says.
LiveBy bond_by_networkd(const BondRecord& bond, std::size_t index, const Expansion& to, const NetworkdBonds& how);
/// As BackendRow::check_bond: what networkd cannot do of a bond.
void check_networkd_bond(const BondRecord& bond, std::size_t index, Report& report);

}  // namespace rdmastate
