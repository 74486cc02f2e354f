// SPDX-License-Identifier: Apache-2.0
// Reliable connections through libibverbs. Each end: make() opens the device, registers memory for three messages, and
// takes a queue pair to INIT with two receives posted; connect() takes it to RTR and RTS; send() posts a message, and
// poll() asks what has ended. The destructor releases all of it.
#pragma once

#include "host/queue_pairs.hpp"

namespace rdmastate {

/// QueuePairs of libibverbs, which is opened by the first call.
/// Contract: host/queue_pairs.hpp.
class VerbsQueuePairs final : public QueuePairs {
 public:
  std::uint32_t active_mtu(const std::string& device, std::uint32_t port) override;
  std::unique_ptr<QueuePair> make(const QueuePairPlace& place) override;
};

}  // namespace rdmastate
