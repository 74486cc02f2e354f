// SPDX-License-Identifier: Apache-2.0
// Calls systemd's interface on the system bus, org.freedesktop.systemd1(5). LoadUnit also answers for a unit that is
// not loaded, by the unit's files.
#include "sys/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "host/process_limits.hpp"
#include "sys/older_processes.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_limits = 1U << 16U;  // of /proc/PID/limits, in bytes
constexpr const char* unit_interface = "org.freedesktop.systemd1.Unit";
constexpr const char* service_interface = "org.freedesktop.systemd1.Service";

bool is_active(std::string_view state) { return state == "active" || state == "reloading" || state == "activating"; }

}  // namespace

BusObject systemd_manager() {
  return {systemd_bus_name, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager"};
}

bool systemd_answers(Bus& bus) {
  if (!bus.is_there()) return false;
  const BusObject driver{"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"};
  return bus.call(driver, "NameHasOwner", Json::array({systemd_bus_name}))[0].boolean();
}

Json BusUnits::properties(const std::string& unit) {
  const std::string path = bus_.call(systemd_manager(), "LoadUnit", Json::array({unit}))[0].text();
  const BusObject object{systemd_bus_name, path, "org.freedesktop.DBus.Properties"};
  Json all = bus_.call(object, "GetAll", Json::array({unit_interface}))[0];
  if (unit.ends_with(".service"))
    all["MainPID"] = bus_.property({systemd_bus_name, path, service_interface}, "MainPID");
  return all;
}

// The kernel marks the link of an open file whose name is gone (d_path). False also for a process that this user may
// not look into.
bool BusUnits::has_lost_device(std::uint32_t pid) const try {
  const std::string directory = fmt::format("/proc/{}/fd", pid);
  const auto names = root_.names(directory);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto target = root_.read_link(fmt::format("{}/{}", directory, name));
    return target && target->starts_with("/dev/infiniband/") && target->ends_with(" (deleted)");
  });
} catch (const Error&) {
  return false;
}

// systemd tells the processes of the unit's control group and of those below it, as (group, PID, command line).
std::optional<OlderProcesses> BusUnits::older(const std::string& unit, std::uint32_t main_pid) try {
  std::vector<std::uint32_t> pids;
  const Json answer = bus_.call(systemd_manager(), "GetUnitProcesses", Json::array({unit}));
  for (const auto& process : answer[0].items()) pids.push_back(static_cast<std::uint32_t>(process[1].number()));
  return older_processes(root_, main_pid, pids);
} catch (const Error&) {
  return std::nullopt;  // it has stopped meanwhile
}

std::optional<UnitLook> BusUnits::look(const std::string& unit) {
  const Json all = properties(unit);
  const auto load = all["LoadState"].text();
  UnitLook look;
  look.active = is_active(all["ActiveState"].text());
  if (!look.active && (load == "not-found" || load == "masked")) return std::nullopt;
  look.needs_reload = all["NeedDaemonReload"].boolean();
  if (all.contains("MainPID")) look.main_pid = static_cast<std::uint32_t>(all["MainPID"].number());
  if (look.main_pid != 0) look.lost_device = has_lost_device(look.main_pid);
  if (look.main_pid != 0)
    look.memlock = memlock_from(root_.read(fmt::format("/proc/{}/limits", look.main_pid), longest_limits).value_or(""));
  if (look.main_pid != 0 && look.active) look.older = older(unit, look.main_pid);
  return look;
}

std::vector<std::string> BusUnits::services() {
  const Json answer = bus_.call(systemd_manager(), "ListUnitsByPatterns",
                                Json::array({Json::array({"active"}), Json::array({"*.service"})}));
  std::vector<std::string> names;
  for (const auto& unit : answer[0].items()) names.push_back(unit[0].text());
  std::sort(names.begin(), names.end());
  return names;
}

// systemd ends a job by the time limits of its unit; the limit here is for units that have none.
void BusUnits::do_job(const char* method, const std::string& unit, Then then, const char* done) {
  constexpr auto patience = 300s;
  constexpr auto pause = 20ms;
  const bool active = then == Then::active;
  bus_.call(systemd_manager(), method, Json::array({unit, "replace"}));
  const auto until = clock_.ticks() + patience;
  for (;;) {
    const Json now = properties(unit);
    const auto state = std::string(now["ActiveState"].text());
    // The property Job is (id, path); the id is 0 where there is no job.
    const bool has_job = now["Job"][0].number() != 0;
    if (!has_job && is_active(state) == active) return;
    if (!has_job)
      throw Error(
          fmt::format("systemd has not {} {}: it is {}, and journalctl -u {} says why", done, unit, state, unit));
    if (clock_.ticks() >= until)
      throw Error(fmt::format("systemd has not {} {} after {} s: it is {}", done, unit,
                              std::chrono::seconds(patience).count(), state));
    clock_.sleep(pause);
  }
}

void BusUnits::hang_up(const std::string& unit) {
  bus_.call(systemd_manager(), "KillUnit", Json::array({unit, "main", Json::object({{"i", Json(SIGHUP)}})}));
}

// systemd answers when it has read all files and run all generators; systemctl waits as long.
void BusUnits::reload() {
  constexpr auto patience = 180s;
  bus_.call(systemd_manager(), "Reload", Json::array(), patience);
}

}  // namespace rdmastate
