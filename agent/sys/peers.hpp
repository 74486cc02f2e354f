// SPDX-License-Identifier: Apache-2.0
// Connects the rdmastate of two hosts over TCP (host/peers.hpp).
#pragma once

#include "host/peers.hpp"

namespace rdmastate {

/// Peers over TCP. No call on a socket waits longer than the caller's patience, and say() no longer than 10 s. A
/// conversation closes its socket when it is destroyed.
/// Contract: host/peers.hpp.
class TcpPeers final : public Peers {
 public:
  std::unique_ptr<Conversation> await_one(const PeerPlace& place, std::chrono::milliseconds patience) override;
  std::unique_ptr<Conversation> connect(const PeerPlace& place, std::chrono::milliseconds patience) override;
};

}  // namespace rdmastate
