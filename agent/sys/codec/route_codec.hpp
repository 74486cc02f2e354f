// SPDX-License-Identifier: Apache-2.0
// Unicast routes of the main table as rtnetlink's bytes.
#pragma once

#include "host/links.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// From an RTM_NEWROUTE's payload. nullopt for what Route does not describe: other tables, types and families, cached
/// clones, several next hops, encapsulation, routes by source or by traffic class, and routes without an output
/// interface. Throws Error where it is malformed.
std::optional<Route> route_from(Bytes payload);

/// Asks for the routes of one family, through one interface (its index) or, where `link` is 0, through any. Kernels
/// before 4.20 ignore these filters.
Message route_dump(Family family, std::uint32_t link);
/// Adds or removes a unicast route of the main table.
Message route_add(const Route& route);
Message route_delete(const Route& route);

}  // namespace rdmastate::codec
