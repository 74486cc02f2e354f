// SPDX-License-Identifier: Apache-2.0
#include "resources/firewall_port.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/recorded/model.hpp"
#include "platform/firewall.hpp"
#include "platform/nfs.hpp"
#include "resources/unit/unit.hpp"
#include "resources/zone_port/zone_port.hpp"

namespace rdmastate {
namespace {

const std::string unit(firewall_unit);

Observation firewall_port_observe(const Snapshot& snapshot, const std::string& key) {
  const FirewallZone* zone = snapshot.firewall_zone(FirewallStore::runtime, zone_in_key(key));
  if (zone == nullptr || !zone->has(port_in_key(key))) return Absent{};
  return firewall_port(port_in_key(key));
}

// A zone that was added to the files since firewalld read them is there at its next reload.
std::string why_no_zone(const Snapshot& snapshot, const std::string& zone) {
  if (snapshot.firewall_zone(FirewallStore::permanent, zone) != nullptr)
    return fmt::format("firewalld has not read its zone {} yet: firewall-cmd --reload does", zone);
  return no_such_zone(zone, snapshot.firewall_zones(FirewallStore::runtime));
}

Pending why_not_now(const Snapshot& snapshot) {
  Pending pending = why_not_started(snapshot, unit);
  if (pending.empty()) pending = {"firewalld does not run here: it lets the port in from its start on", Until::unit};
  return pending;
}

// Only the section nfs asks for this kind, so the users of a port are NFS clients. Closing the port cuts them off,
// since firewalld tracks no connection of RoCE's packets and so does not let them in as part of one: this counts as if
// the server stopped.
Loss firewall_port_loses(const Scene& scene, const std::string&, const State*, const State* to) {
  Loss loss;
  if (to != nullptr) return loss;
  loss.users = nfs_client_texts(scene.snapshot);
  if (!loss.users.empty()) loss.services.emplace_back(nfs_server_unit);
  return loss;
}

// Closes the entry, unless it lies in a range of others by now: firewalld would cut the port out of that too.
Gap gap_of_end(const Scene& scene, const std::string& key, const State& present) {
  Gap gap;
  const FirewallZone* zone = scene.snapshot.firewall_zone(FirewallStore::runtime, zone_in_key(key));
  if (zone == nullptr || lies_in_range(*zone, port_in_key(key))) return gap;
  const std::string why = scene.plan.why_kept(firewall_port_loses(scene, key, &present, nullptr));
  if (why.empty()) {
    gap.move = Gap::Move{present, std::nullopt};
  } else {
    gap.pending = {fmt::format("firewalld lets it in until it reads its zones again: {}", why), Until::unit};
  }
  return gap;
}

// What others let in already, by a range, a service or a protocol, is not rdmastate's to open, and never to close.
Gap firewall_port_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  Gap found;
  if ((wanted == nullptr) == (present == nullptr)) return found;
  if (wanted == nullptr) return gap_of_end(scene, key, *present);
  if (!scene.snapshot.firewall_runs()) {
    found.pending = why_not_now(scene.snapshot);
    return found;
  }
  const FirewallZone* zone = scene.snapshot.firewall_zone(FirewallStore::runtime, zone_in_key(key));
  if (zone == nullptr) {
    found.blocked = why_no_zone(scene.snapshot, zone_in_key(key));
  } else if (zone->let_in_by(port_in_key(key)).empty()) {
    found.move = Gap::Move{std::nullopt, *wanted};
  }
  return found;
}

std::vector<Ref> firewall_port_needs(const std::string& key, const State*) { return {{zone_port_kind.name, key}}; }

// A firewalld that stopped in the meantime has no rules; at its start it reads what the zone's file says by then.
void firewall_port_move(Tools& tools, const std::string& key, const State*, const State* to) {
  if (tools.host.firewall == nullptr || !tools.host.firewall->runs()) return;
  Firewall& firewall = *tools.host.firewall;
  to != nullptr ? firewall.open(FirewallStore::runtime, zone_in_key(key), port_in_key(key))
                : firewall.close(FirewallStore::runtime, zone_in_key(key), port_in_key(key));
}

std::string firewall_port_title(const std::string& key, const State*) {
  return fmt::format("{} of zone {}", to_text(port_in_key(key)), zone_in_key(key));
}

// nftables.service: its rules stand in no zone, and doctor reads their file.
void firewall_port_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  keep_firewall(snapshot, FirewallStore::runtime, model);
  const std::string rules(nftables_unit);
  if (const UnitLook* look = snapshot.unit(rules); model.systemd && look != nullptr && look->active)
    model.systemd->units[rules] = recorded_unit(*look);
}

}  // namespace

constinit const Kind firewall_port_kind = [] {
  Kind kind = kind_of<FirewallPortState>("firewall_port");
  kind.verbs = {"open", "change", "close"};
  kind.rank = 63;  // after the NFS server's unit (60), listeners (61) and exports (62)
  kind.made_late = true;
  kind.observe = firewall_port_observe;
  kind.gap = firewall_port_gap;
  kind.loses = firewall_port_loses;
  kind.needs = firewall_port_needs;
  kind.move = firewall_port_move;
  kind.title = firewall_port_title;
  kind.keep = firewall_port_keep;
  return kind;
}();

std::string firewall_key(std::string_view zone, const FirewallPorts& port) {
  return fmt::format("{} {}", zone, to_text(port));
}

std::string zone_in_key(const std::string& key) { return key.substr(0, key.rfind(' ')); }

FirewallPorts port_in_key(const std::string& key) {
  const std::size_t slash = key.rfind('/');
  const std::size_t blank = key.rfind(' ');
  if (blank == std::string::npos || slash == std::string::npos || slash < blank) return {};
  return firewall_ports(key.substr(blank + 1, slash - blank - 1), key.substr(slash + 1)).value_or(FirewallPorts{});
}

State firewall_port(const FirewallPorts& port) { return State(firewall_port_kind, FirewallPortState{to_text(port)}); }

bool lies_in_range(const FirewallZone& zone, const FirewallPorts& port) {
  return std::any_of(zone.ports.begin(), zone.ports.end(),
                     [&](const FirewallPorts& one) { return one != port && one.covers(port); });
}

std::string no_such_zone(const std::string& zone, const std::vector<std::string>& zones) {
  return fmt::format("firewalld has no zone {}: it has {}", zone, fmt::join(zones, ", "));
}

void keep_firewall(const Snapshot& snapshot, FirewallStore store, HostModel& model) {
  if (!snapshot.firewall_runs()) return;
  if (!model.firewall) model.firewall.emplace();
  for (const auto& name : snapshot.firewall_zones(store))
    if (const FirewallZone* zone = snapshot.firewall_zone(store, name))
      model.firewall->zones_of(store).emplace(name, *zone);
}

}  // namespace rdmastate
