// SPDX-License-Identifier: Apache-2.0
#include "sys/firewall.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rdmastate {
namespace {

constexpr auto bus_name = "org.fedoraproject.FirewallD1";
constexpr auto manager_path = "/org/fedoraproject/FirewallD1";
constexpr auto config_path = "/org/fedoraproject/FirewallD1/config";
constexpr auto zone_interface = "org.fedoraproject.FirewallD1.zone";
constexpr auto config_interface = "org.fedoraproject.FirewallD1.config";
constexpr auto config_zone_interface = "org.fedoraproject.FirewallD1.config.zone";
constexpr auto config_service_interface = "org.fedoraproject.FirewallD1.config.service";

// The members of the structs that getZoneSettings and getServiceSettings answer.
enum ZoneMember : std::size_t { zone_target = 4, zone_services = 5, zone_ports = 6, zone_protocols = 13 };
enum ServiceMember : std::size_t { service_ports = 3, service_protocols = 6 };

BusObject manager(const char* interface) { return {bus_name, manager_path, interface}; }
BusObject config() { return {bus_name, config_path, config_interface}; }

// "Exception" is the name of all of firewalld's own errors: their texts begin with a code.
bool has_code(const BusError& error, std::string_view code) {
  return error.says().substr(0, error.says().find(':')) == code;
}

bool is_denied(const BusError& error) {
  return error.name().find("NotAuthorized") != std::string::npos ||
         error.name().find("AccessDenied") != std::string::npos;
}

void add_ports(const Json& pairs, std::vector<FirewallPorts>& all) {
  for (const auto& pair : pairs.items())
    if (const auto ports = firewall_ports(pair[0].text(), pair[1].text())) all.push_back(*ports);
}

void add_texts(const Json& list, std::vector<std::string>& all) {
  for (const auto& one : list.items()) all.emplace_back(one.text());
}

// firewalld takes a port, or a range of them, and the protocol.
Json port_arguments(const FirewallPorts& port) {
  const std::string text = to_text(port);
  return Json::array({text.substr(0, text.find('/')), port.protocol});
}

}  // namespace

bool BusFirewall::runs() {
  if (!bus_.is_there()) return false;
  const BusObject driver{"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"};
  return bus_.call(driver, "NameHasOwner", Json::array({bus_name}))[0].boolean();
}

Json BusFirewall::call(const BusObject& object, const std::string& member, const Json& arguments) {
  try {
    return bus_.call(object, member, arguments);
  } catch (const BusError& error) {
    if (is_denied(error)) throw SystemError("asking firewalld to " + member, EACCES, error.says());
    throw;
  }
}

BusObject BusFirewall::permanent(const char* by_name, const std::string& name, const char* interface) {
  return {bus_name, std::string(call(config(), by_name, Json::array({name}))[0].text()), interface};
}

std::vector<std::string> BusFirewall::zones(FirewallStore store) {
  std::vector<std::string> names;
  add_texts(store == FirewallStore::runtime ? call(manager(zone_interface), "getZones", Json::array())[0]
                                            : call(config(), "getZoneNames", Json::array())[0],
            names);
  std::sort(names.begin(), names.end());
  return names;
}

// A zone's settings as getZoneSettings2 (since 0.9) answers them: a dictionary, which lacks what is empty. The older
// getZoneSettings answers a struct, in which firewalld puts in place of an empty list the one of the zone's file.
Json BusFirewall::zone_settings(FirewallStore store, const std::string& name) {
  const auto as_dictionary = [](const Json& members) {
    return Json::object({{"target", members[zone_target]},
                         {"services", members[zone_services]},
                         {"ports", members[zone_ports]},
                         {"protocols", members[zone_protocols]}});
  };
  if (store == FirewallStore::permanent)
    return as_dictionary(
        call(permanent("getZoneByName", name, config_zone_interface), "getSettings", Json::array())[0]);
  try {
    return call(manager(zone_interface), "getZoneSettings2", Json::array({name}))[0];
  } catch (const BusError& error) {
    if (!error.is_gone()) throw;
    return as_dictionary(call(manager(bus_name), "getZoneSettings", Json::array({name}))[0]);
  }
}

// `method` is getServiceSettings or getServiceSettings2; those of the permanent store lack the middle word.
Json BusFirewall::service_settings(FirewallStore store, const std::string& name, const char* method) {
  if (store == FirewallStore::runtime) return call(manager(bus_name), method, Json::array({name}))[0];
  const bool is_second = std::string_view(method).ends_with('2');
  return call(permanent("getServiceByName", name, config_service_interface), is_second ? "getSettings2" : "getSettings",
              Json::array())[0];
}

// A firewalld that knows includes answers a dictionary, which lacks what is empty; an older one a struct.
void BusFirewall::add_service(FirewallStore store, const std::string& name, std::vector<std::string>& seen,
                              FirewallService& service) {
  if (std::find(seen.begin(), seen.end(), name) != seen.end()) return;
  seen.push_back(name);
  try {
    Json all = service_settings(store, name, "getServiceSettings2");
    if (all.contains("ports")) add_ports(all["ports"], service.ports);
    if (all.contains("protocols")) add_texts(all["protocols"], service.protocols);
    if (all.contains("includes"))
      for (const auto& included : all["includes"].items())
        add_service(store, std::string(included.text()), seen, service);
  } catch (const BusError& error) {
    if (has_code(error, "INVALID_SERVICE")) return;  // one that is included, or was removed, and is not there
    if (!error.is_gone()) throw;
    const Json all = service_settings(store, name, "getServiceSettings");
    add_ports(all[service_ports], service.ports);
    add_texts(all[service_protocols], service.protocols);
  }
}

std::optional<FirewallZone> BusFirewall::zone(FirewallStore store, const std::string& name) try {
  const Json settings = zone_settings(store, name);
  FirewallZone zone;
  zone.lets_all_in = settings.contains("target") && settings["target"].text() == "ACCEPT";
  if (settings.contains("ports")) add_ports(settings["ports"], zone.ports);
  if (settings.contains("protocols")) add_texts(settings["protocols"], zone.protocols);
  const Json none = Json::array();
  for (const auto& service : (settings.contains("services") ? settings["services"] : none).items()) {
    FirewallService one{std::string(service.text())};
    std::vector<std::string> seen;
    add_service(store, one.name, seen, one);
    zone.services.push_back(std::move(one));
  }
  std::sort(zone.services.begin(), zone.services.end(),
            [](const FirewallService& a, const FirewallService& b) { return a.name < b.name; });
  return zone;
} catch (const BusError& error) {
  if (has_code(error, "INVALID_ZONE")) return std::nullopt;
  throw;
}

void BusFirewall::open(FirewallStore store, const std::string& zone, const FirewallPorts& port) try {
  Json arguments = port_arguments(port);
  if (store == FirewallStore::permanent) {
    call(permanent("getZoneByName", zone, config_zone_interface), "addPort", arguments);
  } else {
    const Json for_good = Json::object({{"i", 0}});  // no timeout
    call(manager(zone_interface), "addPort", Json::array({zone, arguments[0], arguments[1], for_good}));
  }
} catch (const BusError& error) {
  if (!has_code(error, "ALREADY_ENABLED")) throw;
}

// Where the zone has a range of ports that holds this one, nothing is removed: firewalld would cut the port out of the
// range.
void BusFirewall::close(FirewallStore store, const std::string& zone, const FirewallPorts& port) try {
  const auto now = this->zone(store, zone);
  const bool is_in_range = now && std::any_of(now->ports.begin(), now->ports.end(), [&](const FirewallPorts& one) {
                             return one != port && one.covers(port);
                           });
  if (!now || !now->has(port) || is_in_range) return;
  Json arguments = port_arguments(port);
  if (store == FirewallStore::permanent) {
    call(permanent("getZoneByName", zone, config_zone_interface), "removePort", arguments);
  } else {
    call(manager(zone_interface), "removePort", Json::array({zone, arguments[0], arguments[1]}));
  }
} catch (const BusError& error) {
  if (!has_code(error, "NOT_ENABLED")) throw;
}

}  // namespace rdmastate
