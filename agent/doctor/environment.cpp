// SPDX-License-Identifier: Apache-2.0
// Sources: "Environment Variables" of NCCL's user guide; `ucx_info -cf` of UCX 1.15; ompi(7) of Open MPI 4 and 5.
#include "doctor/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/link_local.hpp"
#include "doctor/gids.hpp"

namespace rdmastate::doctor {
namespace {

/// A port that the variables name.
struct Chosen {
  const RdmaDevice& device;
  const RdmaPort& port;
  std::string text() const { return fmt::format("{}:{}", device.name, port.number); }  ///< as NCCL and UCX write it
};

std::vector<Chosen> ports_of(Examination& look, LinkLayer layer) {
  std::vector<Chosen> ports;
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == layer && port.is_active() && !look.speaks_iwarp(device)) ports.push_back({device, port});
  return ports;
}

std::string joined(const std::vector<Chosen>& ports) {
  std::string text;
  for (const auto& one : ports) text += (text.empty() ? "" : ",") + one.text();
  return text;
}

// The interfaces over these ports that have an address which other hosts can reach.
std::string interfaces_of(Examination& look, const std::vector<Chosen>& ports) {
  std::vector<std::string> names;
  for (const auto& one : ports) {
    const Link* link = look.interface_of(one.device, one.port);
    if (link == nullptr || !link->carrier) continue;
    const auto addresses = look.snapshot.addresses(link->index);
    const bool has_one = std::any_of(addresses.begin(), addresses.end(),
                                     [](const Address& address) { return !is_link_local(address.value.address); });
    if (has_one && std::find(names.begin(), names.end(), link->name) == names.end()) names.push_back(link->name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

/// RoCE ports, and the indexes of the GIDs that NCCL takes of them.
struct RocePorts {
  std::vector<Chosen> ports;
  std::set<unsigned> indexes;
  std::string told;          ///< "3 on mlx5_0:1, 5 on mlx5_1:1"
  bool are_all_seen = true;  ///< a record has no GIDs of a port, for example
};

// Leaves out, with a remark, a port that NCCL cannot use.
RocePorts roce_ports(Examination& look, const std::vector<Chosen>& ports, Environment& to) {
  RocePorts found;
  for (const auto& one : ports) {
    const auto gids = gids_of(look, one.device, one.port);
    const auto index = usual_index(gids);
    if (!index && !gids.empty()) {
      to.remarks.push_back(
          fmt::format("{} has no RoCE v2 GID of an IPv4 address: NCCL cannot use it, and it is left out.", one.text()));
      continue;
    }
    found.ports.push_back(one);
    if (!index) {
      found.are_all_seen = false;
      to.remarks.push_back(fmt::format("The GIDs of {} could not be seen.", one.text()));
      continue;
    }
    found.indexes.insert(*index);
    found.told += fmt::format("{}{} on {}", found.told.empty() ? "" : ", ", *index, one.text());
  }
  return found;
}

// Adds NCCL_IB_GID_INDEX, or a remark where no one number fits: NCCL before 2.21 does not choose a GID by itself.
void add_index(const RocePorts& roce, Environment& to) {
  if (roce.indexes.size() == 1 && roce.are_all_seen)
    to.variables.push_back(
        {"NCCL_IB_GID_INDEX", std::to_string(*roce.indexes.begin()),
         "the RoCE v2 GID of the IPv4 address, on each of these ports; NCCL from 2.21 on finds it by itself"});
  if (roce.indexes.size() > 1)
    to.remarks.push_back(
        fmt::format("NCCL_IB_GID_INDEX and UCX_IB_GID_INDEX are one number for all adapters, and here it would "
                    "have to be {}: leave them unset, or use ports that agree.",
                    roce.told));
}

void add_ports(Examination& look, const std::vector<Chosen>& ports, std::string_view what, Environment& to) {
  to.variables.push_back({"NCCL_IB_HCA", "=" + joined(ports), fmt::format("{}, by their whole names", what)});
  to.variables.push_back({"UCX_NET_DEVICES", joined(ports), std::string(what)});
  if (const std::string names = interfaces_of(look, ports); !names.empty())
    to.variables.push_back({"NCCL_SOCKET_IFNAME", "=" + names, "their interfaces, for NCCL's first contact"});
  to.variables.push_back({"OMPI_MCA_pml", "ucx", "Open MPI reaches these ports by UCX"});
}

}  // namespace

Environment environment_of(Examination& look) {
  Environment made;
  const auto fabric = ports_of(look, LinkLayer::infiniband);
  const auto ethernet = ports_of(look, LinkLayer::ethernet);
  if (fabric.empty() && ethernet.empty())
    made.remarks.push_back("No port of InfiniBand or RoCE is ACTIVE: rdmastate doctor says why.");
  if (!fabric.empty()) {
    add_ports(look, fabric, "the InfiniBand ports that are ACTIVE", made);
    if (!ethernet.empty())
      made.remarks.push_back(
          fmt::format("{} left out: NCCL does not mix RoCE with InfiniBand.",
                      ethernet.size() == 1 ? ethernet.front().text() + " is" : joined(ethernet) + " are"));
    return made;
  }
  const RocePorts roce = roce_ports(look, ethernet, made);
  if (roce.ports.empty()) return made;
  add_ports(look, roce.ports, "the RoCE ports that are ACTIVE", made);
  add_index(roce, made);
  return made;
}

}  // namespace rdmastate::doctor
