// SPDX-License-Identifier: Apache-2.0
// Section `ipoib`: IPoIB interfaces, a port's own and its children in partitions, with their IP set-up. fields.hpp says
// what each field means; a field without a value is left alone, or gets the default of its table (created_ipoib()).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/types.hpp"
#include "host/ipoib_settings.hpp"
#include "resources/link_id.hpp"
#include "sections/ipoib/profile_types.hpp"

namespace rdmastate {

/// Why no spec has bridges or VLANs (br_add_if() and NETIF_F_VLAN_CHALLENGED in the kernel, scenario `rig-bond`).
inline constexpr std::string_view no_bridge =
    "the ports of a bridge are Ethernet interfaces alone, and the kernel refuses IPoIB: route between the networks";
inline constexpr std::string_view no_vlan =
    "the kernel makes no VLAN on IPoIB, whose partitions do the same: write a child, a record with parent and pkey";

/// Where IPv4 addresses come from: `addresses` of the block, DHCP, or nowhere.
enum class Ipv4Method : std::uint8_t { manual, automatic, disabled };
template <>
struct Names<Ipv4Method> {
  static constexpr std::string_view wanted = "manual, auto or disabled";
  static constexpr std::array table{Name<Ipv4Method>{Ipv4Method::manual, "manual"},
                                    Name<Ipv4Method>{Ipv4Method::automatic, "auto"},
                                    Name<Ipv4Method>{Ipv4Method::disabled, "disabled"}};
};

/// Where IPv6 addresses come from: `addresses` of the block, router advertisements, the kernel (link-local), or
/// nowhere.
enum class Ipv6Method : std::uint8_t { manual, automatic, link_local, disabled };
template <>
struct Names<Ipv6Method> {
  static constexpr std::string_view wanted = "manual, auto, link-local or disabled";
  static constexpr std::array table{
      Name<Ipv6Method>{Ipv6Method::manual, "manual"}, Name<Ipv6Method>{Ipv6Method::automatic, "auto"},
      Name<Ipv6Method>{Ipv6Method::link_local, "link-local"}, Name<Ipv6Method>{Ipv6Method::disabled, "disabled"}};
};

/// A network, or "default" in the family of the block it stands in.
struct Destination {
  std::optional<IpNetwork> network;  ///< nullopt: default
  bool operator==(const Destination&) const = default;
};
template <>
struct Text<Destination> {
  static constexpr std::string_view wanted = "default, or a network such as 203.0.113.0/24";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, Destination& out);
  static std::string print(const Destination& value);
};

/// A DNS search domain of at most 253 bytes: parts with a '.' between them, each 1 to 63 letters, digits, '-' and '_',
/// without a '-' at either end. So no configuration format takes it for more than a name, and none of the programs that
/// resolvconf's scripts hand it to takes it for an option.
struct DomainName {
  std::string value;
  auto operator<=>(const DomainName&) const = default;
};
template <>
struct Text<DomainName> {
  static constexpr std::string_view wanted = "a domain name such as example.com";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string","pattern":"^[A-Za-z0-9_][A-Za-z0-9._-]{0,252}$"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, DomainName& out);
  static std::string print(const DomainName& name) { return name.value; }
};

struct RouteRecord {
  Destination to;
  std::optional<IpAddress> via;
  std::optional<std::uint32_t> metric;
};

/// `ipv4` and `ipv6` differ in their methods only.
template <class Method>
struct IpBlock {
  Method method{};
  std::vector<IpInterface> addresses;
  std::optional<IpAddress> gateway;
  std::vector<IpAddress> dns;
  std::vector<DomainName> search;
  std::vector<RouteRecord> routes;
};
using Ipv4Block = IpBlock<Ipv4Method>;
using Ipv6Block = IpBlock<Ipv6Method>;

/// Which port's interface is meant: its GUID, or an RDMA device's name and a port number.
struct PortMatch {
  std::optional<Guid> port_guid;
  std::optional<std::string> device;
  std::optional<std::uint32_t> port;
};

/// What gives a matched interface its name when it appears.
enum class NamedBy : std::uint8_t { udev_rule, link_file };
template <>
struct Names<NamedBy> {
  static constexpr std::string_view wanted = "udev-rule or link-file";
  static constexpr std::array table{Name<NamedBy>{NamedBy::udev_rule, "udev-rule"},
                                    Name<NamedBy>{NamedBy::link_file, "link-file"}};
};

struct IpoibRecord : IpoibSettings {
  std::optional<IfName> name;
  std::optional<PortMatch> match;
  std::optional<NamedBy> named_by;
  std::optional<IfName> parent;
  std::optional<PKey> pkey;
  std::optional<bool> absent;
  std::optional<std::uint32_t> mtu;
  std::optional<Ipv4Block> ipv4;
  std::optional<Ipv6Block> ipv6;
  std::optional<ProfileName> profile;
  std::optional<ProfileSettings> profile_settings;

  bool is_child() const { return parent.has_value(); }
  bool is_absent() const { return absent.value_or(false); }
  /// `mode`, or for a child without it the mode of a new child: the rules about MTUs go by it, and files of rdmastate
  /// say it. nullopt for a port without `mode`, which keeps the one that it has.
  std::optional<IpoibMode> judged_mode() const;
  /// The name that the interface has or is to get: `name`, or for a child without it parent.XXXX (the P_Key). Empty
  /// where the record gives neither, which check_ipoib_identity() reports.
  std::string interface_name() const;
};

/// What the field table gives an interface that rdmastate creates (`on_create`): the one place of these defaults.
const IpoibRecord& created_ipoib();

/// "mlx4_ib0.8002"
std::string child_name(std::string_view parent, PKey pkey);

/// Every address of a record: those of `ipv4`, then those of `ipv6`.
std::vector<IpInterface> addresses_of(const IpoibRecord& record);

}  // namespace rdmastate
