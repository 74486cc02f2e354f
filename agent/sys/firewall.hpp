// SPDX-License-Identifier: Apache-2.0
// Calls firewalld's interface on the system bus: firewalld.dbus(5).
#pragma once

#include "host/firewall.hpp"
#include "sys/bus.hpp"

namespace rdmastate {

/// The firewalld that runs, over the system bus. The calls are those that every firewalld since 0.3 has; what newer
/// ones say of a service's includes is asked where they can be asked.
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
  Json zone_settings(FirewallStore store, const std::string& name);
  Json service_settings(FirewallStore store, const std::string& name, const char* method);
  void add_service(FirewallStore store, const std::string& name, std::vector<std::string>& seen,
                   FirewallService& service);

  Bus& bus_;
};

}  // namespace rdmastate
