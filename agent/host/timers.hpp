// SPDX-License-Identifier: Apache-2.0
// Programs that systemd starts later, even when rdmastate has ended: transient timers (org.freedesktop.systemd1(5)).
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace rdmastate {

/// Programs that systemd starts later: transient timer units.
class Timers {
 public:
  virtual ~Timers() = default;
  /// Whether systemd answers on the bus.
  virtual bool answers() = 0;
  /// Makes systemd run this program once with `arguments`, `after` from now by the monotonic clock. Throws Error when
  /// systemd takes no timer, or has one of that name.
  virtual void arm(const std::string& name, std::chrono::seconds after, const std::vector<std::string>& arguments) = 0;
  /// Takes a timer away. One that is not there is no failure, and what it has started goes on.
  virtual void disarm(const std::string& name) = 0;
};

}  // namespace rdmastate
