// SPDX-License-Identifier: Apache-2.0
// NetworkManager over D-Bus. A profile is an object of its interface Settings.Connection; an active connection is a
// profile that runs on a device.
#pragma once

#include <set>
#include <string>

#include "host/clock.hpp"
#include "host/network_manager.hpp"
#include "sys/bus.hpp"

namespace rdmastate {

/// The NetworkManager that runs, over the system bus.
/// Contract: host/network_manager.hpp.
class BusNetworkManager final : public NetworkManager {
 public:
  /// Both must outlive this object.
  BusNetworkManager(Bus& bus, Clock& clock) : bus_(bus), clock_(clock) {}

  std::optional<NmState> look() override;
  void load(const std::string& path) override;
  void activate(const std::string& uuid, const std::string& interface) override;
  bool reapply(const std::string& interface) override;
  void deactivate(const std::string& interface) override;

 private:
  // Paths are those of D-Bus objects: `connection` of a profile, `device` of a device, `active` of an active
  // connection.
  /// The state, from the answer of GetManagedObjects.
  NmState read(const Json& objects);
  NmProfile profile_from(const std::string& connection, const Json& properties);
  /// The device of an interface; "/": there is none.
  std::string device_path(const std::string& interface);
  /// As device_path(), but waits up to 5 s for a device that NetworkManager does not make itself.
  std::string device_for(const std::string& connection, const std::string& interface);
  /// The active connection of a device; "/": none.
  std::string active_path(const std::string& device);
  /// Whether the profile, as it is now, is being activated on the device or is active, since the last load().
  bool is_under_way(const std::string& connection, const std::string& device);
  /// Asks for the activation. Returns the active connection's path; empty where NetworkManager cancelled the request
  /// and it is to be made again. Where `is_last`, that throws as any other refusal does.
  std::string begin(const std::string& connection, const std::string& device, bool is_last);
  std::string first_device(const std::string& active);
  /// Waits until the active connection is up. Throws Error where NetworkManager gives up, or takes longer than 90 s.
  void await(const std::string& active, const std::string& doing, bool is_whole = false);
  bool waits_for_ports(const std::string& active);
  /// Whether the device of a bond has a carrier, within 5 s.
  bool gets_carrier(const std::string& bond);
  void await_bond(const std::string& active, const std::string& doing);
  /// Waits until the active connection is off the interface. Throws Error when that takes longer than 90 s.
  void await_gone(const std::string& interface, const std::string& active);

  Bus& bus_;
  Clock& clock_;
  std::set<std::string> before_load_;  ///< the active connections just before the last load()
};

}  // namespace rdmastate
