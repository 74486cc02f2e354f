// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/address_codec.hpp"

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/error.hpp"

namespace rdmastate::codec {
namespace {

constexpr std::uint8_t shortest_without_broadcast = 31;  // a subnet of two addresses has none (RFC 3021)
constexpr std::uint8_t loopback_network = 127;

ifaddrmsg header_of(const Address& address) {
  const IpAddress& ip = address.value.address;
  ifaddrmsg header{};
  header.ifa_family = af_of(ip.family);
  header.ifa_prefixlen = address.value.length;
  header.ifa_index = address.link;
  header.ifa_scope = ip.family == Family::v4 && ip.bytes[0] == loopback_network ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE;
  return header;
}

// The last address of an IPv4 subnet.
IpAddress broadcast_of(const IpInterface& address) {
  IpAddress broadcast = address.address;
  for (std::size_t bit = address.length; bit < 32; ++bit)
    broadcast.bytes[bit / 8] = static_cast<std::uint8_t>(broadcast.bytes[bit / 8] | 0x80U >> bit % 8);
  return broadcast;
}

}  // namespace

std::uint8_t af_of(Family family) { return family == Family::v4 ? AF_INET : AF_INET6; }

std::optional<Family> family_of(std::uint8_t af) {
  if (af == AF_INET) return Family::v4;
  if (af == AF_INET6) return Family::v6;
  return std::nullopt;
}

Bytes bytes_of(const IpAddress& address) { return std::as_bytes(std::span(address.bytes).first(address.size())); }

IpAddress ip_from(const Attribute& attribute, Family family) {
  IpAddress address;
  address.family = family;
  detail::copy_exactly(attribute.payload, address.bytes.data(), address.size(), "an address");
  return address;
}

/// IFA_LOCAL is the interface's own address and IFA_ADDRESS the peer's where both are given; IPv6 without a peer has
/// IFA_ADDRESS alone, for its own.
std::optional<Address> address_from(Bytes payload) {
  const auto header = take_header<ifaddrmsg>(payload);
  const auto family = family_of(header.ifa_family);
  if (!family) return std::nullopt;
  std::optional<IpAddress> local;
  std::optional<IpAddress> peer;
  std::uint32_t flags = header.ifa_flags;
  for_each(payload, [&](const Attribute& attribute) {
    if (attribute.type == IFA_LOCAL) local = ip_from(attribute, *family);
    if (attribute.type == IFA_ADDRESS) peer = ip_from(attribute, *family);
    if (attribute.type == IFA_FLAGS) flags = number<std::uint32_t>(attribute);
  });
  if (!local) local = peer;
  if (!local) throw Error("the kernel's answer is broken: an address message has no address");
  if (header.ifa_prefixlen > local->size() * 8)
    throw Error("the kernel's answer is broken: an address's prefix is too long");
  Address address;
  address.link = header.ifa_index;
  address.value = {*local, header.ifa_prefixlen};
  address.permanent = (flags & IFA_F_PERMANENT) != 0;
  address.tentative = (flags & IFA_F_TENTATIVE) != 0;
  address.duplicate = (flags & IFA_F_DADFAILED) != 0;
  return address;
}

Message address_dump(std::uint32_t link) {
  ifaddrmsg header{};
  header.ifa_index = link;
  return std::move(Message(RTM_GETADDR, NLM_F_DUMP).header(header));
}

Message address_add(const Address& address) {
  const Bytes ip = bytes_of(address.value.address);
  Message message(RTM_NEWADDR, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
  message.header(header_of(address)).put(IFA_LOCAL, ip).put(IFA_ADDRESS, ip);
  if (address.value.address.family == Family::v4 && address.value.length < shortest_without_broadcast)
    message.put(IFA_BROADCAST, bytes_of(broadcast_of(address.value)));
  return message;
}

Message address_delete(const Address& address) {
  const Bytes ip = bytes_of(address.value.address);
  return std::move(Message(RTM_DELADDR, NLM_F_ACK).header(header_of(address)).put(IFA_LOCAL, ip).put(IFA_ADDRESS, ip));
}

}  // namespace rdmastate::codec
