// SPDX-License-Identifier: Apache-2.0
// The interface to a host's network interfaces, their addresses and routes, in the terms of rtnetlink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "host/bond_settings.hpp"
#include "host/ipoib_settings.hpp"
#include "host/rdma.hpp"

namespace rdmastate {

/// What IFLA_INFO_DATA of kind "ipoib" holds (linux/if_link.h).
struct IpoibInfo : IpoibSettings {
  PKey pkey{};
  bool operator==(const IpoibInfo&) const = default;
};

/// What IFLA_INFO_DATA of kind "bond" holds (linux/if_link.h). Its ports are the links whose `master` it is.
struct BondInfo : BondSettings {
  BondMode mode = BondMode::balance_rr;
  std::uint32_t primary = 0;  ///< ifindex of the port that is preferred; 0: none
  std::uint32_t active = 0;   ///< ifindex of the port that carries the traffic; 0: none can
  bool operator==(const BondInfo&) const = default;
};

/// One network interface of this network namespace.
struct Link {
  std::uint32_t index = 0;  ///< ifindex
  std::string name{};
  std::uint32_t type = 0;    ///< ARPHRD_*; 32 is InfiniBand
  std::string address{};     ///< hardware address as raw bytes; 20 of them for IPoIB
  std::uint32_t parent = 0;  ///< IFLA_LINK: ifindex of the parent; 0 for none or itself; or parent_elsewhere
  bool up = false;           ///< IFF_UP, the administrative state
  bool carrier = false;      ///< IFLA_CARRIER
  std::uint32_t mtu = 0;
  std::uint32_t max_mtu = 0;  ///< IFLA_MAX_MTU: the largest that the driver takes; 0: it names none
  std::string kind{};         ///< IFLA_INFO_KIND, "" for none
  std::uint32_t master = 0;   ///< IFLA_MASTER: ifindex of the bond or bridge that it is a port of; 0 for none
  std::optional<IpoibInfo> ipoib{};
  std::optional<BondInfo> bond{};
  std::optional<Ipv6Conf> ipv6{};  ///< nullopt: the kernel has no IPv6 on this interface
  bool operator==(const Link&) const = default;

  /// `parent` of a link whose parent is in another network namespace (IFLA_LINK_NETNSID): its index there says nothing
  /// here, and 0 would make an IPoIB child look like a port. No link has this index.
  static constexpr std::uint32_t parent_elsewhere = UINT32_MAX;
  static constexpr std::uint32_t type_infiniband = 32;
  /// A bond whose ports are of IPoIB has their type, but the kernel takes it for no parent of a child: it would follow
  /// a pointer that is not there (ipoib_new_child_link, scenario `rig-bond`).
  bool is_ipoib() const;
  bool is_bond() const { return kind == "bond"; }
  /// An IPoIB interface, or a bond of them.
  bool carries_ipoib() const { return is_ipoib() || (is_bond() && type == type_infiniband); }
  bool is_child() const { return is_ipoib() && parent != 0; }
  /// The port GUID: the last 8 of an IPoIB address's 20 bytes, the only ones that are stable. Zero when it is not one.
  Guid port_guid() const;
  /// False on Enhanced IPoIB and without CONFIG_INFINIBAND_IPOIB_CM: bit 7 of the address's first byte is clear then
  /// (IPOIB_CM_SUPPORTED, ipoib.h) and connected mode is refused with EINVAL.
  bool supports_connected() const;
};

/// One address on one interface.
struct Address {
  std::uint32_t link = 0;  ///< ifindex
  IpInterface value{};
  bool permanent = true;   ///< IFA_F_PERMANENT: not made by router advertisements or DHCP leases
  bool tentative = false;  ///< duplicate address detection is still running
  bool duplicate = false;  ///< IFA_F_DADFAILED: another host has it
  bool operator==(const Address&) const = default;
};

/// One unicast route of the main table.
struct Route {
  IpNetwork to{};
  std::optional<IpAddress> via{};  ///< the gateway; nullopt: none, `to` is on-link
  std::uint32_t link = 0;          ///< ifindex of the output interface
  std::uint32_t metric = 0;        ///< RTA_PRIORITY; IPv6 shows 1024 where none was given
  std::uint8_t protocol = 4;       ///< RTPROT_*: 2 kernel, 3 boot, 4 static, 9 ra, 16 dhcp
  bool operator==(const Route&) const = default;
};

/// A new IPoIB child (RTM_NEWLINK, kind "ipoib").
struct NewIpoib : IpoibSettings {
  std::uint32_t parent = 0;  ///< ifindex; must itself be no child (EINVAL) and of type 32 (ENODEV)
  std::string name{};        ///< EEXIST when taken
  PKey pkey{};
  bool operator==(const NewIpoib&) const = default;
};

/// A new bond (RTM_NEWLINK, kind "bond") of mode active-backup, which is left down. It becomes an interface of type 32
/// with its first port of IPoIB.
struct NewBond : BondSettings {
  std::string name{};     ///< EEXIST when taken
  std::uint32_t mtu = 0;  ///< each port that joins gets it
  bool operator==(const NewBond&) const = default;
};

/// What to change about a bond; an absent field is left alone. A monitor that is set to more than 0 turns the other one
/// off.
struct BondChange : BondSettings {
  std::optional<std::uint32_t> primary{};  ///< ifindex of one of its ports
  bool operator==(const BondChange&) const = default;
};

/// What to change about an existing interface; an absent field is left alone. Sent as one message per kind of change
/// in the order the kernel needs: down, its settings (the mode moves the MTU), MTU, name (EBUSY while up), ipv6, up.
struct LinkChange : IpoibSettings {
  std::optional<std::string> name{};
  std::optional<std::uint32_t> mtu{};
  std::optional<Ipv6Conf> ipv6{};
  std::optional<bool> up{};
  bool operator==(const LinkChange&) const = default;
};

/// A host's interfaces. Absence is an answer (nullopt, empty); a refusal throws SystemError with the kernel's
/// errno and its extended acknowledgement. Reads retry interrupted dumps (NLM_F_DUMP_INTR).
class Links {
 public:
  virtual ~Links() = default;

  /// How many interfaces there are, cheaply: it decides between one dump and targeted queries.
  virtual std::size_t count() = 0;
  /// All interfaces.
  virtual std::vector<Link> dump() = 0;
  virtual std::optional<Link> find(const std::string& name) = 0;
  /// The addresses and routes of one interface, by its ifindex, or of all interfaces with `link` 0.
  virtual std::vector<Address> addresses(std::uint32_t link) = 0;
  virtual std::vector<Route> routes(std::uint32_t link) = 0;

  /// Create, change or remove an interface. They return when the kernel has answered. Where it refuses a part of a
  /// change, the parts before that one stay.
  virtual void create(const NewIpoib& wanted) = 0;
  virtual void change(const Link& link, const LinkChange& change) = 0;
  virtual void create(const NewBond& wanted) = 0;
  virtual void change(const Link& bond, const BondChange& change) = 0;
  /// Makes an interface a port of the bond with the ifindex `bond`, 0: of none. A port of IPoIB has to be down (EPERM)
  /// and is up afterwards; one that leaves is down afterwards.
  virtual void set_master(const Link& port, std::uint32_t bond) = 0;
  virtual void remove(const Link& link) = 0;
  virtual void add(const Address& address) = 0;     ///< EEXIST when there
  virtual void remove(const Address& address) = 0;  ///< EADDRNOTAVAIL when not there
  /// EEXIST; ENETUNREACH (IPv4) or EHOSTUNREACH (IPv6) when `via` is not on-link.
  virtual void add(const Route& route) = 0;
  virtual void remove(const Route& route) = 0;  ///< ESRCH when not there

  /// What the physical function that an interface is on keeps of its virtual functions, by number; empty where it has
  /// none, and for the interface of a virtual one.
  virtual std::vector<VfSettings> vf_settings(const Link& link) = 0;
  /// Changes what `settings` has. EINVAL: there is no such virtual function; EOPNOTSUPP: the driver keeps no such
  /// setting. A driver reads GUIDs when it is bound.
  virtual void change_vf(const Link& link, std::uint32_t number, const VfSettings& settings) = 0;
};

}  // namespace rdmastate
