// SPDX-License-Identifier: Apache-2.0
// Kind `bond`: a bond of IPoIB interfaces, of mode active-backup. Key: the text of its LinkId, "bond bond0". It
// disappears with its last port, with its driver and at a reboot. Twin: an entry of boot.json.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/bond_settings.hpp"
#include "resources/kind.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

/// Field by field what the table below says. nullopt: left alone; of an observed `ipv6`: the bond has no IPv6.
struct BondLink : BondSettings {
  IfName name;
  std::vector<LinkId> ports;
  std::optional<LinkId> primary;
  std::optional<std::uint32_t> mtu;
  std::optional<Ipv6Conf> ipv6;
  std::optional<bool> up;
  bool operator==(const BondLink&) const = default;
};

template <>
struct Fields<BondLink> {
  static constexpr std::string_view name = "bond";
  static constexpr std::string_view doc = "A bond of IPoIB interfaces.";
  static constexpr auto table = joined<BondLink>(
      Table{Field{"name", &BondLink::name, "The bond's name.", {.required = true, .identity = true}},
            Field{"ports", &BondLink::ports, "The identities of its ports."},
            Field{"primary", &BondLink::primary, "The port that carries the traffic whenever it can."}},
      Fields<BondSettings>::table,
      Table{Field{"mtu", &BondLink::mtu, "The IP MTU in bytes, of its ports too."},
            Field{"ipv6", &BondLink::ipv6, "What the kernel does about IPv6.", {.on_create = "link-local"}},
            Field{"up", &BondLink::up, "The bond is up.", {.on_create = "true"}}});
};

extern const Kind bond_kind;

/// The driver that bonds need.
inline constexpr std::string_view bond_module = "bonding";

/// The state of a bond that is there: its ports by GUID where the host knows it, in the order of their texts.
BondLink bond_state(const Snapshot& snapshot, const Link& bond);

/// Whether a bond that is there, with these ports, can be one of rdmastate's: its mode is active-backup, and all of its
/// ports are IPoIB interfaces. No other bond may be removed.
bool is_bond_of_ipoib(const Link& bond, std::span<const Link> ports);
/// The ports of a bond that is there.
std::vector<Link> ports_of(const Snapshot& snapshot, const Link& bond);

/// For `show`: the state of every bond of IPoIB interfaces, with its active port, carrier and addresses.
Json bonds_json(const Snapshot& snapshot);

}  // namespace rdmastate
