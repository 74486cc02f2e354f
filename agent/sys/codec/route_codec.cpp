// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/route_codec.hpp"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "base/error.hpp"
#include "sys/codec/address_codec.hpp"

namespace rdmastate::codec {
namespace {

/// RTA_VIA: a next hop of another family than the route's (IPv4 over an IPv6 gateway).
IpAddress via_from(const Attribute& attribute) {
  Attribute address = attribute;
  const auto af = take_header<std::uint16_t>(address.payload);
  const auto family = family_of(static_cast<std::uint8_t>(af));
  if (!family || af > UINT8_MAX)
    throw Error("the kernel's answer is broken: a next hop of family " + std::to_string(af));
  address.payload = attribute.payload.subspan(sizeof af);
  return ip_from(address, *family);
}

// What the attributes of a message say.
struct Gathered {
  Route route;
  std::uint32_t table = 0;
  bool is_describable = true;  ///< false: struct Route has no member for it
};

void read_attribute(const Attribute& attribute, Family family, Gathered& gathered) {
  switch (attribute.type) {
    case RTA_TABLE:
      gathered.table = number<std::uint32_t>(attribute);
      break;
    case RTA_DST:
      gathered.route.to.address = ip_from(attribute, family);
      break;
    case RTA_GATEWAY:
      gathered.route.via = ip_from(attribute, family);
      break;
    case RTA_VIA:
      gathered.route.via = via_from(attribute);
      break;
    case RTA_OIF:
      gathered.route.link = number<std::uint32_t>(attribute);
      break;
    case RTA_PRIORITY:
      gathered.route.metric = number<std::uint32_t>(attribute);
      break;
    case RTA_MULTIPATH:
    case RTA_SRC:
    case RTA_ENCAP:
      gathered.is_describable = false;
      break;
    default:
      break;
  }
}

rtmsg header_of(const Route& route) {
  rtmsg header{};
  header.rtm_family = af_of(route.to.address.family);
  header.rtm_dst_len = route.to.length;
  header.rtm_table = RT_TABLE_MAIN;
  header.rtm_protocol = route.protocol;
  header.rtm_type = RTN_UNICAST;
  return header;
}

// Adds the attributes of a route to a request.
Message& put_route(Message& message, const Route& route) {
  if (!route.to.is_default()) message.put(RTA_DST, bytes_of(route.to.address));
  if (route.via && route.via->family == route.to.address.family) message.put(RTA_GATEWAY, bytes_of(*route.via));
  if (route.via && route.via->family != route.to.address.family) {
    const std::uint16_t af = af_of(route.via->family);
    std::vector<std::byte> via(sizeof af);
    std::memcpy(via.data(), &af, sizeof af);
    const Bytes address = bytes_of(*route.via);
    via.insert(via.end(), address.begin(), address.end());
    message.put(RTA_VIA, via);
  }
  message.put_number(RTA_OIF, route.link);
  if (route.metric != 0) message.put_number(RTA_PRIORITY, route.metric);
  return message;
}

}  // namespace

std::optional<Route> route_from(Bytes payload) {
  const auto header = take_header<rtmsg>(payload);
  const auto family = family_of(header.rtm_family);
  if (!family) return std::nullopt;
  Gathered gathered;
  gathered.table = header.rtm_table;
  gathered.route.to.address.family = *family;
  gathered.route.to.length = header.rtm_dst_len;
  gathered.route.protocol = header.rtm_protocol;
  for_each(payload, [&](const Attribute& attribute) { read_attribute(attribute, *family, gathered); });
  if (header.rtm_dst_len > gathered.route.to.address.size() * 8)
    throw Error("the kernel's answer is broken: a route's prefix is too long");
  const bool is_plain = header.rtm_type == RTN_UNICAST && header.rtm_src_len == 0 && header.rtm_tos == 0 &&
                        (header.rtm_flags & RTM_F_CLONED) == 0;
  if (!is_plain || !gathered.is_describable || gathered.table != RT_TABLE_MAIN || gathered.route.link == 0)
    return std::nullopt;
  return gathered.route;
}

Message route_dump(Family family, std::uint32_t link) {
  rtmsg header{};
  header.rtm_family = af_of(family);
  Message message(RTM_GETROUTE, NLM_F_DUMP);
  message.header(header).put_number(RTA_TABLE, std::uint32_t{RT_TABLE_MAIN});
  if (link != 0) message.put_number(RTA_OIF, link);
  return message;
}

Message route_add(const Route& route) {
  rtmsg header = header_of(route);
  const bool on_link = route.to.address.family == Family::v4 && !route.via;
  header.rtm_scope = on_link ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
  Message message(RTM_NEWROUTE, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
  put_route(message.header(header), route);
  return message;
}

Message route_delete(const Route& route) {
  rtmsg header = header_of(route);
  header.rtm_scope = RT_SCOPE_NOWHERE;  // fib_table_delete(): whatever the route's scope
  Message message(RTM_DELROUTE, NLM_F_ACK);
  put_route(message.header(header), route);
  return message;
}

}  // namespace rdmastate::codec
