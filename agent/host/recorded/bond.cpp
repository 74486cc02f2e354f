// SPDX-License-Identifier: Apache-2.0
// Bonds of mode active-backup, as drivers/net/bonding makes and removes them, lets ports join and leave (bond_enslave,
// __bond_release_one) and chooses the active port (bond_select_active_slave). fail_over_mac is active: the bond has the
// hardware address of its active port.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/fields_overlay.hpp"
#include "base/link_local.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate::kernel {
namespace {

constexpr std::uint32_t type_ethernet = 1;
constexpr std::uint32_t default_mtu = 1500;

std::vector<RecordedLink*> ports_of(HostModel& model, std::uint32_t bond) {
  std::vector<RecordedLink*> ports;
  for (auto& [index, link] : model.links)
    if (link.link.master == bond) ports.push_back(&link);
  return ports;
}

bool can_carry(const RecordedLink* port) { return port != nullptr && port->link.up && port->link.carrier; }

// With primary_reselect always, the primary is active whenever it can be; else the active port stays while it can.
std::uint32_t choose_active(HostModel& model, const Link& bond) {
  const auto ports = ports_of(model, bond.index);
  const auto can = [&](std::uint32_t index) {
    return std::any_of(ports.begin(), ports.end(),
                       [&](const RecordedLink* one) { return one->link.index == index && can_carry(one); });
  };
  if (can(bond.bond->primary)) return bond.bond->primary;
  if (can(bond.bond->active)) return bond.bond->active;
  for (const RecordedLink* port : ports)
    if (can_carry(port)) return port->link.index;
  return 0;
}

// Whether the kernel has set up IPv6 of it since it went up: then it has its link-local address, which goes when it
// goes down.
bool is_ready(const HostModel& model, const Link& link) {
  return std::any_of(model.addresses.begin(), model.addresses.end(), [&](const Address& one) {
    return one.link == link.index && one.permanent && is_link_local(one.value.address);
  });
}

// While the bond is down it has no active port, and keeps the address of the last one. Carrier that comes back makes no
// link-local address of the new port's (addrconf_notify: IF_READY is set).
void select_active(HostModel& model, RecordedLink& bond) {
  Link& link = bond.link;
  link.bond->active = link.up ? choose_active(model, link) : 0;
  const bool had_carrier = link.carrier;
  link.carrier = link.bond->active != 0;
  if (link.carrier) link.address = model.find(link.bond->active)->link.address;
  if (link.carrier && !had_carrier && !is_ready(model, link)) link_ready(model, link);
}

// The kernel keeps one monitor at a time.
void set_monitor(BondInfo& info, const BondSettings& wanted) {
  info.settings() = laid_over(info.settings(), wanted);
  if (wanted.miimon.value_or(0) != 0) info.arp_interval = 0;
  if (wanted.arp_interval.value_or(0) != 0) info.miimon = 0;
}

void join(HostModel& model, RecordedLink& port, RecordedLink& bond) {
  if (port.link.up) throw Refusal{EPERM, "Device can not be enslaved while up"};
  const auto ports = ports_of(model, bond.link.index);
  if (!ports.empty() && ports.front()->link.type != port.link.type)
    throw Refusal{EINVAL, "Device type is different from other slaves"};
  port.mtu_alone = port.link.mtu;
  set_mtu(model, port, bond.link.mtu);
  bond.link.type = port.link.type;
  bond.link.address.resize(port.link.address.size());
  port.link.master = bond.link.index;
  set_up(model, port, /*up=*/true);
  select_active(model, bond);
}

void leave(HostModel& model, RecordedLink& port) {
  const std::uint32_t index = port.link.master;
  port.link.master = 0;
  set_up(model, port, /*up=*/false);
  if (port.mtu_alone != 0) set_mtu(model, port, std::exchange(port.mtu_alone, 0));
  RecordedLink* bond = model.find(index);
  if (bond == nullptr || !bond->link.bond) return;
  if (bond->link.bond->primary == port.link.index) bond->link.bond->primary = 0;
  select_active(model, *bond);
}

}  // namespace

void create_bond(HostModel& model, const NewBond& wanted) {
  if (!model.modules.loaded.contains("bonding") && !model.modules.builtin.contains("bonding"))
    throw Refusal{EOPNOTSUPP, "Unknown device type"};
  check_new_name(model, wanted.name);
  Link link;
  link.name = wanted.name;
  link.type = type_ethernet;
  link.kind = "bond";
  link.address = std::string("\x96\x85\xc5\xce\xa2\x4b", 6);
  link.mtu = wanted.mtu != 0 ? wanted.mtu : default_mtu;
  link.bond = BondInfo{{0U, 0U, std::vector<IpAddress>{}}, BondMode::active_backup};
  set_monitor(*link.bond, wanted);
  if (model.ipv6) link.ipv6 = Ipv6Conf::automatic;
  model.add({link, /*mcast_mtu=*/0, /*admin_mtu=*/0, /*cable=*/false});
}

void set_bond(HostModel& model, RecordedLink& bond, const BondChange& wanted) {
  if (!bond.link.bond) throw Refusal{EOPNOTSUPP};
  set_monitor(*bond.link.bond, wanted.settings());
  const RecordedLink* primary = wanted.primary ? model.find(*wanted.primary) : nullptr;
  if (wanted.primary)
    bond.link.bond->primary = primary != nullptr && primary->link.master == bond.link.index ? *wanted.primary : 0;
  select_active(model, bond);
}

void set_master(HostModel& model, RecordedLink& port, std::uint32_t bond) {
  if (port.link.master == bond) return;
  if (port.link.master != 0) leave(model, port);
  if (bond == 0) return;
  RecordedLink* to = model.find(bond);
  if (to == nullptr || !to->link.bond) throw Refusal{to == nullptr ? EINVAL : EOPNOTSUPP};
  join(model, port, *to);
}

void set_port_mtus(HostModel& model, const Link& bond, std::uint32_t mtu) {
  for (RecordedLink* port : ports_of(model, bond.index)) set_mtu(model, *port, mtu);
}

void port_changed(HostModel& model, const Link& port) {
  RecordedLink* bond = port.bond ? model.find(port.index) : port.master != 0 ? model.find(port.master) : nullptr;
  if (bond != nullptr && bond->link.bond) select_active(model, *bond);
}

void port_gone(HostModel& model, const Link& port) {
  if (port.bond)
    for (RecordedLink* one : ports_of(model, port.index)) leave(model, *one);
  RecordedLink* bond = port.master != 0 ? model.find(port.master) : nullptr;
  if (bond == nullptr || !bond->link.bond) return;
  const std::uint32_t index = bond->link.index;
  leave(model, *model.find(port.index));
  if (port.is_ipoib() && ports_of(model, index).empty()) unregister(model, index);
}

void remove_bonds(HostModel& model) {
  std::vector<std::uint32_t> bonds;
  for (const auto& [index, link] : model.links)
    if (link.link.bond) bonds.push_back(index);
  for (const std::uint32_t index : bonds) unregister(model, index);
}

}  // namespace rdmastate::kernel
