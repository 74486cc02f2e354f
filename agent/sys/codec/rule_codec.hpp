// SPDX-License-Identifier: Apache-2.0
// Rules of policy routing as rtnetlink's bytes (linux/fib_rules.h). A rule for one source address is read as a
// Connection (host/connections.hpp), since the traffic that it routes is cut off when that address goes.
#pragma once

#include "host/connections.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// From an RTM_NEWRULE's payload: a rule for a single source address. nullopt for every other rule: those for all
/// sources, or for a network. Throws Error when the payload is broken.
std::optional<Connection> rule_from(Bytes payload);

/// Asks for the rules of both IPv4 and IPv6.
Message rule_dump();

}  // namespace rdmastate::codec
