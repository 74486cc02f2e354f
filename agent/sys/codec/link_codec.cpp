// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/link_codec.hpp"

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/ipv6.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cstring>
#include <iterator>

#include "base/error.hpp"

namespace rdmastate::codec {
namespace {

constexpr std::string_view ipoib_kind = "ipoib";
constexpr std::string_view bond_kind = "bond";

IpoibMode mode_from(std::uint16_t mode) {
  if (mode > static_cast<std::uint16_t>(IpoibMode::connected))
    throw Error("the kernel's answer is broken: " + std::to_string(mode) + " is no IPoIB mode");
  return static_cast<IpoibMode>(mode);
}

/// A field of IpoibSettings as the attribute of IFLA_INFO_DATA that it is (linux/if_link.h); all of them are u16.
struct SettingAttribute {
  std::uint16_t type;
  std::string_view field;
  std::optional<std::uint16_t> (*give)(const IpoibSettings&);  ///< to the kernel; nullopt: it is not set
  void (*take)(std::uint16_t, IpoibSettings&);                 ///< from the kernel's value
};

template <auto Member>
std::optional<std::uint16_t> given(const IpoibSettings& wanted) {
  const auto& value = wanted.*Member;
  return value ? std::optional(static_cast<std::uint16_t>(*value)) : std::nullopt;
}

template <auto Member>
void take_flag(std::uint16_t value, IpoibSettings& to) {
  to.*Member = value != 0;
}

constexpr SettingAttribute setting_attributes[] = {
    {IFLA_IPOIB_MODE, "mode", given<&IpoibSettings::mode>,
     [](std::uint16_t value, IpoibSettings& to) { to.mode = mode_from(value); }},
    {IFLA_IPOIB_UMCAST, "umcast", given<&IpoibSettings::umcast>, take_flag<&IpoibSettings::umcast>},
};
static_assert(std::size(setting_attributes) == Fields<IpoibSettings>::table.size);

// A setting that the kernel does not send has the value that the kernel gives to a new interface.
IpoibInfo ipoib_from(Bytes data) {
  IpoibInfo info{new_ipoib_settings(), {}};
  for_each(data, [&](const Attribute& attribute) {
    if (attribute.type == IFLA_IPOIB_PKEY) info.pkey.value = number<std::uint16_t>(attribute) | PKey::full_member;
    for (const auto& row : setting_attributes)
      if (attribute.type == row.type) row.take(number<std::uint16_t>(attribute), info);
  });
  return info;
}

/// IFLA_BOND_ARP_IP_TARGET: a list whose elements are IPv4 addresses, numbered by their types.
std::vector<IpAddress> targets_from(Bytes list) {
  std::vector<IpAddress> targets;
  for_each(list, [&](const Attribute& one) {
    IpAddress target{Family::v4, {}};
    if (one.payload.size() < 4) detail::too_short("IFLA_BOND_ARP_IP_TARGET", one.payload.size(), 4);
    std::memcpy(target.bytes.data(), one.payload.data(), 4);
    targets.push_back(target);
  });
  return targets;
}

BondMode bond_mode_from(std::uint8_t mode) {
  if (mode > static_cast<std::uint8_t>(BondMode::balance_alb))
    throw Error("the kernel's answer is broken: " + std::to_string(mode) + " is no mode of a bond");
  return static_cast<BondMode>(mode);
}

BondInfo bond_from(Bytes data) {
  BondInfo info{{0U, 0U, std::vector<IpAddress>{}}};
  for_each(data, [&](const Attribute& attribute) {
    switch (attribute.type) {
      case IFLA_BOND_MODE:
        info.mode = bond_mode_from(number<std::uint8_t>(attribute));
        break;
      case IFLA_BOND_MIIMON:
        info.miimon = number<std::uint32_t>(attribute);
        break;
      case IFLA_BOND_ARP_INTERVAL:
        info.arp_interval = number<std::uint32_t>(attribute);
        break;
      case IFLA_BOND_ARP_IP_TARGET:
        info.arp_targets = targets_from(attribute.payload);
        break;
      case IFLA_BOND_PRIMARY:
        info.primary = number<std::uint32_t>(attribute);
        break;
      case IFLA_BOND_ACTIVE_SLAVE:
        info.active = number<std::uint32_t>(attribute);
        break;
      default:
        break;
    }
  });
  return info;
}

/// The attributes of IFLA_INFO_DATA that set a bond's options. Of the monitors the kernel takes one alone: the one that
/// is turned on is said, and it turns the other one off.
void put_bond(Message& data, const BondSettings& wanted) {
  if (wanted.arp_targets)
    data.nest(IFLA_BOND_ARP_IP_TARGET, [&](Message& list) {
      std::uint16_t at = 0;
      for (const auto& target : *wanted.arp_targets)
        list.put(at++, Bytes(reinterpret_cast<const std::byte*>(target.bytes.data()), 4));
    });
  if (wanted.miimon && (*wanted.miimon != 0 || !wanted.arp_interval)) data.put_number(IFLA_BOND_MIIMON, *wanted.miimon);
  if (wanted.arp_interval && (*wanted.arp_interval != 0 || !wanted.miimon))
    data.put_number(IFLA_BOND_ARP_INTERVAL, *wanted.arp_interval);
}

/// IFLA_LINKINFO. The kind says what the data is, and may come behind it.
void read_kind(Bytes info, Link& link) {
  std::optional<Attribute> data;
  for_each(info, [&](const Attribute& attribute) {
    if (attribute.type == IFLA_INFO_KIND) link.kind = text(attribute);
    if (attribute.type == IFLA_INFO_DATA) data = attribute;
  });
  if (link.kind == ipoib_kind && data) link.ipoib = ipoib_from(data->payload);
  if (link.kind == bond_kind && data) link.bond = bond_from(data->payload);
}

/// IFLA_INET6_CONF is an array of int32 by DEVCONF_*; kernels differ in how many they know.
Ipv6Conf ipv6_from(Bytes conf) {
  if (conf.size() % sizeof(std::int32_t) != 0)
    detail::too_short("IFLA_INET6_CONF", conf.size(), conf.size() / 4 * 4 + 4);
  const auto at = [&](std::size_t index) {
    std::int32_t value = 0;
    if (index < conf.size() / sizeof value) std::memcpy(&value, conf.data() + index * sizeof value, sizeof value);
    return value;
  };
  if (at(DEVCONF_DISABLE_IPV6) != 0) return Ipv6Conf::disabled;
  // accept_ra is 1: unless this interface forwards; 2: always (ip-sysctl).
  const bool takes_advertisements =
      at(DEVCONF_ACCEPT_RA) >= 2 || (at(DEVCONF_ACCEPT_RA) == 1 && at(DEVCONF_FORWARDING) == 0);
  return takes_advertisements ? Ipv6Conf::automatic : Ipv6Conf::link_local;
}

/// IFLA_AF_SPEC. nullopt: the interface has no IPv6.
std::optional<Ipv6Conf> read_families(Bytes families) {
  const auto inet6 = find(families, AF_INET6);
  if (!inet6) return std::nullopt;
  const auto conf = find(inet6->payload, IFLA_INET6_CONF);
  if (!conf) return std::nullopt;
  return ipv6_from(conf->payload);
}

/// The header of a request about one link; 0: about all, or about none yet.
ifinfomsg header_of(std::uint32_t index) {
  ifinfomsg header{};
  header.ifi_family = AF_UNSPEC;
  header.ifi_index = static_cast<int>(index);
  return header;
}

/// A request that changes a link; the caller adds what is to change.
Message change(std::uint32_t index) { return std::move(Message(RTM_NEWLINK, NLM_F_ACK).header(header_of(index))); }

/// A request that sets one attribute of IFLA_INFO_DATA.
Message change_ipoib(std::uint32_t index, std::uint16_t type, std::uint16_t value) {
  Message message = change(index);
  message.nest(IFLA_LINKINFO, [&](Message& info) {
    info.put_text(IFLA_INFO_KIND, ipoib_kind);
    info.nest(IFLA_INFO_DATA, [&](Message& data) { data.put_number(type, value); });
  });
  return message;
}

/// The two attributes that Link::parent follows from. They are kept until all are read, since they come in any order.
struct Gathered {
  std::uint32_t parent = 0;  ///< IFLA_LINK; 0 or the link's own index: it has no parent
  bool elsewhere = false;    ///< IFLA_LINK_NETNSID is there: the parent is in another network namespace
};

void read_attribute(const Attribute& attribute, Link& link, Gathered& gathered) {
  switch (attribute.type) {
    case IFLA_IFNAME:
      link.name = text(attribute);
      break;
    case IFLA_ADDRESS:
      link.address.assign(reinterpret_cast<const char*>(attribute.payload.data()), attribute.payload.size());
      break;
    case IFLA_LINK:
      gathered.parent = number<std::uint32_t>(attribute);
      break;
    case IFLA_MASTER:
      link.master = number<std::uint32_t>(attribute);
      break;
    case IFLA_LINK_NETNSID:
      gathered.elsewhere = true;
      break;
    case IFLA_CARRIER:
      link.carrier = number<std::uint8_t>(attribute) != 0;
      break;
    case IFLA_MTU:
      link.mtu = number<std::uint32_t>(attribute);
      break;
    case IFLA_MAX_MTU:
      link.max_mtu = number<std::uint32_t>(attribute);
      break;
    case IFLA_LINKINFO:
      read_kind(attribute.payload, link);
      break;
    case IFLA_AF_SPEC:
      link.ipv6 = read_families(attribute.payload);
      break;
    default:
      break;
  }
}

}  // namespace

Link link_from(Bytes payload) {
  const auto header = take_header<ifinfomsg>(payload);
  Link link;
  link.index = static_cast<std::uint32_t>(header.ifi_index);
  link.type = header.ifi_type;
  link.up = (header.ifi_flags & IFF_UP) != 0;
  Gathered gathered;
  for_each(payload, [&](const Attribute& attribute) { read_attribute(attribute, link, gathered); });
  if (gathered.elsewhere && gathered.parent != 0)
    link.parent = Link::parent_elsewhere;
  else if (gathered.parent != link.index)
    link.parent = gathered.parent;
  return link;
}

Message link_dump() {
  return std::move(Message(RTM_GETLINK, NLM_F_DUMP)
                       .header(header_of(0))
                       .put_number(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS}));
}

Message link_get(const std::string& name) {
  return std::move(Message(RTM_GETLINK, 0)
                       .header(header_of(0))
                       .put_text(IFLA_IFNAME, name)
                       .put_number(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS}));
}

Message link_create(const NewIpoib& wanted) {
  Message message(RTM_NEWLINK, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
  message.header(header_of(0)).put_number(IFLA_LINK, wanted.parent).put_text(IFLA_IFNAME, wanted.name);
  message.nest(IFLA_LINKINFO, [&](Message& info) {
    info.put_text(IFLA_INFO_KIND, ipoib_kind);
    info.nest(IFLA_INFO_DATA, [&](Message& data) {
      data.put_number(IFLA_IPOIB_PKEY, wanted.pkey.value);
      for (const auto& row : setting_attributes)
        if (const auto value = row.give(wanted)) data.put_number(row.type, *value);
    });
  });
  return message;
}

// fail_over_mac is active: the kernel sets that by itself for the first port of IPoIB, and takes nothing else then.
Message bond_create(const NewBond& wanted) {
  constexpr std::uint8_t active_mac = 1;  // BOND_FOM_ACTIVE
  Message message(RTM_NEWLINK, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
  message.header(header_of(0)).put_text(IFLA_IFNAME, wanted.name);
  if (wanted.mtu != 0) message.put_number(IFLA_MTU, wanted.mtu);
  message.nest(IFLA_LINKINFO, [&](Message& info) {
    info.put_text(IFLA_INFO_KIND, bond_kind);
    info.nest(IFLA_INFO_DATA, [&](Message& data) {
      data.put_number(IFLA_BOND_MODE, static_cast<std::uint8_t>(BondMode::active_backup));
      data.put_number(IFLA_BOND_FAIL_OVER_MAC, active_mac);
      put_bond(data, wanted);
    });
  });
  return message;
}

Message bond_change(std::uint32_t index, const BondChange& wanted) {
  Message message = change(index);
  message.nest(IFLA_LINKINFO, [&](Message& info) {
    info.put_text(IFLA_INFO_KIND, bond_kind);
    info.nest(IFLA_INFO_DATA, [&](Message& data) {
      put_bond(data, wanted);
      if (wanted.primary) data.put_number(IFLA_BOND_PRIMARY, *wanted.primary);
    });
  });
  return message;
}

Message link_set_master(std::uint32_t index, std::uint32_t master) {
  return std::move(change(index).put_number(IFLA_MASTER, master));
}

Message link_delete(std::uint32_t index) { return std::move(Message(RTM_DELLINK, NLM_F_ACK).header(header_of(index))); }

std::vector<SettingMessage> link_settings(std::uint32_t index, const IpoibSettings& wanted) {
  std::vector<SettingMessage> messages;
  for (const auto& row : setting_attributes)
    if (const auto value = row.give(wanted)) messages.push_back({row.field, change_ipoib(index, row.type, *value)});
  return messages;
}

Message link_set_mtu(std::uint32_t index, std::uint32_t mtu) {
  return std::move(change(index).put_number(IFLA_MTU, mtu));
}

Message link_set_name(std::uint32_t index, const std::string& name) {
  return std::move(change(index).put_text(IFLA_IFNAME, name));
}

Message link_drop_altname(std::uint32_t index, const std::string& name) {
  Message message(RTM_DELLINKPROP, NLM_F_ACK);
  message.header(header_of(index));
  return std::move(message.nest(IFLA_PROP_LIST, [&](Message& list) { list.put_text(IFLA_ALT_IFNAME, name); }));
}

Message link_set_up(std::uint32_t index, bool up) {
  ifinfomsg header = header_of(index);
  header.ifi_flags = up ? unsigned{IFF_UP} : 0U;
  header.ifi_change = IFF_UP;
  return std::move(Message(RTM_NEWLINK, NLM_F_ACK).header(header));
}

}  // namespace rdmastate::codec
