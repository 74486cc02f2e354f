// SPDX-License-Identifier: Apache-2.0
// `doctor --peer` and `--listen`: tries reliable connections with the ports of another host, and compares the ports.
#pragma once

#include "doctor/active.hpp"
#include "host/peers.hpp"

namespace rdmastate::doctor {

/// Which side of the conversation this host is. Over a connection, the connector sends its message first.
enum class Side : std::uint8_t { connector, listener };

/// Where `doctor --listen` waits: no service is registered at IANA for this TCP port.
inline constexpr std::uint16_t peer_port = 4795;

/// Greets the peer, also where this host has no port to try, pairs its ports with ours and sends messages between the
/// two ports of each pair. Adds to the diagnosis the findings, the ports that were not tried and which checks looked.
/// What the peer says decides only where packets go. A peer that says what rdmastate does not say, breaks off or does
/// not answer ends the conversation: that is a finding too.
void try_with_peer(const Sender& sender, const Snapshot& snapshot, const Facts& facts, const ActiveWish& wish,
                   Conversation& conversation, Side side, Diagnosis& to);

}  // namespace rdmastate::doctor
