// SPDX-License-Identifier: Apache-2.0
// The checks of section `ipoib` that need no host.
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// Identity, parents, P_Keys, names: which interfaces are meant, and that each is meant once.
void check_ipoib_identity(const Spec& spec, Report& report);
/// The range of MTUs, and whether the mode allows an MTU. Warns of one for which the kernel turns IPv6 off.
void check_ipoib_mtu(const Spec& spec, Report& report);
/// Methods, addresses, gateways and routes, within one interface and across them.
void check_ipoib_addresses(const Spec& spec, Report& report);

/// Two records by their indices in `ipoib`.
struct RecordPair {
  std::size_t first = 0;
  std::size_t second = 0;
};
/// Pairs of records whose NetworkManager profiles would have one name. That of the second record is given by its field
/// `profile`, that of the first by the same field or, without it, by the interface's name.
std::vector<RecordPair> shared_profile_names(const Spec& spec);

/// The path of a record, "ipoib[3]", or of its field, "ipoib[3].FIELD".
std::string ipoib_path(std::size_t index, std::string_view field = {});

}  // namespace rdmastate
