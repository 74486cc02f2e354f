// SPDX-License-Identifier: Apache-2.0
// The interface to time and waiting.
#pragma once

#include <chrono>
#include <cstdint>

namespace rdmastate {

/// Time and waiting; a recorded host's clock moves only when somebody waits.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Seconds since the epoch, for records only: no decision depends on it.
  virtual std::int64_t now() = 0;
  /// The time since a fixed moment, by a clock that nobody sets (CLOCK_MONOTONIC): for deadlines.
  virtual std::chrono::milliseconds ticks() = 0;
  /// Waits that long.
  virtual void sleep(std::chrono::milliseconds time) = 0;
};

}  // namespace rdmastate
