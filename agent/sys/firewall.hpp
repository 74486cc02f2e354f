// SPDX-License-Identifier: Apache-2.0
// Calls firewalld's interface on the system bus: firewalld.dbus(5).
#pragma once

#include "host/firewall.hpp"
#include "sys/bus.hpp"

namespace rdmastate {

/// The firewalld that runs, over the system bus. Of the runtime store's zones, and of services, the newer calls are
/// made first (getZoneSettings2, getServiceSettings2). A firewalld without them gets the calls that each one since 0.3
/// has; these tell nothing of a service's includes.
/// Contract: host/firewall.hpp.
class BusFirewall final : public Firewall {
 public:
  /// `bus` must outlive this object.
  explicit BusFirewall(Bus& bus) : bus_(bus) {}
  bool runs() override;
  std::vector<std::string> zones(FirewallStore store) override;
  std::optional<FirewallZone> zone(FirewallStore store, const std::string& name) override;
  void open(FirewallStore store, const std::string& zone, const FirewallPorts& port) override;
  void close(FirewallStore store, const std::string& zone, const FirewallPorts& port) override;

 private:
  /// A call; one that firewalld or the bus denies to this user throws SystemError (EACCES).
  Json call(const BusObject& object, const std::string& member, const Json& arguments);
  /// The object of a zone or service of the permanent store: the answer to `by_name`.
  BusObject permanent(const char* by_name, const std::string& name, const char* interface);
  /// A dictionary with target, services, ports and protocols of the zone; a member that is missing is empty.
  Json zone_settings(FirewallStore store, const std::string& name);
  /// What firewalld answers to `method` about the service: a dictionary to getServiceSettings2, else a struct.
  Json service_settings(FirewallStore store, const std::string& name, const char* method);
  /// Adds to `service` the ports and protocols of the service `name`, and of those that it includes; those that `seen`
  /// names are done already.
  void add_service(FirewallStore store, const std::string& name, std::vector<std::string>& seen,
                   FirewallService& service);

  Bus& bus_;
};

}  // namespace rdmastate
