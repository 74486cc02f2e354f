// SPDX-License-Identifier: Apache-2.0
// What systemd starts later, whoever is gone by then: transient timers (org.freedesktop.systemd1(5)).
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
  /// From now on systemd will run this program once with `arguments`, `after` from now by a clock that nobody sets.
  /// Throws Error when it takes no timer, or has one of that name.
  virtual void arm(const std::string& name, std::chrono::seconds after, const std::vector<std::string>& arguments) = 0;
  /// Takes a timer away. One that is not there is no failure, and what it has started goes on.
  virtual void disarm(const std::string& name) = 0;
};

}  // namespace rdmastate
