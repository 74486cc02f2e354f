// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/backends/profile.hpp"

#include <unordered_map>

#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

LinkId port_link_id(const IpoibRecord& record) {
  LinkId id;
  if (record.match && record.match->port_guid) {
    id.guid = *record.match->port_guid;
  } else if (record.match) {
    id.device = record.match->device.value_or("");
    id.port = record.match->port.value_or(0);
  } else {
    id.name = record.interface_name();
  }
  return id;
}

// Profile::made of what the spec says.
IpoibRecord with_defaults(const IpoibRecord& asked) {
  IpoibRecord made = asked;
  made.mode = asked.judged_mode();
  if (!made.ipv4) made.ipv4 = created_ipoib().ipv4;
  if (!made.ipv6) made.ipv6 = created_ipoib().ipv6;
  return made;
}

}  // namespace

std::string Profile::path(std::string_view field) const { return ipoib_path(index, field); }

// The second loop needs the first: a child takes its port's LinkId, and goes into its port's list of children.
std::vector<Profile> profiles_of(const Spec& spec) {
  std::vector<Profile> profiles;
  std::unordered_map<std::string, std::size_t> ports;
  profiles.reserve(spec.ipoib.size());
  for (const auto& record : spec.ipoib) {
    const std::size_t index = profiles.size();
    profiles.push_back({record, with_defaults(record), index, /*id=*/{}, record.interface_name()});
    if (record.is_child()) continue;
    profiles.back().id = port_link_id(record);
    if (record.name) ports.try_emplace(record.name->value, index);
  }
  for (auto& one : profiles) {
    if (!one.is_child()) continue;
    const auto port = ports.find(one.asked.parent->value);
    if (port != ports.end()) one.id = profiles[port->second].id;
    if (port != ports.end() && !one.is_absent()) profiles[port->second].children.push_back(one.name);
    one.id.pkey = one.asked.pkey;
  }
  std::unordered_map<std::string_view, const BondRecord*> bonds;  // by the names of their ports
  for (const auto& bond : spec.bonds)
    for (const IfName& port : bond.ports) bonds.emplace(port.value, &bond);
  for (auto& one : profiles) {
    const auto bond = bonds.find(one.name);
    if (bond == bonds.end()) continue;
    one.bond = bond->second->name.value;
    one.is_primary = bond->second->primary == IfName{one.name};
  }
  return profiles;
}

IpoibRecord made_of(const BondRecord& bond) {
  IpoibRecord made;
  made.ipv4 = bond.ipv4 ? bond.ipv4 : created_ipoib().ipv4;
  made.ipv6 = bond.ipv6 ? bond.ipv6 : created_ipoib().ipv6;
  return made;
}

IpNetwork anywhere(Family family) {
  IpNetwork all;
  all.address.family = family;
  return all;
}

}  // namespace rdmastate
