// SPDX-License-Identifier: Apache-2.0
// The checks of IPoIB interfaces: the interface's partition, whether it could join its broadcast group, and the MTU
// that it got there.
#include <fmt/format.h>

#include <set>

#include "doctor/examination.hpp"
#include "doctor/spec_lines.hpp"
#include "sections/ipoib/asked.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::uint32_t key_bits = 0x7fff, full_member = 0x8000;  // of a P_Key

bool is_default(PKey pkey) { return (pkey.value | full_member) == PKey::default_partition; }

// As evidence: the port's P_Keys.
Evidence table_of(const RdmaDevice& device, const RdmaPort& port) {
  constexpr std::size_t most_told = 8;  // of up to 1024
  std::string text;
  for (std::size_t i = 0; i < port.pkeys.size() && i < most_told; ++i)
    text += fmt::format("{}0x{:04x}", i == 0 ? "" : " ", port.pkeys[i]);
  if (port.pkeys.size() > most_told) text += fmt::format(" and {} more", port.pkeys.size() - most_told);
  return {sysfs_of(device, port) + "pkeys", text};
}

/// An IPoIB interface that is up, the port it sends through, and its partition.
struct Interface {
  const Link& link;
  const RdmaDevice& device;
  const RdmaPort& port;
  PKey pkey;

  Subject subject() const { return {About::interface, link.name}; }
  std::string port_name() const { return fmt::format("{} port {}", device.name, port.number); }
  Evidence table() const { return table_of(device, port); }
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
    if (!one.port.is_active() || one.port.pkeys.empty() || entry_of(one.port, one.pkey) != 0) return;
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
    if (!one.port.is_active() || entry == 0 || (entry & full_member) != 0) return;
    look.found(one.subject(), fmt::format("{} is a limited member of {}", one.port_name(), to_text(one.pkey)),
               "Limited members reach full members only, and not each other.",
               "Where two such hosts are to talk, give one of them full membership: subnet_manager.partitions.members.",
               {one.table()});
  });
}

// What the subnet manager's host says for a group that every port can join.
std::string widest_group(const Interface& one) {
  if (is_default(one.pkey))
    return "subnet_manager.default_mtu: 2048, beside subnet_manager.partitions, which makes the group anew";
  return partition_line(one.pkey, one.port, "ipoib: true, rate: 10, mtu: 2048") +
         ", with the partition's name and its other members";
}

// Ports of which an interface is told as a limited member already.
std::set<std::string> told_ports(Examination& look) {
  std::set<std::string> ports;
  each_interface(look, [&](const Interface& one) {
    if (entry_of(one.port, one.pkey) != 0 && (entry_of(one.port, one.pkey) & full_member) == 0)
      ports.insert(one.port_name());
  });
  return ports;
}

void look_for_limited_alone(Examination& look) {
  std::optional<std::set<std::string>> told;
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports) {
      const bool has_full = std::any_of(port.pkeys.begin(), port.pkeys.end(),
                                        [](std::uint32_t entry) { return (entry & full_member) != 0; });
      if (port.link_layer != LinkLayer::infiniband || !port.is_active() || port.pkeys.empty() || has_full) continue;
      if (!told) told = told_ports(look);
      if (told->contains(fmt::format("{} port {}", device.name, port.number))) continue;
      look.found(subject_of(device, port), "the port is a limited member of all its partitions",
                 "Limited members reach full members only: UCX and MPI between two such ports fail.",
                 "Where it is to talk to such a port, give one of them full membership: "
                 "subnet_manager.partitions.members.",
                 {table_of(device, port)});
    }
}

void look_for_carrier(Examination& look) {
  each_interface(look, [&](const Interface& one) {
    const bool member = entry_of(one.port, one.pkey) != 0;
    if (one.link.carrier || !one.port.is_active() || one.port.sm_lid == 0 || !member) return;
    look.found(
        one.subject(),
        fmt::format("no carrier, while {} is ACTIVE and has P_Key {}", one.port_name(), to_text(one.pkey)),
        "The port could not join the partition's broadcast group: the group's rate is above the port's, its MTU above "
        "the port's, its Q_Key is another one, or the partition has no IPoIB group.",
        fmt::format("`saquery -g` shows the groups. On the host with the subnet manager: {}.", widest_group(one)),
        {one.carrier(), one.table(), {sysfs_of(one.device, one.port) + "rate", one.port.rate}});
  });
}

// Whether the kernel may have given the interface less than it was asked for: a datagram interface that has joined.
bool is_joined(const Link& link) { return link.up && link.carrier && link.ipoib->mode == IpoibMode::datagram; }

// What the subnet manager's host says for a larger group.
std::string larger_group(const Interface& one) {
  if (is_default(one.pkey)) return "subnet_manager.default_mtu: 4096, beside subnet_manager.partitions";
  return partition_line(one.pkey, one.port, "ipoib: true, mtu: 4096") +
         ", with the partition's name and its other members";
}

// Whether the driver does connected mode, by the first byte of the hardware address (IPOIB_FLAGS_RC, ib_ipoib).
bool can_connect(const Link& link) {
  constexpr unsigned char flag = 0x80;
  return !link.address.empty() && (static_cast<unsigned char>(link.address[0]) & flag) != 0;
}

void look_for_refused(Examination& look) {
  std::optional<std::vector<Asked<IpoibMode>>> asked;  // read where an interface cannot connect
  each_interface(look, [&](const Interface& one) {
    if (can_connect(one.link) || one.link.address.empty() || one.link.ipoib->mode == IpoibMode::connected) return;
    if (!asked) asked = asked_modes(look.snapshot, look.facts);
    for (const auto& file : *asked) {
      if (file.interface != one.link.name || file.value != IpoibMode::connected) continue;
      look.found(
          one.subject(),
          fmt::format("{} asks for connected mode, which the driver of {} refuses", file.source, one.device.name),
          "Bit 7 of the interface's hardware address is clear, as of Enhanced IPoIB (mlx5): it has no connected mode.",
          "ipoib.mode: datagram, and an MTU that datagram mode has (ipoib.mtu: 4092 or less).",
          {{file.source, "connected"},
           {"link " + one.link.name, fmt::format("address {:02x}:...", one.link.address[0] & 0xff)}});
    }
  });
}

void look_for_clamped(Examination& look) {
  constexpr std::uint32_t most_of_datagram = 10236;  // Omni-Path's 10 KiB, less IPOIB_ENCAP_LEN
  bool has_joined = false;
  each_interface(look, [&](const Interface& one) { has_joined = has_joined || is_joined(one.link); });
  if (!has_joined) return;
  const auto asked = asked_mtus(look.snapshot, look.facts);
  each_interface(look, [&](const Interface& one) {
    const auto found =
        std::find_if(asked.begin(), asked.end(), [&](const auto& other) { return other.interface == one.link.name; });
    if (found == asked.end() || !is_joined(one.link) || one.link.mtu >= found->value) return;
    const bool is_connected = found->value > most_of_datagram;
    if (is_connected && !can_connect(one.link)) return;  // connected-refused tells more
    look.found(
        one.subject(), fmt::format("its MTU is {}, and {} asks for {}", one.link.mtu, found->source, found->value),
        is_connected
            ? "The interface is in datagram mode, and such an MTU is one of connected mode."
            : "The partition's broadcast group, or the port, has a smaller MTU: the kernel takes the smaller one.",
        is_connected
            ? "ipoib.mode: connected, where the driver can; or the MTU that the interface has."
            : fmt::format("Where all members can, on the host with the subnet manager: {}; else ipoib.mtu: {}.",
                          larger_group(one), one.link.mtu),
        {{"link " + one.link.name, fmt::format("datagram, mtu {}", one.link.mtu)},
         {found->source, fmt::format("mtu {}", found->value)}});
  });
}

constexpr Check ipoib_table[] = {
    {"pkey-missing", Severity::error, "An IPoIB interface's P_Key is not in its port's table",
     "The subnet manager writes each port's table of partitions. An interface whose P_Key is not there has no carrier until "
     "it is; only the manager's administrator can change that.",
     look_for_pkey},
    {"pkey-limited", Severity::info, "A port is a limited member of an IPoIB interface's partition",
     "Bit 15 of the table's entry is clear. A limited member talks with full members only: right for clients of a server, "
     "and a fault where clients have to reach each other, or where UCX picks a partition in which the peer is limited too.",
     look_for_limited},
    {"port-limited", Severity::info, "A port is a limited member of all its partitions",
     "Bit 15 is clear in every entry of the port's table of partitions, so it talks with full members only. UCX takes the "
     "first P_Key of the table unless UCX_IB_PKEY says another one, and two limited members never connect. Right for "
     "clients of a storage server; wrong for the nodes of one job. Where an IPoIB interface is concerned, pkey-limited "
     "says so instead.",
     look_for_limited_alone},
    {"ipoib-no-carrier", Severity::error, "An IPoIB interface has no carrier, although port and partition are well",
     "IPoIB has carrier when it has joined its broadcast group at the subnet manager. A manager refuses members that cannot "
     "do the group's rate or MTU, or that ask with another Q_Key; and without `ipoib` in partitions.conf OpenSM has no such "
     "group. OpenSM's groups have rate 3 (10 Gb/s) and MTU 4 (2048) unless the file says otherwise.",
     look_for_carrier},
    {"connected-refused", Severity::warning, "A file asks an IPoIB interface for a mode that its driver refuses",
     "The kernel answers EINVAL to connected mode where bit 7 of the hardware address's first byte is clear, as it is of "
     "mlx5's Enhanced IPoIB. The interface then stays in datagram mode, with at most 4092 (Omni-Path: 10236) bytes, "
     "or, with NetworkManager, its profile does not come up.",
     look_for_refused},
    {"ipoib-mtu-clamped", Severity::warning, "An IPoIB interface has a smaller MTU than its file asks for",
     "In datagram mode the kernel takes any MTU without an error, and uses the smaller one of it and of the partition's "
     "broadcast group less 4. OpenSM gives a group 2048 unless partitions.conf says more, so that 4092 becomes 2044. Hosts of "
     "one partition with different MTUs lose large packets. Read are boot.json, profiles of NetworkManager and .network files; "
     "an MTU that was set by hand stands nowhere.",
     look_for_clamped},
};

FilePlaces ipoib_places() { return {}; }

}  // namespace

const CheckFamily ipoib_checks{ipoib_table, ipoib_places};

}  // namespace rdmastate::doctor
