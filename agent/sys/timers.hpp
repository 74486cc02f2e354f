// SPDX-License-Identifier: Apache-2.0
// systemd's transient timers over D-Bus.
#pragma once

#include "host/clock.hpp"
#include "host/timers.hpp"
#include "sys/bus.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// The timers of the systemd that runs, over the system bus. arm() and disarm() wait at most 5 s until systemd says
/// that the timer is active or gone. Contract: host/timers.hpp.
class BusTimers final : public Timers {
 public:
  /// All must outlive this object.
  BusTimers(const Root& root, Bus& bus, Clock& clock) : root_(root), bus_(bus), clock_(clock) {}

  bool answers() override;
  void arm(const std::string& name, std::chrono::seconds after, const std::vector<std::string>& arguments) override;
  void disarm(const std::string& name) override;

 private:
  /// The unit's ActiveState; "inactive" for a unit that systemd does not know.
  std::string state(const std::string& unit);
  /// The path of this program, which the timer's service runs. Throws Error where its file is gone.
  std::string program() const;
  /// Waits until the unit's state is `wanted`. Throws Error when that takes longer than 5 s.
  void wait_for(const std::string& unit, const std::string& wanted);

  const Root& root_;
  Bus& bus_;
  Clock& clock_;
};

}  // namespace rdmastate
