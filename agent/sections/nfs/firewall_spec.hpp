// SPDX-License-Identifier: Apache-2.0
// What a spec says of the firewall in front of an NFS server.
#pragma once

#include <optional>
#include <string>

#include "base/fields.hpp"

namespace rdmastate {

/// A zone of firewalld: its name, as firewalld takes it (is_firewall_zone()).
struct FirewallZoneName {
  std::string value;
  auto operator<=>(const FirewallZoneName&) const = default;
};

template <>
struct Text<FirewallZoneName> {
  static constexpr std::string_view wanted = "the name of a zone of firewalld, such as internal";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, FirewallZoneName& out);
  static std::string print(const FirewallZoneName& zone) { return zone.value; }
};

struct NfsFirewall {
  FirewallZoneName zone;
  std::optional<bool> roce = {};

  bool opens_roce() const { return roce.value_or(false); }
};

template <>
struct Fields<NfsFirewall> {
  static constexpr std::string_view name = "firewall";
  static constexpr std::string_view doc =
      "The zone of firewalld that lets the server's clients in. What the adapter carries itself never meets this firewall: InfiniBand, RoCE and iWARP adapters bypass it, and so need no entry. Software does: siw listens on rdma_port of TCP, and rxe takes all that it gets on UDP 4791 (roce). What others let in stays theirs.";
  static constexpr auto table = Table{
      Field{
          "zone",
          &NfsFirewall::zone,
          "The zone gets rdma_port of TCP and of UDP, as Red Hat's guides have it; no transport in use needs that of UDP. A zone that firewalld does not have is blocked, and none is made.",
          {.required = true, .example = "internal"}},
      Field{
          "roce",
          &NfsFirewall::roce,
          "true: UDP 4791 too, which a server on a rxe device needs. It is the port of RoCE v2 as a whole: each RDMA service of this host is then reached through the zone.",
          {.on_create = "false", .example = "true"}},
  };
};

}  // namespace rdmastate
