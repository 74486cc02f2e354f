// SPDX-License-Identifier: Apache-2.0
// The checks of the section ipoib.
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// Identity, parents, P_Keys, names: which interfaces are meant, and that each is meant once.
void check_ipoib_identity(const Spec& spec, Report& report);
/// Mode against MTU.
void check_ipoib_mtu(const Spec& spec, Report& report);
/// Methods, addresses, gateways and routes, within one interface and across them.
void check_ipoib_addresses(const Spec& spec, Report& report);

/// "ipoib[3]" and "ipoib[3].FIELD".
std::string ipoib_path(std::size_t index, std::string_view field = {});

}  // namespace rdmastate
