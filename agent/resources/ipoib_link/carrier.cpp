// SPDX-License-Identifier: Apache-2.0
// An interface has carrier while its port is ACTIVE, its P_Key is in the port's table, and the subnet manager has let
// it join its broadcast group. The kernel says so of one that is up; of others the port tells part of it.
#include "resources/ipoib_link/carrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/renames.hpp"

namespace rdmastate {
namespace {

std::string pkeys_text(const RdmaPort& port) {
  constexpr std::size_t most_named = 16;  // a table has up to 1024
  std::string text;
  for (const std::uint32_t entry : std::span(port.pkeys).first(std::min(port.pkeys.size(), most_named)))
    text += fmt::format("{}0x{:04x}", text.empty() ? "" : ", ", entry);
  const std::size_t more = port.pkeys.size() - std::min(port.pkeys.size(), most_named);
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

bool has_partition(const RdmaPort& port, PKey pkey) {
  constexpr std::uint32_t key_bits = 0x7fff;
  return std::any_of(port.pkeys.begin(), port.pkeys.end(),
                     [&](std::uint32_t entry) { return (entry & key_bits) == (pkey.value & key_bits); });
}

std::string no_carrier_text(const RdmaDevice& device, const RdmaPort& port, PKey pkey, const std::string& name) {
  return fmt::format(
      "P_Key {} is not in the partition table of {} port {} ({}), so {} has no carrier: ask the subnet manager's "
      "administrator, or add it to partitions.conf",
      to_text(pkey), device.name, port.number, pkeys_text(port), name);
}

struct PortOfDevice {
  const RdmaDevice* device = nullptr;
  const RdmaPort* port = nullptr;
};

// nullptr in both: the host does not know the port.
PortOfDevice find_port(const Facts& facts, const Guid& guid) {
  if (guid.value == 0) return {};
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (port.guid == guid) return {&device, &port};
  return {};
}

// The interface that has this name, or gets it by the plan.
const Link* named(const Scene& scene, const std::string& name) {
  const Link* link = scene.snapshot.link(name);
  if (link != nullptr && !rename_from(scene, name)) return link;
  const auto rename = rename_to(scene, name);
  return rename ? scene.snapshot.link(rename->from) : nullptr;
}

// Whether the interface may have no carrier yet alone because it came up a moment ago: its port is ACTIVE and has a
// subnet manager.
bool may_come(const Facts& facts, const Link& link) {
  const auto [device, port] = find_port(facts, link.is_ipoib() ? link.port_guid() : Guid{});
  return port != nullptr && port->is_active() && port->sm_lid != 0;
}

// Why the port's own interface has no carrier; `name` is what the spec calls it.
std::string why_port_has_none(const Scene& scene, const Link& link, const std::string& name) {
  if (may_come(scene.facts, link)) return {};
  if (link.up) return link.carrier ? std::string() : fmt::format("{} has no carrier", name);
  const auto [device, port] = find_port(scene.facts, link.is_ipoib() ? link.port_guid() : Guid{});
  if (port == nullptr || port->is_active()) return {};
  return fmt::format("{} port {}, which is that of {}, is not ACTIVE", device->name, port->number, name);
}

}  // namespace

// The P_Key table of a port that is not up yet is empty: no warning.
std::string why_no_carrier(const Facts& facts, const LinkId& id, const std::string& name) {
  const auto [device, port] = find_port(facts, id.guid);
  if (!id.pkey || port == nullptr || port->pkeys.empty() || has_partition(*port, *id.pkey)) return {};
  return no_carrier_text(*device, *port, *id.pkey, name);
}

std::string why_without_carrier(const Scene& scene, const std::string& name, const std::string& parent,
                                std::optional<PKey> pkey) {
  const Link* link = named(scene, name);
  if (link != nullptr && link->up && link->carrier) return {};
  const std::string& base = parent.empty() ? name : parent;
  const Link* port = named(scene, base);
  if (port == nullptr) return {};
  if (std::string why = why_port_has_none(scene, *port, base); !why.empty() || !port->is_ipoib()) return why;
  LinkId id = link_id_from(ipoib_link_key(scene.snapshot, *port));
  id.pkey = pkey;
  return why_no_carrier(scene.facts, id, name);
}

}  // namespace rdmastate
