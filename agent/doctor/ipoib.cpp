// SPDX-License-Identifier: Apache-2.0
// The checks of IPoIB interfaces: the interface's partition, and whether it could join its broadcast group.
#include <fmt/format.h>

#include "doctor/examination.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::uint32_t key_bits = 0x7fff, full_member = 0x8000;  // of a P_Key

/// An IPoIB interface that is up, the port it sends through, and its partition.
struct Interface {
  const Link& link;
  const RdmaDevice& device;
  const RdmaPort& port;
  PKey pkey;

  Subject subject() const { return {About::interface, link.name}; }
  std::string port_name() const { return fmt::format("{} port {}", device.name, port.number); }
  /// The port's P_Keys.
  Evidence table() const {
    constexpr std::size_t most_told = 8;  // of up to 1024
    std::string text;
    for (std::size_t i = 0; i < port.pkeys.size() && i < most_told; ++i)
      text += fmt::format("{}0x{:04x}", i == 0 ? "" : " ", port.pkeys[i]);
    if (port.pkeys.size() > most_told) text += fmt::format(" and {} more", port.pkeys.size() - most_told);
    return {sysfs_of(device, port) + "pkeys", text};
  }
  Evidence carrier() const { return {"link " + link.name, link.carrier ? "up, carrier" : "up, no carrier"}; }
};

/// The entry of the port's table for a P_Key: that of a full member where there is one, else of a limited one; 0: none.
std::uint32_t entry_of(const RdmaPort& port, PKey pkey) {
  std::uint32_t best = 0;
  for (const std::uint32_t entry : port.pkeys)
    if ((entry & key_bits) == (pkey.value & key_bits)) best = std::max(best, entry);
  return best;
}

// Every IPoIB interface that is up, with its port; a child's address has its port's GUID too.
template <class Each>
void each_interface(Examination& look, Each&& each) {
  if (look.facts.devices.empty()) return;
  for (const Link* link : look.snapshot.links()) {
    if (!link->is_ipoib() || !link->ipoib || !link->up) continue;
    for (const auto& device : look.facts.devices)
      for (const auto& port : device.ports)
        if (port.guid == link->port_guid() && port.guid.value != 0)
          each(Interface{*link, device, port, link->ipoib->pkey});
  }
}

void look_for_pkey(Examination& look) {
  each_interface(look, [&](const Interface& one) {
    if (!is_port_active(one.port) || one.port.pkeys.empty() || entry_of(one.port, one.pkey) != 0) return;
    look.found(
        one.subject(), fmt::format("P_Key {} is not in the partition table of {}", to_text(one.pkey), one.port_name()),
        "The subnet manager has not made this port a member of the partition.",
        "Ask the subnet manager's administrator, or add the port's GUID to subnet_manager.partitions of the host that "
        "runs it.",
        {one.table(), one.carrier()});
  });
}

void look_for_limited(Examination& look) {
  each_interface(look, [&](const Interface& one) {
    const std::uint32_t entry = entry_of(one.port, one.pkey);
    if (!is_port_active(one.port) || entry == 0 || (entry & full_member) != 0) return;
    look.found(one.subject(), fmt::format("{} is a limited member of {}", one.port_name(), to_text(one.pkey)),
               "Limited members reach full members only, and not each other.",
               "Where two such hosts are to talk, give one of them full membership: subnet_manager.partitions.members.",
               {one.table()});
  });
}

void look_for_carrier(Examination& look) {
  each_interface(look, [&](const Interface& one) {
    const bool member = entry_of(one.port, one.pkey) != 0;
    if (one.link.carrier || !is_port_active(one.port) || one.port.sm_lid == 0 || !member) return;
    look.found(
        one.subject(),
        fmt::format("no carrier, while {} is ACTIVE and has P_Key {}", one.port_name(), to_text(one.pkey)),
        "The port could not join the partition's broadcast group: the group's rate is above the port's, its MTU above "
        "the port's, its Q_Key is another one, or the partition has no IPoIB group.",
        fmt::format("In subnet_manager.partitions: {{pkey: {}, ipoib: true, rate: ..., mtu: ...}} that the slowest "
                    "member can do; `saquery -g` shows the groups.",
                    to_text(one.pkey)),
        {one.carrier(), one.table(), {sysfs_of(one.device, one.port) + "rate", one.port.rate}});
  });
}

constexpr Check table[] = {
    {"pkey-missing", Severity::error, "An IPoIB interface's P_Key is not in its port's table",
     "The subnet manager writes each port's table of partitions. An interface whose P_Key is not there has no carrier until "
     "it is; only the manager's administrator can change that.",
     look_for_pkey},
    {"pkey-limited", Severity::info, "A port is a limited member of an IPoIB interface's partition",
     "Bit 15 of the table's entry is clear. A limited member talks with full members only: right for clients of a server, "
     "and a fault where clients have to reach each other, or where UCX picks a partition in which the peer is limited too.",
     look_for_limited},
    {"ipoib-no-carrier", Severity::error, "An IPoIB interface has no carrier, although port and partition are well",
     "IPoIB has carrier when it has joined its broadcast group at the subnet manager. A manager refuses members that cannot "
     "do the group's rate or MTU, or that ask with another Q_Key; and without `ipoib` in partitions.conf OpenSM has no such "
     "group. OpenSM's groups have rate 3 (10 Gb/s) and MTU 4 (2048) unless the file says otherwise.",
     look_for_carrier},
};

FilePlaces read_places() { return {}; }

}  // namespace

const CheckFamily ipoib_checks{table, read_places};

}  // namespace rdmastate::doctor
