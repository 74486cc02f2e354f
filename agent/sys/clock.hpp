// SPDX-License-Identifier: Apache-2.0
// The system's clocks.
#pragma once

#include "host/clock.hpp"

namespace rdmastate {

/// CLOCK_REALTIME, CLOCK_MONOTONIC and nanosleep(2).
/// Contract: host/clock.hpp.
class SystemClock final : public Clock {
 public:
  std::int64_t now() override;
  std::chrono::milliseconds ticks() override;
  void sleep(std::chrono::milliseconds time) override;
};

}  // namespace rdmastate
