// SPDX-License-Identifier: Apache-2.0
// Reliable connections through libibverbs.
#pragma once

#include "host/queue_pairs.hpp"

namespace rdmastate {

/// QueuePairs of libibverbs, which is opened by the first call.
class VerbsQueuePairs final : public QueuePairs {
 public:
  std::uint32_t active_mtu(const std::string& device, std::uint32_t port) override;
  std::unique_ptr<QueuePair> make(const QueuePairPlace& place) override;
};

}  // namespace rdmastate
