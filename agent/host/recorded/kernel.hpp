// SPDX-License-Identifier: Apache-2.0
// The kernel's part of a recorded host: functions that change a HostModel as Linux changes its tables on a request
// about interfaces, addresses, routes, RDMA devices and modules, side effects included. One that cannot do what it is
// asked to throws Refusal with the kernel's errno, and has changed nothing. Each heading names the source that defines
// the functions below it. Sources of the facts: drivers/infiniband/ulp/ipoib, net/core/{dev,rtnetlink}.c,
// net/ipv4/{devinet,fib_frontend, fib_semantics}.c, net/ipv6/{addrconf,route}.c of Linux 6.1, and the same requests
// tried on veth pairs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate::kernel {

// --- recorded/ipoib.cpp
/// The port that an IPoIB interface is on, by the last 8 bytes of its address; nullptr when there is none.
const RdmaPort* port_of(const HostModel& model, const Link& link);
/// Whether its P_Key, in full or limited form, is in the port's table.
bool is_member(const HostModel& model, const Link& link);
/// Whether it can join its broadcast group: is_member() on an ACTIVE port whose subnet manager answers.
bool can_join(const HostModel& model, const Link& link);
/// The largest datagram MTU (priv->max_ib_mtu - 4).
std::uint32_t datagram_limit(const HostModel& model, const Link& link);
/// Takes the broadcast group's MTU and gains carrier.
void join(HostModel& model, RecordedLink& link);
/// RTM_NEWLINK of a child, with the kernel's errno.
RecordedLink& create_child(HostModel& model, const NewIpoib& wanted);
/// What ib_ipoib makes of one port: down, datagram, the P_Key of table entry 0, named ib0, ib1, ...
void create_port_link(HostModel& model, const RdmaPort& port);
/// RTM_NEWLINK of an interface that is there: its settings, and its MTU within the limits of its mode.
void set(HostModel& model, RecordedLink& link, const IpoibSettings& wanted);
void set_ipoib_mtu(HostModel& model, RecordedLink& link, std::uint32_t mtu);

// --- recorded/bond.cpp
/// RTM_NEWLINK of a bond. EOPNOTSUPP: the module is not loaded.
void create_bond(HostModel& model, const NewBond& wanted);
/// Sets a bond's options: EOPNOTSUPP for any other interface.
void set_bond(HostModel& model, RecordedLink& bond, const BondChange& wanted);
/// IFLA_MASTER of a port, 0: takes it out of its bond. EPERM: it is up. EINVAL: of no bond, or of two.
void set_master(HostModel& model, RecordedLink& port, std::uint32_t bond);
/// bond_change_mtu: each port of the bond gets its MTU.
void set_port_mtus(HostModel& model, const Link& bond, std::uint32_t mtu);
/// An interface went up or down, or its carrier changed: its bond takes another port where it has to.
void port_changed(HostModel& model, const Link& port);
/// A port is unregistered: its bond loses it, and with its last port of IPoIB goes too.
void port_gone(HostModel& model, const Link& port);
/// The driver is unloaded: every bond goes.
void remove_bonds(HostModel& model);

// --- recorded/interfaces.cpp
/// Sets the MTU. EINVAL: it is outside of the device's own limits.
void set_mtu(HostModel& model, RecordedLink& link, std::uint32_t mtu);
/// Sets an MTU without checks of its range. Below 1280 the interface loses IPv6; from 1280 on it has it again.
void mtu_changed(HostModel& model, RecordedLink& link, std::uint32_t mtu);
/// Renames it, also where soft devices and ports name it. EBUSY: it is up.
void rename(HostModel& model, RecordedLink& link, const std::string& name);
/// Sets its sysctls of IPv6. ENOENT: it has no IPv6, as with an MTU below 1280.
void set_ipv6(HostModel& model, RecordedLink& link, Ipv6Conf conf);
/// Takes an interface up, or with `up` false down, and the children of an IPoIB parent too (ipoib_open, ipoib_stop).
void set_up(HostModel& model, RecordedLink& link, bool up);
/// RTM_DELLINK: succeeds for an IPoIB parent but leaves it there; an interface without a kind is refused (EOPNOTSUPP).
void remove(HostModel& model, const Link& link);
/// Unregisters a netdev whatever it is, after its children.
void unregister(HostModel& model, std::uint32_t index);
/// Throws Refusal for a name that register_netdevice and dev_change_name do not take.
void check_new_name(HostModel& model, const std::string& name);
/// Ports or P_Key tables changed: interfaces that are up gain or lose carrier.
void fabric_changed(HostModel& model);

// --- recorded/rdma.cpp
/// Makes the device that rxe_newlink() or siw_newlink() makes.
void create_soft_device(HostModel& model, const SoftDevice& wanted);
/// Removes the soft devices of a network device, or of a driver, that goes away.
void drop_soft_devices(HostModel& model, const std::string& netdev);
void drop_soft_devices(HostModel& model, SoftType type);
/// The node GUID of a soft device on a network device with this hardware address.
Guid eui64_of(const std::string& address);

// --- recorded/link_types.cpp
/// The interfaces of a device's ports, by ifindex: IPoIB's own, and network devices. `device` is the model's, no copy.
std::vector<std::uint32_t> interfaces_of(const HostModel& model, const RdmaDevice& device);
/// The device's driver lets it go: its interfaces go, and what anybody had open on it. `device` is the model's, no
/// copy.
void take_away(HostModel& model, const RdmaDevice& device);
/// ib_ipoib makes its interfaces for a new device, if it is loaded. Those of other drivers are not modelled.
void bring_interfaces(HostModel& model, const RdmaDevice& device);

// --- recorded/sriov.cpp
/// What the physical function of an interface keeps of its virtual functions; empty of any other interface.
std::vector<VfSettings> vf_settings(const HostModel& model, const Link& link);
/// RTM_SETLINK with IFLA_VFINFO_LIST, with the kernel's errno.
void change_vf(HostModel& model, const Link& link, std::uint32_t number, const VfSettings& settings);

// --- recorded/roce.cpp
/// What a port has before anything is set: v1 alone on InfiniBand and on siw, v2 alone on rxe, else both.
RecordedRoce usual_roce(const HostModel& model, const HostModel::Port& port);
/// roce_of() is what a port has now, keep_roce() sets it; what is as usual is not kept in the model.
RecordedRoce roce_of(const HostModel& model, const HostModel::Port& port);
void keep_roce(HostModel& model, const HostModel::Port& port, const RecordedRoce& roce);
/// cma_add_one(): v2 where the port can, else what it can.
RoceDefaults first_defaults(const std::vector<RoceMode>& modes);
/// rdma_cm is unloaded: every port has its first defaults again.
void forget_roce_defaults(HostModel& model);
/// Moves what is kept by port from a device's old name to its new one; with `to` empty drops it.
void rename_ports(HostModel& model, const std::string& from, const std::string& to);

// --- recorded/modules.cpp
/// As modprobe: succeeds for a loaded or built-in module; ENOENT: there is no such module; EINVAL: an install line runs
/// false. Modules that it needs may be loaded before it is refused, and stay.
void insert_module(HostModel& model, const std::string& name);
/// Sets the parameters that /etc/modprobe.d gives a module when it is loaded.
void give_options(HostModel& model, const std::string& name);

// --- recorded/addresses.cpp
/// RTM_NEWADDR and RTM_DELADDR, with the kernel's errno.
void add(HostModel& model, Address address);
void remove(HostModel& model, const Address& address);
/// NETDEV_UP: connected routes come back; with carrier a link-local address is made.
void addresses_up(HostModel& model, const Link& link);
/// The part of addresses_up() that waits for carrier: the link-local address.
void link_ready(HostModel& model, const Link& link);
/// Ends duplicate address detection: IPv6 addresses of interfaces that have carrier are tentative no longer.
void end_detection(HostModel& model);
/// NETDEV_DOWN: every route goes; IPv6 addresses do too, unless keep_addr_on_down; IPv4 ones stay.
void addresses_down(HostModel& model, const Link& link);
/// Removes the IPv6 addresses and routes of an interface.
void drop_ipv6(HostModel& model, std::uint32_t link);
/// Removes the routes of one family that leave by an interface.
void drop_routes(HostModel& model, std::uint32_t link, Family family);

// --- recorded/routes.cpp
/// RTM_NEWROUTE and RTM_DELROUTE, with the kernel's errno.
void add(HostModel& model, Route route);
void remove(HostModel& model, const Route& route);

}  // namespace rdmastate::kernel
