// SPDX-License-Identifier: Apache-2.0
// The units of this host's systemd, over D-Bus.
#pragma once

#include "host/clock.hpp"
#include "host/units.hpp"
#include "sys/bus.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// The name that systemd has on the bus (org.freedesktop.systemd1(5)).
inline constexpr const char* systemd_bus_name = "org.freedesktop.systemd1";
/// The object of systemd's manager, with its interface org.freedesktop.systemd1.Manager.
BusObject systemd_manager();
/// Whether systemd has its name on the bus.
bool systemd_answers(Bus& bus);

/// The units of the systemd that runs, over the system bus.
/// Contract: host/units.hpp.
class BusUnits final : public Units {
 public:
  /// All must outlive this object.
  BusUnits(const Root& root, Bus& bus, Clock& clock) : root_(root), bus_(bus), clock_(clock) {}

  bool answers() override { return systemd_answers(bus_); }
  std::optional<UnitLook> look(const std::string& unit) override;
  std::vector<std::string> services() override;
  void start(const std::string& unit) override { do_job("StartUnit", unit, Then::active, "started"); }
  void stop(const std::string& unit) override { do_job("StopUnit", unit, Then::inactive, "stopped"); }
  void restart(const std::string& unit) override { do_job("RestartUnit", unit, Then::active, "restarted"); }
  void reread(const std::string& unit) override { do_job("ReloadUnit", unit, Then::active, "reloaded"); }
  void hang_up(const std::string& unit) override;
  /// As systemctl daemon-reload: systemd reads all units' files again.
  void reload() override;

 private:
  /// Loads the unit where it is not loaded. Returns all its properties of the Unit interface, and MainPID of a service.
  Json properties(const std::string& unit);
  /// UnitLook::lost_device: whether the process has a node of /dev/infiniband open that was deleted since
  /// (/proc/PID/fd).
  bool has_lost_device(std::uint32_t pid) const;
  /// Of a service that runs with this main process: UnitLook::older.
  std::optional<OlderProcesses> older(const std::string& unit, std::uint32_t main_pid);
  enum class Then { active, inactive };  ///< what the unit is after a job that succeeds
  /// Starts the job by this method of systemd's manager, and waits, at most 300 s, until the unit is as `then` says.
  /// Throws Error where the job ends otherwise, or takes longer: "systemd has not " and `done`, such as "started".
  void do_job(const char* method, const std::string& unit, Then then, const char* done);

  const Root& root_;
  Bus& bus_;
  Clock& clock_;
};

}  // namespace rdmastate
