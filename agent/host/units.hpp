// SPDX-License-Identifier: Apache-2.0
// The interface to systemd's units (org.freedesktop.systemd1(5)): their state, and calls that start, stop and reload.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types_account.hpp"

namespace rdmastate {

/// Where units lie (systemd.unit(5)), the strongest first. Some directories below /run are left out: their files end
/// with the boot, and are neither a person's nor a package's.
inline constexpr std::array<std::string_view, 7> unit_directories{
    "/etc/systemd/system.control",   "/run/systemd/generator.early", "/etc/systemd/system", "/run/systemd/system",
    "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",      "/lib/systemd/system"};

/// How much memory a process may pin (RLIMIT_MEMLOCK; "Max locked memory" in /proc/PID/limits).
struct MemlockLimit {
  MemorySize soft;
  MemorySize hard;
  bool operator==(const MemlockLimit&) const = default;
};

/// Processes of a service that were started before its main process, and have a lower hard limit than it has: a restart
/// left them running (KillMode=process), as that of containerd leaves its shims. What they start inherits their limit.
struct OlderProcesses {
  std::uint32_t count = 0;
  std::string command;   ///< of the one that may pin least, as the kernel has it: at most 15 characters
  MemlockLimit memlock;  ///< of that one
  bool operator==(const OlderProcesses&) const = default;
};

/// One unit as systemd has it now.
struct UnitLook {
  bool active = false;         ///< ActiveState is active, reloading or activating
  std::uint32_t main_pid = 0;  ///< of a service with a main process; 0: none
  /// Of the main process; nullopt: there is none, or its limits cannot be read.
  std::optional<MemlockLimit> memlock = {};
  bool needs_reload = false;  ///< NeedDaemonReload: its files have changed since systemd read them
  /// Its main process holds a node of /dev/infiniband open that is gone, as after its adapter's driver was loaded
  /// again: it runs and does nothing. False also where this user may not see what the process holds.
  bool lost_device = false;
  std::optional<OlderProcesses> older = {};  ///< nullopt: there are none
  bool operator==(const UnitLook&) const = default;
};

/// The template that a unit is an instance of, "opensm@.service" of "opensm@0x1.service"; empty of any other unit. Its
/// name ends at the first '@' (unit-name.c, unit_name_template).
std::string template_of(std::string_view unit);

/// The units of one host's systemd.
class Units {
 public:
  virtual ~Units() = default;
  /// Whether systemd answers on the bus.
  virtual bool answers() = 0;
  /// nullopt: the unit is not active, and there is none or it is masked. Throws Error where systemd does not answer.
  virtual std::optional<UnitLook> look(const std::string& unit) = 0;
  /// The services that are active, sorted.
  virtual std::vector<std::string> services() = 0;
  /// start(), stop() and restart() wait until systemd is done. They throw an Error that names the unit where it fails,
  /// or takes longer than 300 s. Starting an active unit and stopping an inactive one succeed.
  virtual void start(const std::string& unit) = 0;
  virtual void stop(const std::string& unit) = 0;
  /// Stops it and starts it anew; one that does not run is started.
  virtual void restart(const std::string& unit) = 0;
  /// Makes a unit that runs read its configuration again, by its ExecReload= (systemctl reload), and waits for that.
  /// Throws Error where it does not run or has no ExecReload=; what that command says of its success is up to the unit.
  virtual void reread(const std::string& unit) = 0;
  /// Sends SIGHUP to the main process of a service that runs, and does not wait. Throws Error where it has none.
  virtual void hang_up(const std::string& unit) = 0;
  /// Makes systemd read all unit files again (systemctl daemon-reload). Nothing is started or stopped.
  virtual void reload() = 0;
};

}  // namespace rdmastate
