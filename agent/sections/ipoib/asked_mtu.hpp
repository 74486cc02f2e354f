// SPDX-License-Identifier: Apache-2.0
// The MTUs that files on a host ask for IPoIB interfaces: for doctor, which has no spec and compares them with what the
// interfaces have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/facts.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// What a file asks for one interface.
struct AskedMtu {
  std::string interface;  ///< the name that the interface has now, or is to get
  std::uint32_t mtu = 0;
  std::string source;  ///< "/etc/rdmastate/boot.json:3"
};

/// Those of boot.json, then those that profiles of NetworkManager, .network files and what else `show --as-spec` reads
/// say of other interfaces. One for an interface. Throws SystemError where a file may not be read.
std::vector<AskedMtu> asked_mtus(const Snapshot& snapshot, const Facts& facts);

}  // namespace rdmastate
