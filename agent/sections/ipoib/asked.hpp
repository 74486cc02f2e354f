// SPDX-License-Identifier: Apache-2.0
// The MTUs and modes that files on a host ask for IPoIB interfaces: for doctor, which has no spec and compares them
// with what the interfaces have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/facts.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// What a file asks for one interface.
template <class Value>
struct Asked {
  std::string interface;  ///< the name that the interface has now, or is to get
  Value value{};
  std::string source;  ///< "/etc/rdmastate/boot.json:3"
};

/// Those of boot.json, then those that profiles of NetworkManager, .network files and what else `show --as-spec` reads
/// say of other interfaces. One for an interface. Throws SystemError where a file may not be read.
std::vector<Asked<std::uint32_t>> asked_mtus(const Snapshot& snapshot, const Facts& facts);
/// The same of their modes.
std::vector<Asked<IpoibMode>> asked_modes(const Snapshot& snapshot, const Facts& facts);

}  // namespace rdmastate
