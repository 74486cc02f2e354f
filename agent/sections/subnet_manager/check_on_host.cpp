// SPDX-License-Identifier: Apache-2.0
// The checks of section `subnet_manager` that need the host: its OpenSM is the distribution's, and the ports of the
// instances are there and InfiniBand.
#include <fmt/format.h>

#include "platform/opensm.hpp"
#include "sections/subnet_manager/check.hpp"

namespace rdmastate {
namespace {

// A port of this host and its device; both are null where no port has the GUID.
struct FoundPort {
  const RdmaDevice* device = nullptr;
  const RdmaPort* port = nullptr;
};

FoundPort find_port(const Facts& facts, Guid guid) {
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (port.guid == guid) return {&device, &port};
  return {};
}

// The host's InfiniBand ports with their GUIDs, as the end of a sentence.
std::string known_ports(const Facts& facts) {
  std::string text;
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::infiniband)
        text +=
            fmt::format("{}{} port {} is {}", text.empty() ? "" : ", ", device.name, port.number, to_text(port.guid));
  return text.empty() ? "none of this host's ports is InfiniBand" : text;
}

void check_port(const Facts& facts, const SmInstance& instance, std::size_t i, Report& report) {
  const FoundPort found = find_port(facts, instance.port_guid);
  if (found.port == nullptr)
    return complain_of_absent(
        facts, report, sm_instance_path(i, "port_guid"),
        fmt::format("no port of this host has the GUID {}: {}", to_text(instance.port_guid), known_ports(facts)));
  if (found.device->driver == "hfi1")
    complain(report, sm_instance_path(i, "port_guid"),
             fmt::format("{} is Omni-Path, whose fabric OpenSM cannot manage", found.device->name),
             "its manager is opafm.service (package opa-fm), with files of its own");
  if (found.port->link_layer != LinkLayer::ethernet) return;
  complain(report, sm_instance_path(i, "port_guid"),
           fmt::format("{} port {} is Ethernet, and a subnet manager manages InfiniBand", found.device->name,
                       found.port->number),
           known_ports(facts));
}

}  // namespace

void check_subnet_manager_on(const SubnetManagerSection& section, const Facts& facts, Report& report) {
  if (facts.stack == "ofed")
    complain(report, "subnet_manager",
             "MLNX_OFED or DOCA-OFED is installed here, whose OpenSM (opensmd.service) has other files than the "
             "distribution's",
             "configure that one with its own tools, or run the subnet manager on a host with the distribution's");
  if (opensm_layout(platform_of(facts).family) == nullptr)
    complain(report, "subnet_manager",
             fmt::format("where {} has OpenSM's files is not known to rdmastate",
                         facts.distribution.empty() ? "a host without os-release" : facts.distribution),
             "Debian, Ubuntu, RHEL, Fedora, SLES and what is like them are");
  if (facts.devices.empty()) return;
  for (std::size_t i = 0; i < section.instances.size(); ++i) check_port(facts, section.instances[i], i, report);
}

}  // namespace rdmastate
