// SPDX-License-Identifier: Apache-2.0
// Calls systemd-networkd's interface on the system bus: org.freedesktop.network1(5).
#include "sys/networkd.hpp"

namespace rdmastate {
namespace {

constexpr auto service = "org.freedesktop.network1";

BusObject manager() { return {service, "/org/freedesktop/network1", "org.freedesktop.network1.Manager"}; }

}  // namespace

bool BusNetworkd::runs() {
  if (!bus_.is_there()) return false;
  const BusObject driver{"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"};
  return bus_.call(driver, "NameHasOwner", Json::array({service}))[0].boolean();
}

void BusNetworkd::reload() { bus_.call(manager(), "Reload", Json::array()); }

void BusNetworkd::reconfigure(std::uint32_t index) {
  // The method takes an int32 (D-Bus type i); a plain number would be sent as a uint32.
  bus_.call(manager(), "ReconfigureLink", Json::array({Json::object({{"i", index}})}));
}

}  // namespace rdmastate
