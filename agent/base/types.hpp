// SPDX-License-Identifier: Apache-2.0
// Types for the values of RDMA and networks. Each value is parsed once, is always valid, and has one canonical text.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "base/text.hpp"

namespace rdmastate {

/// A partition key with the full-member bit set: the kernel ORs 0x8000 into whatever it is given
/// (drivers/infiniband/ulp/ipoib/ipoib_main.c, ipoib_ndo_init), so 0x0002 and 0x8002 name the same child.
/// 0x0000 and 0x8000 are refused, as by the kernel.
struct PKey {
  std::uint16_t value = 0xffff;
  auto operator<=>(const PKey&) const = default;
  static constexpr std::uint16_t full_member = 0x8000;
  static constexpr std::uint16_t default_partition = 0xffff;
};

/// An EUI-64 of a node or a port, high byte first. Zero is never a match and never read from a spec.
struct Guid {
  std::uint64_t value = 0;
  auto operator<=>(const Guid&) const = default;
};

/// A network interface's name: 1 to 15 bytes, no '/', ':', white space or control character, not "." or ".."
/// (net/core/dev.c, dev_valid_name); '%' is refused too, since the kernel would take it as a pattern.
struct IfName {
  std::string value;
  auto operator<=>(const IfName&) const = default;
  static constexpr std::size_t max_length = 15;
};

/// A kernel module's name: 1 to 55 letters, digits and '_'. A '-' is read as '_', the form that /proc/modules shows.
struct ModuleName {
  std::string value;
  auto operator<=>(const ModuleName&) const = default;
};

/// IPv4 or IPv6. The numbers are for people, not AF_INET's.
enum class Family : std::uint8_t { v4 = 4, v6 = 6 };

/// An IPv4 or IPv6 address in network byte order; IPv4 uses the first 4 bytes.
struct IpAddress {
  Family family = Family::v4;
  std::array<std::uint8_t, 16> bytes{};
  auto operator<=>(const IpAddress&) const = default;
  std::size_t size() const { return family == Family::v4 ? 4 : 16; }
};

/// An interface address: host bits and prefix length, "192.0.2.1/24".
struct IpInterface {
  IpAddress address;
  std::uint8_t length = 0;
  auto operator<=>(const IpInterface&) const = default;
};

/// A destination: no host bits set, "203.0.113.0/24". "default" is not read as one: the field `to` of a route reads
/// that word itself.
struct IpNetwork {
  IpAddress address;
  std::uint8_t length = 0;
  auto operator<=>(const IpNetwork&) const = default;
  bool is_default() const { return length == 0; }
};

/// The network that an interface address is in: host bits cleared.
IpNetwork network_of(const IpInterface& address);
/// Whether the address is in the network; false for one of the other family.
bool contains(const IpNetwork& network, const IpAddress& address);

/// IPoIB's transport mode (IFLA_IPOIB_MODE: 0 datagram, 1 connected).
enum class IpoibMode : std::uint8_t { datagram = 0, connected = 1 };
template <>
struct Names<IpoibMode> {
  static constexpr std::string_view wanted = "datagram or connected";
  static constexpr std::array table{Name<IpoibMode>{IpoibMode::datagram, "datagram"},
                                    Name<IpoibMode>{IpoibMode::connected, "connected"}};
};

/// The name of a kernel module's parameter: letters, digits and '_'. A '-' is read as '_', the form that
/// /sys/module/MODULE/parameters shows.
struct ParameterName {
  std::string value;
  auto operator<=>(const ParameterName&) const = default;
};

/// Any scalar, a number or a boolean too, as it was written: the value of a module's option.
struct Verbatim {
  std::string value;
  auto operator<=>(const Verbatim&) const = default;
};

/// What the kernel does about IPv6 on an interface (net.ipv6.conf.IF.disable_ipv6 and accept_ra).
enum class Ipv6Conf : std::uint8_t {
  disabled,    ///< disable_ipv6 = 1
  link_local,  ///< takes no router advertisements: has the link-local address and those that are set
  automatic,   ///< router advertisements make addresses and routes
};
template <>
struct Names<Ipv6Conf> {
  static constexpr std::string_view wanted = "disabled, link-local or auto";
  static constexpr std::array table{Name<Ipv6Conf>{Ipv6Conf::disabled, "disabled"},
                                    Name<Ipv6Conf>{Ipv6Conf::link_local, "link-local"},
                                    Name<Ipv6Conf>{Ipv6Conf::automatic, "auto"}};
};

/// A port's link layer, as sysfs prints it (ports/N/link_layer).
enum class LinkLayer : std::uint8_t { unspecified, infiniband, ethernet };
template <>
struct Names<LinkLayer> {
  static constexpr std::string_view wanted = "infiniband or ethernet";
  static constexpr std::array table{Name<LinkLayer>{LinkLayer::unspecified, "unspecified"},
                                    Name<LinkLayer>{LinkLayer::infiniband, "infiniband"},
                                    Name<LinkLayer>{LinkLayer::ethernet, "ethernet"}};
};

#define RDMASTATE_TEXT(Type, Wanted)                                       \
  template <>                                                              \
  struct Text<Type> {                                                      \
    static constexpr std::string_view wanted = Wanted;                     \
    static constexpr JsonForm form = JsonForm::string;                     \
    static std::string schema();                                           \
    static std::optional<Complaint> read(const Scalar& scalar, Type& out); \
    static std::string print(const Type& value);                           \
  }

RDMASTATE_TEXT(PKey, "a P_Key such as 0x8002");
RDMASTATE_TEXT(Guid, "a GUID such as f452:1403:007b:cba1");
RDMASTATE_TEXT(IfName, "an interface name of 1 to 15 characters such as mlx4_ib0");
RDMASTATE_TEXT(ModuleName, "a kernel module's name such as ib_ipoib");
RDMASTATE_TEXT(ParameterName, "a module parameter's name such as recv_queue_size");
RDMASTATE_TEXT(IpAddress, "an IP address such as 192.0.2.254 or 2001:db8::1");
RDMASTATE_TEXT(IpInterface, "an address with its prefix length such as 192.0.2.1/24");
RDMASTATE_TEXT(IpNetwork, "a network with its prefix length such as 203.0.113.0/24");
RDMASTATE_TEXT(Verbatim, "a string, a number or a boolean");
#undef RDMASTATE_TEXT

}  // namespace rdmastate
