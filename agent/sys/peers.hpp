// SPDX-License-Identifier: Apache-2.0
// Conversations over TCP.
#pragma once

#include "host/peers.hpp"

namespace rdmastate {

/// Peers over TCP. Sockets never block for longer than the caller's patience, and close with their conversation.
class TcpPeers final : public Peers {
 public:
  std::unique_ptr<Conversation> await_one(const PeerPlace& place, std::chrono::milliseconds patience) override;
  std::unique_ptr<Conversation> connect(const PeerPlace& place, std::chrono::milliseconds patience) override;
};

}  // namespace rdmastate
