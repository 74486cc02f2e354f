// SPDX-License-Identifier: Apache-2.0
// The field tables of section `ipoib`: what the reader, the schema, the man page and `explain` know of it.
#pragma once

#include "sections/ipoib/spec.hpp"

namespace rdmastate {

template <>
struct Fields<RouteRecord> {
  static constexpr std::string_view name = "route";
  static constexpr std::string_view doc = "A route out of this interface.";
  static constexpr auto table = Table{
      Field{"to",
            &RouteRecord::to,
            "The destination.",
            {.required = true, .identity = true, .example = "203.0.113.0/24"}},
      Field{"via",
            &RouteRecord::via,
            "The gateway; without one the destination is on the link.",
            {.example = "198.51.100.254"}},
      Field{"metric",
            &RouteRecord::metric,
            "The route's priority; the lower one wins. Without it the kernel's: 0 for IPv4, 1024 for IPv6.",
            {.example = "50"}},
  };
};

/// The field table that both IP blocks share.
template <class Method>
struct IpBlockFields {
  using Block = IpBlock<Method>;
  static constexpr auto table = Table{
      Field{"method", &Block::method, "Where addresses come from.", {.required = true}},
      Field{
          "addresses", &Block::addresses,
          "With method manual: addresses with their prefix lengths. Other addresses of the interface are left alone."},
      Field{"gateway", &Block::gateway, "The default route's gateway."},
      Field{"dns", &Block::dns, "Name servers. Needs a back end with a resolver."},
      Field{"search",
            &Block::search,
            "DNS search domains. Needs a back end with a resolver.",
            {.example = "[example.com]"}},
      Field{"routes", &Block::routes, "Further routes."},
  };
};

template <>
struct Fields<Ipv4Block> : IpBlockFields<Ipv4Method> {
  static constexpr std::string_view name = "ipv4";
  static constexpr std::string_view doc = "IPv4 on this interface.";
};

template <>
struct Fields<Ipv6Block> : IpBlockFields<Ipv6Method> {
  static constexpr std::string_view name = "ipv6";
  static constexpr std::string_view doc = "IPv6 on this interface.";
};

template <>
struct Fields<PortMatch> {
  static constexpr std::string_view name = "match";
  static constexpr std::string_view doc = "The port that the interface belongs to.";
  static constexpr auto table = Table{
      Field{"port_guid",
            &PortMatch::port_guid,
            "The port GUID, as ibstat prints it. Stable: prefer it.",
            {.example = "\"f4:52:14:03:00:7b:cb:a1\""}},
      Field{"device",
            &PortMatch::device,
            "The present name of an RDMA device; together with `port`.",
            {.example = "mlx4_1"}},
      Field{"port", &PortMatch::port, "The port's number, from 1; together with `device`.", {.example = "1"}},
  };
};

template <>
struct Fields<IpoibRecord> {
  static constexpr std::string_view name = "ipoib";
  static constexpr std::string_view doc =
      "An IPoIB interface: a port's own, or with parent and pkey its child in a partition.";
  static constexpr std::array<NeverKey, 3> never{
      {{"bridge", no_bridge},
       {"vlan", no_vlan},
       {"bond", "a bond is a record of section bonds, which names this interface among its ports"}}};
  static constexpr auto table = joined<IpoibRecord>(
      Table{
          Field{
              "name",
              &IpoibRecord::name,
              "The interface's name. With `match` the port's interface gets this name: now where it is down, or where NetworkManager or systemd-networkd manages it and may take it down for a moment (`--max-disruption link`); else at the next boot. Without match and parent it is the interface that has this name now. The default for a child is parent.XXXX.",
              {.identity = true, .merge_key = 1, .example = "mlx4_ib0"}},
          Field{"match", &IpoibRecord::match, "The port that the interface belongs to, by what does not change."},
          Field{
              "named_by",
              &IpoibRecord::named_by,
              "With `match`: what gives the interface its name when it appears. udev-rule matches the port's GUID. link-file is a file of systemd (systemd.link(5)) that matches the PCI function: refused where that function has a second port whose interface would match too.",
              {.on_create = "udev-rule", .example = "link-file"}},
          Field{"parent",
                &IpoibRecord::parent,
                "The port's interface that a child belongs to: another record of this spec.",
                {.merge_key = 2, .example = "mlx4_ib0"}},
          Field{"pkey",
                &IpoibRecord::pkey,
                "The child's partition key. The full-member bit 0x8000 is set by the kernel.",
                {.identity = true, .merge_key = 2, .example = "0x8002"}},
          Field{"absent", &IpoibRecord::absent, "true: this child must not exist, whoever created it."}},
      Fields<IpoibSettings>::table,
      Table{
          Field{
              "mtu",
              &IpoibRecord::mtu,
              "The IP MTU in bytes: up to 65520 in connected mode; in datagram mode 4 less than the InfiniBand MTU, 2044 or 4092 (10236 on Omni-Path). Multicast packets larger than the partition's group takes (2044 as a rule) are dropped whatever the mode.",
              {.example = "65520"}},
          Field{"ipv4", &IpoibRecord::ipv4, "IPv4 on this interface.", {.on_create = "{method: disabled}"}},
          Field{"ipv6", &IpoibRecord::ipv6, "IPv6 on this interface.", {.on_create = "{method: link-local}"}},
          Field{
              "profile",
              &IpoibRecord::profile,
              "The name of the interface's NetworkManager profile (connection.id), by which nmcli and nm-connection-editor call it. Without it the interface's name. Needs back end networkmanager.",
              {.example = "\"storage port\""}},
          Field{
              "profile_settings",
              &IpoibRecord::profile_settings,
              "Further settings of the interface's NetworkManager profile, as `nmcli connection modify` calls them, that no other field says. Each value is written as it stands here: give it as nm-settings-keyfile(5) has it. Needs back end networkmanager.",
              {.example = "{connection.zone: trusted, connection.autoconnect-priority: 10}"}},
      });
};

}  // namespace rdmastate
