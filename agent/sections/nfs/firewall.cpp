// SPDX-License-Identifier: Apache-2.0
#include "sections/nfs/firewall.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "platform/firewall.hpp"
#include "resources/firewall_port.hpp"
#include "resources/zone_port/zone_port.hpp"

namespace rdmastate {
namespace {

const std::string firewall_path = "nfs.server.firewall";
const FirewallPorts roce_port{roce_v2_port, roce_v2_port, "udp"};

std::vector<FirewallPorts> ports_of(NfsPort port) {
  return {{port.value, port.value, "tcp"}, {port.value, port.value, "udp"}};
}

std::vector<FirewallPorts> ports_of(const NfsServer& server) {
  auto ports = ports_of(server.port());
  const bool is_there = std::find(ports.begin(), ports.end(), roce_port) != ports.end();
  if (server.firewall->opens_roce() && !is_there) ports.push_back(roce_port);
  return ports;
}

void add_port(const std::string& key, const FirewallPorts& port, Desired& desired) {
  Wanted now{&firewall_port_kind, key, firewall_port(port), firewall_path, "", {}};
  now.twins.push_back({{zone_port_kind.name, key}, TwinForm::whole_file, {}});
  desired.add({&zone_port_kind, key, zone_port(port), firewall_path, "", {}});
  desired.add(std::move(now));
}

bool has_entry(const Snapshot& snapshot, const std::string& zone, const FirewallPorts& port) {
  return state_of(zone_port_kind.observe(snapshot, firewall_key(zone, port))) != nullptr;
}

// Whether the zone has an entry for one of the server's ports, and lets the others in too, by whatever it has.
bool has_entries(const Adoption& from, const std::string& zone, NfsPort port) {
  if (!is_firewall_zone(zone)) return false;
  const auto ports = ports_of(port);
  const auto is_let_in = [&](const FirewallPorts& one) {
    const std::string key = firewall_key(zone, one);
    const State wanted = zone_port(one);
    return zone_port_kind.gap({from.facts, from.snapshot}, key, &wanted, zone_port_kind.observe(from.snapshot, key))
        .in_sync();
  };
  return std::any_of(ports.begin(), ports.end(),
                     [&](const FirewallPorts& one) { return has_entry(from.snapshot, zone, one); }) &&
         std::all_of(ports.begin(), ports.end(), is_let_in);
}

}  // namespace

void add_firewall(const NfsServer& server, Desired& desired) {
  if (!server.firewall) return;
  for (const auto& port : ports_of(server)) add_port(firewall_key(server.firewall->zone.value, port), port, desired);
}

std::optional<NfsFirewall> adopted_firewall(const Adoption& from, NfsPort port, Adopted& to) try {
  auto zones = firewall_zone_names(from.snapshot);
  std::erase_if(zones, [&](const std::string& zone) { return !has_entries(from, zone, port); });
  if (zones.size() != 1) return std::nullopt;
  NfsFirewall firewall{{zones.front()}};
  if (has_entry(from.snapshot, zones.front(), roce_port)) firewall.roce = true;
  to.came_from(firewall_path, own_firewall_zone_file(zones.front()));
  return firewall;
} catch (const SystemError& error) {
  if (!error.is_denied()) throw;
  return std::nullopt;
}

std::string Text<FirewallZoneName>::schema() { return R"({"type": "string", "pattern": "^[A-Za-z0-9_-]{1,17}$"})"; }

std::optional<Complaint> Text<FirewallZoneName>::read(const Scalar& scalar, FirewallZoneName& out) {
  std::string name;
  if (auto complaint = Text<std::string>::read(scalar, name)) {
    complaint->expected = wanted;
    return complaint;
  }
  if (!is_firewall_zone(name))
    return Complaint{fmt::format("'{}' is no name of a zone", printable(name)), std::string(wanted),
                     "firewalld takes up to 17 letters, digits, '_' and '-'"};
  out.value = std::move(name);
  return std::nullopt;
}

}  // namespace rdmastate
