// SPDX-License-Identifier: Apache-2.0
// Kind `ipoib_link`: an IPoIB interface, a port's own or its child in a partition. Key: the text of its LinkId, "port
// f452:1403:007b:cba1 pkey 0x8002". Twin: the file of a back end, or boot.json.
#pragma once

#include "host/ipoib_settings.hpp"
#include "resources/kind.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

/// Field by field what the table below says. nullopt: left alone; of an observed `ipv6`: the interface has no IPv6.
struct IpoibLink : IpoibSettings {
  LinkId id;
  std::optional<IfName> name;
  std::optional<std::uint32_t> mtu;
  std::optional<Ipv6Conf> ipv6;
  std::optional<bool> up;
  bool operator==(const IpoibLink&) const = default;
};

template <>
struct Fields<IpoibLink> {
  static constexpr std::string_view name = "ipoib_link";
  static constexpr std::string_view doc = "An IPoIB interface: a port's own, or its child in a partition.";
  static constexpr auto table = joined<IpoibLink>(
      Table{Field{"id", &IpoibLink::id, "The port, and for a child the P_Key.", {.required = true, .identity = true}},
            Field{"name", &IpoibLink::name, "The interface's name."}},
      Fields<IpoibSettings>::table,
      Table{Field{"mtu", &IpoibLink::mtu, "The IP MTU in bytes."},
            Field{"ipv6", &IpoibLink::ipv6, "What the kernel does about IPv6.", {.on_create = "link-local"}},
            Field{"up", &IpoibLink::up, "The interface is up.", {.on_create = "true"}}});
};

extern const Kind ipoib_link_kind;

/// The key of an IPoIB interface that is there.
std::string ipoib_link_key(const Snapshot& snapshot, const Link& link);
/// The addresses and routes of an interface or bond, without those that the kernel makes by itself: link-local
/// addresses, and routes that follow from addresses or from routers.
std::vector<Ref> what_is_on(const Snapshot& snapshot, const LinkId& id);
/// For `show`: adds `carrier` and `addresses` of an interface to its entry.
void add_live_facts(const Snapshot& snapshot, const Link& link, Json& entry);
/// For `show`: the state of every IPoIB interface that is there, with P_Key, carrier and addresses.
Json interfaces_json(const Snapshot& snapshot);

}  // namespace rdmastate
