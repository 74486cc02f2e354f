// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/firewall.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/json_object.hpp"

namespace rdmastate {
namespace {

std::string_view word(FirewallStore store) { return store == FirewallStore::runtime ? "now" : "for good"; }

std::vector<FirewallPorts> read_ports(JsonObject& in) {
  std::vector<FirewallPorts> all;
  for (const auto& text : in.texts("ports")) {
    const std::size_t slash = text.find('/');
    const auto ports =
        slash == std::string::npos ? std::nullopt : firewall_ports(text.substr(0, slash), text.substr(slash + 1));
    if (!ports) in.refuse("ports", fmt::format("expected ports such as 20049/tcp, got '{}'", printable(text)));
    all.push_back(*ports);
  }
  return all;
}

FirewallZone read_zone(JsonObject& in) {
  FirewallZone zone;
  zone.lets_all_in = in.flag_or("lets_all_in", false);
  zone.ports = read_ports(in);
  zone.protocols = in.texts("protocols");
  in.each_member("services", [&](const std::string& name, const Json& value, const std::string& path) {
    JsonObject service(value, path);
    zone.services.push_back({name, read_ports(service), service.texts("protocols")});
    service.finish();
  });
  return zone;
}

RecordedFirewalld::Zones read_zones(JsonObject& in, const std::string& store) {
  RecordedFirewalld::Zones zones;
  in.each_member(store, [&](const std::string& name, const Json& value, const std::string& path) {
    JsonObject zone(value, path);
    zones.emplace(name, read_zone(zone));
    zone.finish();
  });
  return zones;
}

Json texts_of(const std::vector<FirewallPorts>& ports) {
  std::vector<std::string> texts;
  for (const auto& one : ports) texts.push_back(to_text(one));
  return Json::array_of(texts);
}

Json zone_json(const FirewallZone& zone) {
  Json out = {{"ports", texts_of(zone.ports)}};
  if (zone.lets_all_in) out["lets_all_in"] = true;
  if (!zone.protocols.empty()) out["protocols"] = Json::array_of(zone.protocols);
  for (const auto& service : zone.services) {
    Json one = {{"ports", texts_of(service.ports)}};
    if (!service.protocols.empty()) one["protocols"] = Json::array_of(service.protocols);
    out["services"][service.name] = std::move(one);
  }
  return out;
}

Json zones_json(const RecordedFirewalld::Zones& zones) {
  Json out = Json::object();
  for (const auto& [name, zone] : zones) out[name] = zone_json(zone);
  return out;
}

bool has_cover(const FirewallZone& zone, const FirewallPorts& port) {
  return std::any_of(zone.ports.begin(), zone.ports.end(), [&](const FirewallPorts& one) { return one.covers(port); });
}

}  // namespace

bool RecordedFirewall::runs() {
  ++log_.reads.managers;
  return model_.firewall.has_value();
}

RecordedFirewalld& RecordedFirewall::firewalld(const std::string& doing) {
  if (!model_.firewall) throw Error(doing + ": firewalld does not run");
  return *model_.firewall;
}

FirewallZone& RecordedFirewall::find(FirewallStore store, const std::string& name, const std::string& doing) {
  auto& zones = firewalld(doing).zones_of(store);
  const auto found = zones.find(name);
  if (found == zones.end()) throw Error(fmt::format("{}: INVALID_ZONE: {}", doing, name));
  return found->second;
}

std::vector<std::string> RecordedFirewall::zones(FirewallStore store) {
  ++log_.reads.managers;
  std::vector<std::string> names;
  for (const auto& [name, zone] : firewalld("asking firewalld for its zones").zones_of(store)) names.push_back(name);
  return names;
}

std::optional<FirewallZone> RecordedFirewall::zone(FirewallStore store, const std::string& name) {
  ++log_.reads.managers;
  const auto& zones = firewalld("asking firewalld for zone " + name).zones_of(store);
  const auto found = zones.find(name);
  return found == zones.end() ? std::nullopt : std::optional(found->second);
}

// As firewalld does, the new entry takes the place of those that lie within it.
void RecordedFirewall::open(FirewallStore store, const std::string& zone, const FirewallPorts& port) {
  const std::string doing = fmt::format("opening {} in zone {} {}", to_text(port), zone, word(store));
  log_.move(doing, [&] {
    FirewallZone& found = find(store, zone, doing);
    if (has_cover(found, port)) return;
    std::erase_if(found.ports, [&](const FirewallPorts& one) { return port.covers(one); });
    found.ports.push_back(port);
  });
}

// Leaves the zone as it is where the port also lies in another entry's range.
void RecordedFirewall::close(FirewallStore store, const std::string& zone, const FirewallPorts& port) {
  const std::string doing = fmt::format("closing {} in zone {} {}", to_text(port), zone, word(store));
  log_.move(doing, [&] {
    auto& zones = firewalld(doing).zones_of(store);
    const auto known = zones.find(zone);
    if (known == zones.end()) return;
    FirewallZone& found = known->second;
    FirewallZone others = found;
    std::erase(others.ports, port);
    if (!has_cover(others, port)) found = others;
  });
}

RecordedFirewalld read_firewall(JsonObject& in) {
  RecordedFirewalld firewall;
  firewall.runtime = read_zones(in, "runtime");
  firewall.permanent = read_zones(in, "permanent");
  return firewall;
}

Json firewall_json(const RecordedFirewalld& firewall) {
  return {{"runtime", zones_json(firewall.runtime)}, {"permanent", zones_json(firewall.permanent)}};
}

}  // namespace rdmastate
