// SPDX-License-Identifier: Apache-2.0
// NetworkManager's D-Bus interface: https://networkmanager.dev/docs/api/latest/spec.html, as of 1.14 and newer.
// activate() waits for the device (device_for), asks for the activation (begin) unless it is under way, and waits for
// its end (await).
#include "sys/network_manager.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/json_object.hpp"
#include "sys/nm_reasons.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;
constexpr auto service = "org.freedesktop.NetworkManager";
constexpr auto device_interface = "org.freedesktop.NetworkManager.Device";
constexpr auto active_interface = "org.freedesktop.NetworkManager.Connection.Active";
constexpr auto profile_interface = "org.freedesktop.NetworkManager.Settings.Connection";
constexpr auto no_object = "/";  // NetworkManager's path for "none"

constexpr auto deadline = 90s;  // NetworkManager's DHCP gives up after 45 s
constexpr auto pause_between = 200ms;

constexpr std::uint32_t type_infiniband = 9;  // NM_DEVICE_TYPE_*
constexpr std::uint32_t type_bond = 10;
constexpr std::uint32_t state_activated = 2;  // NM_ACTIVE_CONNECTION_STATE_*
constexpr std::uint32_t state_deactivated = 4;
constexpr std::uint32_t flag_unsaved = 1;          // NM_SETTINGS_CONNECTION_FLAG_UNSAVED
constexpr std::uint32_t preserve_external_ip = 1;  // NM_DEVICE_REAPPLY_FLAG_PRESERVE_EXTERNAL_IP, since 1.42

BusObject manager() { return {service, "/org/freedesktop/NetworkManager", service}; }
BusObject settings() {
  return {service, "/org/freedesktop/NetworkManager/Settings", "org.freedesktop.NetworkManager.Settings"};
}
BusObject device(const std::string& path) { return {service, path, device_interface}; }
BusObject active(const std::string& path) { return {service, path, active_interface}; }
BusObject profile(const std::string& path) { return {service, path, profile_interface}; }

// An argument with its D-Bus type, for Bus::call().
Json typed(const char* type, Json value) { return Json::object({{type, std::move(value)}}); }

// NmProfile::digest in a profile's settings; empty where they have none.
std::string digest_in(const Json& settings_of_profile) {
  return settings_of_profile["user"]["data"].text_or(nm_digest_key, "");
}

}  // namespace

NmProfile BusNetworkManager::profile_from(const std::string& connection, const Json& properties) {
  const Json all = bus_.call(profile(connection), "GetSettings", Json::array())[0];
  NmProfile found;
  found.uuid = all["connection"].text_or("uuid", "");
  found.path = properties.text_or("Filename", "");
  found.digest = digest_in(all);
  found.unsaved = properties["Unsaved"] == true || (properties.number_or("Flags", 0) & flag_unsaved) != 0;
  return found;
}

// `objects` comes from one call for the whole tree of objects. What only methods tell is asked of each profile (its
// settings) and of each InfiniBand device and bond that has a profile active (the settings that were applied).
NmState BusNetworkManager::read(const Json& objects) {
  NmState state;
  std::map<std::string_view, const Json*> by_path;
  for (const auto& [path, object] : objects.members()) by_path.emplace(path, &object);
  for (const auto& [path, object] : objects.members()) {
    if (const Json* of_profile = object.find(profile_interface))
      state.profiles.push_back(profile_from(path, *of_profile));
    const Json* of_device = object.find(device_interface);
    if (of_device == nullptr) continue;
    const auto running = by_path.find(of_device->text_or("ActiveConnection", no_object));
    const Json* of_active = running == by_path.end() ? nullptr : running->second->find(active_interface);
    if (of_active == nullptr) continue;
    NmDevice found{of_device->text_or("Interface", ""), of_active->text_or("Uuid", ""), /*digest=*/"",
                   of_active->number_or("State", 0) == state_activated};
    const auto type = of_device->number_or("DeviceType", 0);
    if (type == type_infiniband || type == type_bond)
      found.digest = digest_in(bus_.call(device(path), "GetAppliedConnection", Json::array({/*flags*/ 0U}))[0]);
    state.devices.push_back(std::move(found));
  }
  return state;
}

std::optional<NmState> BusNetworkManager::look() {
  if (!bus_.is_there()) return std::nullopt;
  constexpr int attempts = 5;  // objects come and go between the calls
  for (int attempt = 1;; ++attempt) {
    try {
      const BusObject tree{service, "/org/freedesktop", "org.freedesktop.DBus.ObjectManager"};
      return read(bus_.call(tree, "GetManagedObjects", Json::array())[0]);
    } catch (const BusError& error) {
      if (error.is_nobody()) return std::nullopt;
      if (attempt == attempts) throw;
    }
    clock_.sleep(pause_between);
  }
}

void BusNetworkManager::load(const std::string& path) {
  before_load_.clear();
  const Json running = bus_.property(manager(), "ActiveConnections");
  for (std::size_t i = 0; i < running.size(); ++i) before_load_.emplace(running[i].text());
  const Json answer = bus_.call(settings(), "LoadConnections", Json::array({Json::array({path})}));
  if (answer[0].boolean() && answer[1].empty()) return;
  throw Error(fmt::format("NetworkManager takes no profile from {}: journalctl -u NetworkManager says why", path));
}

std::string BusNetworkManager::device_path(const std::string& interface) {
  try {
    return bus_.call(manager(), "GetDeviceByIpIface", Json::array({interface}))[0].text();
  } catch (const BusError& error) {
    if (error.is_nobody()) throw;
    return no_object;  // NetworkManager makes the device when it activates the profile
  }
}

std::string BusNetworkManager::active_path(const std::string& device_object) {
  if (device_object == no_object) return no_object;
  try {
    return bus_.property(device(device_object), "ActiveConnection").text();
  } catch (const BusError& error) {
    if (!error.is_gone()) throw;
    return no_object;
  }
}

// Whether NetworkManager has begun this activation by itself, as it does after it has loaded a profile: a request would
// make it begin again. Of a profile that rdmastate did not write (no digest), such as netplan's, nobody can tell. Nor
// does the digest tell of an activation before load() which settings it has: `nmcli connection modify` leaves the
// digest.
bool BusNetworkManager::is_under_way(const std::string& connection, const std::string& device_object) {
  const std::string running = active_path(device_object);
  if (running == no_object || before_load_.contains(running)) return false;
  try {
    if (bus_.property(active(running), "Connection") != connection) return false;
    const std::string loaded = digest_in(bus_.call(profile(connection), "GetSettings", Json::array())[0]);
    return !loaded.empty() && loaded == digest_in(bus_.call(device(device_object), "GetAppliedConnection",
                                                            Json::array({/*flags*/ 0U}))[0]);
  } catch (const BusError& error) {
    if (error.is_nobody()) throw;
    return false;
  }
}

// NetworkManager knows a renamed interface by its new name only a moment after the rename. A child (a profile with a
// parent) or a bond is not waited for: NetworkManager makes its device at the activation. "/": there is no device.
std::string BusNetworkManager::device_for(const std::string& connection, const std::string& interface) {
  const auto until = clock_.ticks() + std::chrono::milliseconds(5s);
  for (;;) {
    const std::string path = device_path(interface);
    if (path != no_object || clock_.ticks() >= until) return path;
    const Json all = bus_.call(profile(connection), "GetSettings", Json::array())[0];
    if (!all["infiniband"].text_or("parent", "").empty() || all["connection"].text_or("type", "") == "bond")
      return path;
    clock_.sleep(pause_between);
  }
}

// Where NetworkManager cancels the request (begin), it is made again for up to 5 s.
void BusNetworkManager::activate(const std::string& uuid, const std::string& interface) {
  const std::string doing = fmt::format("activating {}", interface);
  bus_.watch(device_interface, "StateChanged");
  bus_.take(0ms);  // drops signals of earlier activations
  const std::string connection = bus_.call(settings(), "GetConnectionByUuid", Json::array({uuid}))[0].text();
  const auto until = clock_.ticks() + std::chrono::milliseconds(5s);
  for (;;) {
    const std::string path = device_for(connection, interface);
    if (is_under_way(connection, path)) return await(active_path(path), doing);
    const std::string running = begin(connection, path, clock_.ticks() >= until);
    if (!running.empty()) return await(running, doing);
    clock_.sleep(pause_between);
  }
}

// NetworkManager cancels a request when it does something else with the device meanwhile (activates the profile itself,
// looks at an interface that was renamed). It then answers PermissionDenied even to root, whom it permits everything.
std::string BusNetworkManager::begin(const std::string& connection, const std::string& device_object, bool is_last) {
  try {
    return bus_
        .call(manager(), "ActivateConnection",
              Json::array({typed("o", connection), typed("o", device_object), typed("o", no_object)}))[0]
        .text();
  } catch (const BusError& error) {
    if (is_last || error.name() != "org.freedesktop.NetworkManager.PermissionDenied") throw;
    return "";
  }
}

// The path of the device that the active connection is for; empty: it has none yet.
std::string BusNetworkManager::first_device(const std::string& running) {
  const Json devices = bus_.property(active(running), "Devices");
  return devices.empty() ? "" : std::string(devices[0].text());
}

// A bond whose addresses come from DHCP or routers gets none before it has a port.
bool BusNetworkManager::waits_for_ports(const std::string& running) {
  constexpr std::uint32_t flags = 1 | 4;  // NM_ACTIVATION_STATE_FLAG_IS_MASTER, _LAYER2_READY
  try {
    return (json_number(bus_.property(active(running), "StateFlags"), "StateFlags") & flags) == flags;
  } catch (const BusError& error) {
    if (!error.is_gone()) throw;
    return false;
  }
}

// A port that has joined has its carrier a moment later. Without one a bond with addresses from DHCP or routers goes on
// waiting, for another port or for the fabric. NetworkManager before 1.22 does not tell.
bool BusNetworkManager::gets_carrier(const std::string& bond) {
  constexpr std::uint32_t carrier = 0x10000;  // NM_DEVICE_INTERFACE_FLAG_CARRIER
  const auto until = clock_.ticks() + std::chrono::milliseconds(5s);
  try {
    while ((json_number(bus_.property(device(bond), "InterfaceFlags"), "InterfaceFlags") & carrier) == 0) {
      if (clock_.ticks() >= until) return false;
      clock_.sleep(pause_between);
    }
  } catch (const BusError& error) {
    if (error.is_nobody()) throw;
  }
  return true;
}

// A port's activation may end before that of its bond, which had waited for a port.
void BusNetworkManager::await_bond(const std::string& running, const std::string& doing) {
  std::string of_bond = no_object;
  try {
    const std::string bond(bus_.property(active(running), "Master").text());
    if (bond != no_object) of_bond = active_path(bond);
    if (of_bond == no_object) return;
    const bool is_active = json_number(bus_.property(active(of_bond), "State"), "State") == state_activated;
    if (is_active || !gets_carrier(bond)) return;
  } catch (const BusError& error) {
    if (!error.is_gone()) throw;
    return;
  }
  await(of_bond, doing + " in its bond", /*is_whole=*/true);
}

// `is_whole`: a bond that waits for ports is waited for too.
void BusNetworkManager::await(const std::string& running, const std::string& doing, bool is_whole) {
  constexpr std::uint32_t device_failed = 120;  // NM_DEVICE_STATE_FAILED
  const auto until = clock_.ticks() + std::chrono::milliseconds(deadline);
  std::map<std::string, std::uint32_t> reasons;  // of failures that were signalled, by the device's path
  const auto listen = [&](std::chrono::milliseconds time) {
    for (const auto& signal : bus_.take(time))
      if (signal.numbers.size() >= 3 && signal.numbers[0] == device_failed) reasons[signal.path] = signal.numbers[2];
  };
  std::string device_object;  // that is activated: NetworkManager makes a child's at the activation
  while (clock_.ticks() < until) {
    listen(pause_between);
    std::uint32_t state = state_deactivated;
    try {
      if (device_object.empty()) device_object = first_device(running);
      state = json_number(bus_.property(active(running), "State"), "State");
    } catch (const BusError& error) {
      if (!error.is_gone()) throw;
    }
    if (state == state_activated) return await_bond(running, doing);
    if (state != state_deactivated && !is_whole && waits_for_ports(running)) return;
    if (state != state_deactivated) continue;
    listen(0ms);  // the reason came before the end, and maybe after the last look
    const bool is_only = device_object.empty() && reasons.size() == 1;
    const std::uint32_t reason = is_only ? reasons.begin()->second : reasons[device_object];
    throw Error(fmt::format("{}: NetworkManager gave up: {}", doing, nm_reason(reason)));
  }
  throw Error(fmt::format("{}: NetworkManager has not finished after {} seconds", doing,
                          std::chrono::seconds(deadline).count()));
}

bool BusNetworkManager::reapply(const std::string& interface) {
  const std::string path = device_path(interface);
  if (active_path(path) == no_object) return false;
  // All but the last one: NetworkManager before 1.42 does not know the flag, without which a reapply would remove
  // addresses of other programs; 1.30 says Failed. The last one: the change needs an activation.
  constexpr std::array<std::string_view, 4> needs_activation{
      "org.freedesktop.NetworkManager.Device.InvalidArgument", "org.freedesktop.NetworkManager.InvalidArguments",
      "org.freedesktop.NetworkManager.Device.Failed", "org.freedesktop.NetworkManager.Device.IncompatibleConnection"};
  try {  // no settings and version 0: those that the profile has now, whatever version is applied
    bus_.call(device(path), "Reapply",
              Json::array({typed("a{sa{sv}}", Json::array()), typed("t", 0U), typed("u", preserve_external_ip)}));
  } catch (const BusError& error) {
    if (std::find(needs_activation.begin(), needs_activation.end(), error.name()) == needs_activation.end()) throw;
    return false;
  }
  return true;
}

void BusNetworkManager::deactivate(const std::string& interface) {
  const std::string running = active_path(device_path(interface));
  if (running == no_object) return;
  try {
    bus_.call(manager(), "DeactivateConnection", Json::array({typed("o", running)}));
  } catch (const BusError& error) {
    if (error.is_nobody()) throw;  // else the activation has ended by itself
  }
  await_gone(interface, running);
}

void BusNetworkManager::await_gone(const std::string& interface, const std::string& running) {
  const auto until = clock_.ticks() + std::chrono::milliseconds(deadline);
  while (active_path(device_path(interface)) == running) {
    if (clock_.ticks() >= until)
      throw Error(fmt::format("deactivating {}: NetworkManager has not finished after {} seconds", interface,
                              std::chrono::seconds(deadline).count()));
    clock_.sleep(pause_between);
  }
}

}  // namespace rdmastate
