// SPDX-License-Identifier: Apache-2.0
// The interface to systemd's transient timers, which start a program later, even when rdmastate has ended
// (org.freedesktop.systemd1(5)).
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace rdmastate {

/// Makes systemd start programs later, by transient timer units.
class Timers {
 public:
  virtual ~Timers() = default;
  /// Whether systemd answers on the bus.
  virtual bool answers() = 0;
  /// Makes systemd run rdmastate itself once with `arguments`, `after` from now by the monotonic clock. `name` is the
  /// unit's, without ".timer". Throws Error when systemd takes no timer, or has one of that name.
  virtual void arm(const std::string& name, std::chrono::seconds after, const std::vector<std::string>& arguments) = 0;
  /// Removes a timer. A timer that is not there is no failure, and a program that it has started goes on.
  virtual void disarm(const std::string& name) = 0;
};

}  // namespace rdmastate
