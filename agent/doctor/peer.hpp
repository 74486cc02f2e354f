// SPDX-License-Identifier: Apache-2.0
// `doctor --peer` and `--listen`: tries reliable connections with the ports of another host, and compares the ports.
#pragma once

#include "doctor/active.hpp"
#include "host/peers.hpp"

namespace rdmastate::doctor {

/// Which side of the conversation this host is: the connector sends first.
enum class Side : std::uint8_t { connector, listener };

/// Where `doctor --listen` waits: no service is registered at IANA for this TCP port.
inline constexpr std::uint16_t peer_port = 4795;

/// Greets the peer, pairs its ports with ours, sends messages between the two of each pair, and adds what came of it to
/// the diagnosis. What the peer says decides nothing but where packets go. A peer that says something that it should
/// not, breaks off, or does not answer ends the conversation: that is a finding too, after those that were made before.
void try_with_peer(const Sender& sender, const Snapshot& snapshot, const Facts& facts, const ActiveWish& wish,
                   Conversation& conversation, Side side, Diagnosis& to);

}  // namespace rdmastate::doctor
