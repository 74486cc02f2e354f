// SPDX-License-Identifier: Apache-2.0
// The checks of RoCE ports: the GIDs by which programs address a port, their indexes, and the active MTU. `table`, at
// the end, lists the checks.
#include <fmt/format.h>

#include <map>

#include "base/lines.hpp"
#include "base/link_local.hpp"
#include "base/text.hpp"
#include "doctor/gids.hpp"
#include "doctor/spec_lines.hpp"

namespace rdmastate::doctor {
namespace {

// Every ACTIVE RoCE port.
template <class Each>
void each_port(Examination& look, Each&& each) {
  for (const auto& device : look.facts.devices) {
    const bool ethernet = std::any_of(device.ports.begin(), device.ports.end(), [](const RdmaPort& port) {
      return port.link_layer == LinkLayer::ethernet && port.is_active();
    });
    if (!ethernet || look.speaks_iwarp(device)) continue;  // only a device with such a port is asked for its type
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::ethernet && port.is_active()) each(device, port);
  }
}

// As evidence: the GIDs of the port.
std::vector<Evidence> shown(const RdmaDevice& device, const RdmaPort& port, const std::vector<Gid>& gids) {
  std::vector<Evidence> all;
  for (const auto& gid : gids)
    all.push_back({fmt::format("{}gids/{}", sysfs_of(device, port), gid.index),
                   fmt::format("{} ({})", rdmastate::to_text(gid.address), kernel_word(gid.type))});
  return all;
}

// --- gid-missing

void look_for_missing(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    const Link* link = look.interface_of(device, port);
    if (link == nullptr || !link->up) return;
    const auto gids = gids_of(look, device, port);
    if (gids.empty()) return;
    for (const auto& address : look.snapshot.addresses(link->index)) {
      const IpAddress& wanted = address.value.address;
      const bool there = std::any_of(gids.begin(), gids.end(), [&](const Gid& gid) { return gid.address == wanted; });
      if (there || is_link_local(wanted) || address.tentative || address.duplicate) continue;
      look.found(subject_of(device, port),
                 fmt::format("{} has {}, and the port has no GID of it", link->name, rdmastate::to_text(address.value)),
                 "The GID table is full, or the kernel has not followed the address.",
                 fmt::format("Take the address from {} and add it again; unused addresses and VLANs fill the table.",
                             link->name),
                 shown(device, port, gids));
    }
  });
}

// --- roce-no-address, roce-v2-missing

void look_for_addresses(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    const auto gids = gids_of(look, device, port);
    if (gids.empty() ||
        !std::all_of(gids.begin(), gids.end(), [](const Gid& gid) { return is_link_local(gid.address); }))
      return;
    look.found(
        subject_of(device, port), "all GIDs of the port are link-local",
        "Its network device has no IP address, or only link-local ones.",
        "Give the network device an address; programs that choose a GID by IPv4 address (NCCL, UCX, rdma_cm) find none.",
        shown(device, port, gids));
  });
}

void look_for_v2(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    const auto gids = gids_of(look, device, port);
    if (gids.empty() || std::any_of(gids.begin(), gids.end(), [](const Gid& gid) { return gid.type == RoceMode::v2; }))
      return;
    look.found(subject_of(device, port), "the port has RoCE v1 GIDs alone",
               "The adapter cannot do RoCE v2, or the driver was told not to.",
               fmt::format("Where its peers can do both, v1 on all of them, here: {}; or another adapter.",
                           port_line(device, port, "roce: {default_mode: v1}")),
               shown(device, port, gids));
  });
}

// --- roce-default-v1

// Linux gives a port v2 wherever it has GIDs of it (cma_add_one(), drivers/infiniband/core/cma.c), so v1 was chosen.
void look_for_default(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    const auto gids = gids_of(look, device, port);
    if (std::none_of(gids.begin(), gids.end(), [](const Gid& gid) { return gid.type == RoceMode::v2; })) return;
    const auto defaults = look.snapshot.roce_defaults(device.name, port.number);
    if (!defaults || defaults->mode != RoceMode::v1) return;
    auto evidence = shown(device, port, gids);
    evidence.insert(evidence.begin(),
                    {fmt::format("rdma_cm: default_roce_mode of {} port {}", device.name, port.number),
                     std::string(kernel_word(defaults->mode))});
    look.found(subject_of(device, port), "rdma_cm connects by RoCE v1, although the port has GIDs of v2",
               "Somebody set it, for a peer that can do v1 alone.",
               fmt::format("Where all peers can do v2: {}.", port_line(device, port, "roce: {default_mode: v2}")),
               std::move(evidence));
  });
}

// --- gid-index-differs, gid-index-wrong

void look_for_differing(Examination& look) {
  std::map<unsigned, std::string> ports;
  std::vector<Evidence> evidence;
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    const auto index = usual_index(gids_of(look, device, port));
    if (!index) return;
    const std::string name = subject_of(device, port).name;
    evidence.push_back({"RoCE v2 GID of an IPv4 address of " + name, fmt::format("index {}", *index)});
    auto& list = ports[*index];
    list += (list.empty() ? "" : ", ") + name;
  });
  if (ports.size() < 2) return;
  std::string symptom = "the index of the RoCE v2 GID of an IPv4 address differs:";
  for (const auto& [index, names] : ports) symptom += fmt::format(" {} on {};", index, names);
  symptom.pop_back();
  look.found(
      {About::host, ""}, symptom, "Indexes are given in the order in which addresses came.",
      "Do not set NCCL_IB_GID_INDEX or UCX_IB_GID_INDEX for all adapters: leave the choice to NCCL (2.21 and later) and UCX, "
      "or set it per adapter.",
      evidence);
}

// NCCL_IB_GID_INDEX in a file of KEY=VALUE lines, such as nccl.conf and pam_env(8)'s /etc/environment.
std::optional<std::uint64_t> index_in(Examination& look, const std::string& path) {
  std::optional<std::uint64_t> index;
  const std::string text = look.text(path).value_or("");
  for_lines(text, [&](std::string_view line) {
    line = trimmed(line);
    if (line.starts_with("export ")) line = trimmed(line.substr(7));
    constexpr std::string_view key = "NCCL_IB_GID_INDEX=";
    if (!line.starts_with(key)) return;
    std::uint64_t value = 0;
    const std::string word(trimmed(line.substr(key.size()), " \t\r\"'"));
    if (!Text<std::uint64_t>::read({word, true}, value)) index = value;
  });
  return index;
}

constexpr std::string_view environments[] = {"/etc/nccl.conf", "/etc/environment"};

void look_for_wrong(Examination& look) {
  for (const auto path : environments) {
    const auto wanted = index_in(look, std::string(path));
    if (!wanted) continue;
    each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
      const auto gids = gids_of(look, device, port);
      const auto found = std::find_if(gids.begin(), gids.end(), [&](const Gid& gid) { return gid.index == *wanted; });
      if (gids.empty() || (found != gids.end() && found->type == RoceMode::v2)) return;
      auto evidence = shown(device, port, gids);
      evidence.insert(evidence.begin(), {std::string(path), fmt::format("NCCL_IB_GID_INDEX={}", *wanted)});
      look.found(subject_of(device, port),
                 fmt::format("{} says NCCL_IB_GID_INDEX={}, and {}", path, *wanted,
                             found == gids.end() ? "the port has no such GID" : "that GID is of RoCE v1"),
                 "Indexes move when addresses come and go.",
                 fmt::format("Take the line out of {}, or mend its number.", path), std::move(evidence));
    });
  }
}

// --- roce-mtu

// iboe_get_mtu() of include/rdma/ib_addr.h: what is left of the network device's MTU when all headers are off.
std::uint32_t active_mtu(std::uint32_t netdev_mtu) {
  constexpr std::uint32_t headers = 40 + 8 + 12 + 4 + 28 + 4;  // GRH, UDP, BTH, XRC, atomic, ICRC
  for (const std::uint32_t mtu : {4096U, 2048U, 1024U, 512U})
    if (netdev_mtu >= mtu + headers) return mtu;
  return 256;
}

void look_for_mtu(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    const Link* link = look.interface_of(device, port);
    if (link == nullptr || active_mtu(link->mtu) > 1024) return;
    look.found(
        subject_of(device, port), fmt::format("packets carry at most {} bytes", active_mtu(link->mtu)),
        fmt::format("{} has the MTU {}.", link->name, link->mtu),
        fmt::format(
            "Where all switches on the way can: devices.ports.mtu: 4200 (`ip link set {} mtu 4200`), and the same "
            "in the file that configures the interface.",
            link->name),
        {{"link " + link->name, fmt::format("mtu {}", link->mtu)}});
  });
}

constexpr Check roce_table[] = {
    {"gid-missing", Severity::error, "A RoCE port has no GID of an address of its network device",
     "The kernel gives a RoCE port one GID (of each RoCE version) per IP address of its network device. Peers that connect to "
     "an address without a GID fail, as do NCCL and UCX when they choose it.",
     look_for_missing},
    {"roce-no-address", Severity::info, "A RoCE port has link-local GIDs alone",
     "Without an IP address on the network device a RoCE port can be used by its link-local GID only, which most programs do "
     "not choose, and no router forwards.",
     look_for_addresses},
    {"roce-v2-missing", Severity::info, "A RoCE port has no GID of RoCE v2",
     "RoCE v2 travels in UDP and can be routed; ConnectX-3 (not Pro) can do v1 only. A v2 client does not reach a v1 server.",
     look_for_v2},
    {"roce-default-v1", Severity::info, "rdma_cm connects by RoCE v1 from a port that can do v2",
     "Programs that connect by address (rping, NFS, storage) leave the RoCE version to rdma_cm, which has one for each port. v1 "
     "is no UDP: routers do not forward it, and a peer that expects v2 does not answer. That is right where a peer, such as a "
     "ConnectX-3, can do v1 alone.",
     look_for_default},
    {"gid-index-differs", Severity::info, "The GID index that programs are given differs between adapters",
     "NCCL_IB_GID_INDEX and UCX_IB_GID_INDEX are one number for all adapters of a host, often copied from a guide as 3. The "
     "kernel gives indexes in the order in which addresses appear, so that adapters, hosts and boots differ. One number then "
     "cannot serve them all.",
     look_for_differing},
    {"gid-index-wrong", Severity::warning, "A GID index that is configured is not of a RoCE v2 GID",
     "NCCL_IB_GID_INDEX in /etc/nccl.conf or /etc/environment names an entry of the GID table which this port does not have, "
     "or which is of RoCE v1: NCCL then fails, or talks v1 to peers that expect v2.",
     look_for_wrong},
    {"roce-mtu", Severity::info, "A RoCE port's active MTU is at most 1024",
     "A RoCE packet has to fit the network device's MTU: 1500 leaves 1024 bytes, and 4200 is needed for 4096. Small packets "
     "cost throughput. Every switch on the way has to take the larger frames before hosts send them.",
     look_for_mtu},
};

// A record keeps only the lines that index_in() reads.
Kept keep_index(const FileToKeep& file) {
  std::string kept;
  for_lines(file.text, [&](std::string_view line) {
    if (has_word(line, "NCCL_IB_GID_INDEX")) kept += std::string(line) + "\n";
  });
  return kept_part(kept);
}

FilePlaces roce_places() {
  FilePlaces places = gid_places();
  for (const auto path : environments) places.push_back({std::string(path), keep_index});
  return places;
}

}  // namespace

const CheckFamily roce_checks{roce_table, roce_places};

}  // namespace rdmastate::doctor
