// SPDX-License-Identifier: Apache-2.0
// Kind `ipoib_link`: an IPoIB interface, a port's own or its child in a partition. Key: LinkId.
#pragma once

#include "resources/kind.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

struct IpoibLink {
  LinkId id;
  std::optional<IfName> name;
  std::optional<IpoibMode> mode;
  std::optional<std::uint32_t> mtu;
  std::optional<bool> umcast;
  std::optional<Ipv6Conf> ipv6;
  std::optional<bool> up;
  bool operator==(const IpoibLink&) const = default;
};

template <>
struct Fields<IpoibLink> {
  static constexpr std::string_view name = "ipoib_link";
  static constexpr std::string_view doc = "An IPoIB interface: a port's own, or its child in a partition.";
  static constexpr auto table = std::tuple{
      Field{"id", &IpoibLink::id, "The port, and for a child the P_Key.", {.required = true, .identity = true}},
      Field{"name", &IpoibLink::name, "The interface's name."},
      Field{"mode", &IpoibLink::mode, "The transport mode.", {.on_create = "datagram"}},
      Field{"mtu", &IpoibLink::mtu, "The IP MTU in bytes."},
      Field{"umcast", &IpoibLink::umcast, "User-space multicast groups are allowed.", {.on_create = "false"}},
      Field{"ipv6", &IpoibLink::ipv6, "What the kernel does about IPv6.", {.on_create = "link-local"}},
      Field{"up", &IpoibLink::up, "The interface is up.", {.on_create = "true"}},
  };
};

extern const Kind ipoib_link_kind;

/// What a bounce of this interface disturbs: its children, the addresses and routes on it.
std::vector<std::string> disturbed_with(const Snapshot& snapshot, const Link& link);

}  // namespace rdmastate
