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
      if (port.link_layer == layer && is_port_active(port) && !look.speaks_iwarp(device))
        ports.push_back({device, port});
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

// Adds NCCL_IB_GID_INDEX, or a remark where no one number fits: NCCL before 2.21 does not choose a GID by itself.
void add_index(Examination& look, const std::vector<Chosen>& ports, Environment& to) {
  std::set<unsigned> indexes;
  std::string told;
  for (const auto& one : ports) {
    const auto index = usual_index(gids_of(look, one.device, one.port));
    if (!index) {
      to.remarks.push_back(fmt::format("{} has no RoCE v2 GID of an IPv4 address: NCCL cannot use it.", one.text()));
      continue;
    }
    indexes.insert(*index);
    told += fmt::format("{}{} on {}", told.empty() ? "" : ", ", *index, one.text());
  }
  if (indexes.size() == 1)
    to.variables.push_back(
        {"NCCL_IB_GID_INDEX", std::to_string(*indexes.begin()),
         "the RoCE v2 GID of the IPv4 address, on every port; NCCL from 2.21 on finds it by itself"});
  if (indexes.size() > 1)
    to.remarks.push_back(
        fmt::format("NCCL_IB_GID_INDEX and UCX_IB_GID_INDEX are one number for all adapters, and here it would "
                    "have to be {}: leave them unset, or use ports that agree.",
                    told));
}

}  // namespace

Environment environment_of(Examination& look) {
  Environment made;
  const auto fabric = ports_of(look, LinkLayer::infiniband);
  const auto ethernet = ports_of(look, LinkLayer::ethernet);
  const bool infiniband = !fabric.empty();
  const auto& ports = infiniband ? fabric : ethernet;
  if (ports.empty()) {
    made.remarks.push_back("No port is ACTIVE: rdmastate doctor says why.");
    return made;
  }
  const std::string_view what = infiniband ? "the InfiniBand ports that are ACTIVE" : "the RoCE ports that are ACTIVE";
  made.variables.push_back({"NCCL_IB_HCA", "=" + joined(ports), fmt::format("{}, by their whole names", what)});
  made.variables.push_back({"UCX_NET_DEVICES", joined(ports), std::string(what)});
  if (const std::string names = interfaces_of(look, ports); !names.empty())
    made.variables.push_back({"NCCL_SOCKET_IFNAME", "=" + names, "their interfaces, for NCCL's first contact"});
  made.variables.push_back({"OMPI_MCA_pml", "ucx", "Open MPI reaches these ports by UCX"});
  if (!infiniband) add_index(look, ports, made);
  if (infiniband && !ethernet.empty())
    made.remarks.push_back(
        fmt::format("{} left out: NCCL does not mix RoCE with InfiniBand.",
                    ethernet.size() == 1 ? ethernet.front().text() + " is" : joined(ethernet) + " are"));
  return made;
}

}  // namespace rdmastate::doctor
