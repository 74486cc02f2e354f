// SPDX-License-Identifier: Apache-2.0
// IPoIB interfaces, as drivers/infiniband/ulp/ipoib makes them (create_child, create_port_link), lets them join their
// broadcast group (join) and changes them (set, set_ipoib_mtu) through rtnetlink. An interface's MTU in datagram mode
// is the smaller one of what was asked for (admin_mtu) and what the group allows (mcast_mtu).
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/fields_overlay.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate::kernel {
namespace {

constexpr std::uint32_t encapsulation = 4;      // IPOIB_ENCAP_LEN
constexpr std::uint32_t least_mtu = 68 + 4;     // ETH_MIN_MTU + IPOIB_ENCAP_LEN, ipoib_change_mtu
constexpr std::uint32_t connected_mtu = 65520;  // IPOIB_CM_MTU, also dev->max_mtu
constexpr std::uint32_t first_qpn = 0x000208;   // any number does: no kind looks at it
constexpr std::uint32_t pkey_bits = 0x7fff;

PortMtu mtus_of(const HostModel& model, const Link& link) {
  const auto found = model.port_mtus.find(link.port_guid().value);
  return found == model.port_mtus.end() ? PortMtu{} : found->second;
}

// The MTU of an interface in the broadcast group of its partition.
std::uint32_t group_mtu(const HostModel& model, const Link& link) {
  const PortMtu mtus = mtus_of(model, link);
  const auto special = mtus.partitions.find(link.ipoib->pkey.value);
  return (special == mtus.partitions.end() ? mtus.group : special->second) - encapsulation;
}

// The queue pair number in an IPoIB address: its bytes 1 to 3. 0 of any other interface.
std::uint32_t qpn_of(const Link& link) {
  if (!link.is_ipoib() || link.address.size() < 4) return 0;
  std::uint32_t qpn = 0;
  for (std::size_t i = 1; i < 4; ++i) qpn = qpn << 8U | static_cast<std::uint8_t>(link.address[i]);
  return qpn;
}

// Writes into a hardware address a queue pair number that no interface has.
void give_qpn(const HostModel& model, std::string& address) {
  std::uint32_t qpn = first_qpn - 1;
  for (const auto& [index, other] : model.links) qpn = std::max(qpn, qpn_of(other.link));
  ++qpn;
  for (std::size_t i = 1; i < 4; ++i) address[i] = static_cast<char>(qpn >> 8U * (3 - i) & 0xffU);
}

// ipoib_ndo_init: the MTU is the port's largest until the broadcast group is joined.
RecordedLink& register_link(HostModel& model, Link link) {
  link.type = Link::type_infiniband;
  link.kind = "ipoib";
  link.mtu = datagram_limit(model, link);
  if (model.ipv6) link.ipv6 = Ipv6Conf::automatic;
  return model.add({link, /*mcast_mtu=*/link.mtu, /*admin_mtu=*/link.mtu, /*cable=*/true});
}

void require_ipoib(const RecordedLink& link) {
  if (!link.link.ipoib) throw Refusal{EOPNOTSUPP};  // changelink of another kind, rtnetlink.c
}

}  // namespace

const RdmaPort* port_of(const HostModel& model, const Link& link) {
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::infiniband && port.guid == link.port_guid()) return &port;
  return nullptr;
}

bool is_member(const HostModel& model, const Link& link) {
  const RdmaPort* port = port_of(model, link);
  if (port == nullptr || !link.ipoib) return false;
  return std::any_of(port->pkeys.begin(), port->pkeys.end(),
                     [&](std::uint32_t entry) { return (entry & pkey_bits) == (link.ipoib->pkey.value & pkey_bits); });
}

bool can_join(const HostModel& model, const Link& link) {
  const RdmaPort* port = port_of(model, link);
  return is_member(model, link) && port->is_active() && port->sm_lid != 0;
}

std::uint32_t datagram_limit(const HostModel& model, const Link& link) {
  return mtus_of(model, link).max - encapsulation;
}

// ipoib_mcast_join_complete, ipoib_mcast_carrier_on_task
void join(HostModel& model, RecordedLink& link) {
  link.mcast_mtu = group_mtu(model, link.link);
  link.link.carrier = true;
  if (link.link.ipoib->mode == IpoibMode::datagram)
    set_ipoib_mtu(model, link, std::min(link.mcast_mtu, link.admin_mtu));
}

// rtnl_newlink, then ipoib_new_child_link, __ipoib_vlan_add, register_netdevice and ipoib_changelink, in
// their order.
RecordedLink& create_child(HostModel& model, const NewIpoib& wanted) {
  if (wanted.name.size() > IfName::max_length) throw Refusal{ERANGE};  // the policy of IFLA_IFNAME
  if (model.find(wanted.name) != nullptr) throw Refusal{EEXIST};
  const RecordedLink* parent = model.find(wanted.parent);
  if (parent == nullptr || !parent->link.is_ipoib()) throw Refusal{ENODEV};
  if (parent->link.is_child()) throw Refusal{EINVAL};
  if ((wanted.pkey.value & pkey_bits) == 0) throw Refusal{EINVAL};
  check_new_name(model, wanted.name);
  const bool connected = wanted.mode == IpoibMode::connected;
  if (connected && !parent->link.supports_connected()) throw Refusal{EINVAL};
  Link link;
  link.name = wanted.name;
  link.parent = wanted.parent;
  link.address = parent->link.address;
  give_qpn(model, link.address);
  link.ipoib = IpoibInfo{new_ipoib_settings(), {static_cast<std::uint16_t>(wanted.pkey.value | PKey::full_member)}};
  RecordedLink& made = register_link(model, std::move(link));
  set(model, made, wanted.settings());
  return made;
}

void create_port_link(HostModel& model, const RdmaPort& port) {
  Link link;
  for (unsigned n = 0; model.find(link.name = fmt::format("ib{}", n)) != nullptr;) ++n;
  // The flag of connected mode, three bytes for the queue pair number, the subnet prefix fe80::/64; then the port GUID.
  link.address = std::string("\x80\0\0\0\xfe\x80\0\0\0\0\0\0", 12);
  give_qpn(model, link.address);
  for (unsigned shift = 64; shift > 0; shift -= 8)
    link.address += static_cast<char>(port.guid.value >> (shift - 8) & 0xffU);
  const std::uint32_t entry = port.pkeys.empty() ? PKey::default_partition : port.pkeys.front();
  link.ipoib = IpoibInfo{new_ipoib_settings(), {static_cast<std::uint16_t>(entry | PKey::full_member)}};
  register_link(model, std::move(link));
}

namespace {

// ipoib_set_mode: nothing happens when the mode is the same, so the MTU stays then.
void set_mode(HostModel& model, RecordedLink& link, IpoibMode mode) {
  if (link.link.ipoib->mode == mode) return;
  if (mode == IpoibMode::connected && !link.link.supports_connected()) throw Refusal{EINVAL};
  link.link.ipoib->mode = mode;
  const bool connected = mode == IpoibMode::connected;
  const std::uint32_t mtu = connected ? connected_mtu : std::min(link.mcast_mtu, link.link.mtu);
  if (mtu >= least_mtu) set_mtu(model, link, mtu);  // the kernel refuses a smaller one and keeps the mode
}

}  // namespace

// ipoib_changelink. Only the mode changes other values too.
void set(HostModel& model, RecordedLink& link, const IpoibSettings& wanted) {
  require_ipoib(link);
  if (wanted.mode) set_mode(model, link, *wanted.mode);
  link.link.ipoib->settings() = laid_over(link.link.ipoib->settings(), wanted);
}

// ipoib_change_mtu
void set_ipoib_mtu(HostModel& model, RecordedLink& link, std::uint32_t mtu) {
  if (mtu > connected_mtu) throw Refusal{EINVAL, "mtu greater than device maximum"};
  if (link.link.ipoib->mode == IpoibMode::connected) return mtu_changed(model, link, mtu);
  if (mtu < least_mtu || mtu > datagram_limit(model, link.link)) throw Refusal{EINVAL};
  link.admin_mtu = mtu;
  mtu_changed(model, link, std::min(link.mcast_mtu, link.admin_mtu));
}

}  // namespace rdmastate::kernel
