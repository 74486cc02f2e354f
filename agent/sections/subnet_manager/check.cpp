// SPDX-License-Identifier: Apache-2.0
// Three groups: rules of the section alone (up to check_partitions), rules that ipoib and the section have together (up
// to check_beside_ipoib: MTUs and P_Keys of interfaces in the partitions), and rules that need the host (check_port).
#include "sections/subnet_manager/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/opensm.hpp"

namespace rdmastate {
namespace {

std::string instance_path(std::size_t i, std::string_view field = {}) {
  return fmt::format("subnet_manager.instances[{}]{}{}", i, field.empty() ? "" : ".", field);
}

std::string partition_path(std::size_t i, std::string_view field = {}) {
  return fmt::format("subnet_manager.partitions[{}]{}{}", i, field.empty() ? "" : ".", field);
}

void check_run(const SubnetManagerSection& section, Report& report) {
  if (section.run && section.instances.empty())
    complain(report, "subnet_manager.run", "no instance says on which port the subnet manager runs",
             "name the port: instances: [{port_guid: \"0xf4521403007bcba1\"}] (ibstat -p prints them)");
  if (section.default_mtu && !section.partitions)
    complain(report, "subnet_manager.default_mtu", "default_mtu stands in partitions.conf, which is left alone here",
             "add partitions: [] to have that file written");
  if (section.run) return;
  if (!section.instances.empty())
    complain(report, "subnet_manager.instances", "run: false means no subnet manager on any port",
             "take instances out, or say run: true");
  if (section.partitions)
    complain(report, "subnet_manager.partitions",
             "partitions are the running subnet manager's, and run: false means that there is none here",
             "write them into the spec of the host that runs it");
}

void check_instances(const SubnetManagerSection& section, Report& report) {
  std::map<Guid, std::size_t> index_by_port;
  for (std::size_t i = 0; i < section.instances.size(); ++i) {
    const Guid guid = section.instances[i].port_guid;
    if (guid.value == 0) continue;  // missing or invalid: the reader has reported it
    const auto [earlier, is_new] = index_by_port.emplace(guid, i);
    if (!is_new)
      complain(report, instance_path(i, "port_guid"),
               fmt::format("port {} has an instance already, instances[{}]", to_text(guid), earlier->second),
               "one subnet manager runs on a port");
  }
}

void check_options(const SubnetManagerSection& section, Report& report) {
  for (std::size_t i = 0; i < section.instances.size(); ++i)
    for (const auto& [option, value] : section.instances[i].options)
      if (auto complaint = judge_sm_option(option, value))
        report.add(instance_path(i, "options." + option.value), std::move(*complaint));
}

void check_default(const PartitionRecord& record, std::size_t i, Report& report) {
  if (record.pkey.key.value == PKey::default_partition)
    complain(report, partition_path(i, "pkey"),
             "0xffff is the default partition, which rdmastate always writes with every port as a full member",
             "take it out, or give the partition a key of its own");
  if (record.name.value == "Default")
    complain(report, partition_path(i, "name"), "Default is what OpenSM calls the partition 0x7fff",
             "choose another name");
}

void check_members(const PartitionRecord& record, std::size_t i, Report& report) {
  if (record.members.empty())
    return complain(report, partition_path(i, "members"),
                    fmt::format("{} has no members, and OpenSM leaves an empty partition out", record.name.value),
                    "name its ports, such as members: {ALL: full}");
  const bool some_full = std::any_of(record.members.begin(), record.members.end(),
                                     [](const auto& one) { return one.second != Membership::limited; });
  if (!some_full)
    warn(report, partition_path(i, "members"),
         fmt::format("all members of {} are limited, and two limited members cannot talk to each other",
                     record.name.value),
         "make at least one of them full: what the others are to reach");
}

// Refuses mtu and rate of a partition that has no broadcast group.
void check_group(const PartitionRecord& record, std::size_t i, Report& report) {
  if (record.is_ipoib()) return;
  for (const auto& [given, field] : {std::pair(record.mtu.has_value(), "mtu"), {record.rate.has_value(), "rate"}})
    if (given)
      complain(
          report, partition_path(i, field),
          fmt::format("{} is the broadcast group's, and {} has none without ipoib: true", field, record.name.value),
          fmt::format("add ipoib: true, or take {} out", field));
}

void check_twice(const std::vector<PartitionRecord>& partitions, Report& report) {
  std::map<std::string, std::size_t> names;
  std::map<std::uint16_t, std::size_t> keys;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const auto& record = partitions[i];
    const auto [name, new_name] = names.emplace(record.name.value, i);
    if (!new_name && !record.name.value.empty())
      complain(report, partition_path(i, "name"),
               fmt::format("partitions[{}] is called {} already", name->second, record.name.value),
               "give each partition a name of its own");
    const auto [key, new_key] = keys.emplace(record.pkey.low_bits(), i);
    if (!new_key && record.pkey.key.value != PKey::default_partition)
      complain(report, partition_path(i, "pkey"),
               fmt::format("partitions[{}], {}, has the key {} already (bit 15 does not count), and OpenSM would merge "
                           "them",
                           key->second, partitions[key->second].name.value, to_text(record.pkey)),
               "give each partition a key of its own");
  }
}

void check_partitions(const SubnetManagerSection& section, Report& report) {
  if (!section.partitions) return;
  check_twice(*section.partitions, report);
  for (std::size_t i = 0; i < section.partitions->size(); ++i) {
    const auto& record = (*section.partitions)[i];
    check_default(record, i, report);
    check_members(record, i, report);
    check_group(record, i, report);
  }
}

// The port GUID of a record, or of its parent; nullopt where the spec does not give it.
std::optional<Guid> port_of(const Spec& spec, const IpoibRecord& record) {
  if (!record.is_child()) return record.match ? record.match->port_guid : std::nullopt;
  for (const auto& one : spec.ipoib)
    if (!one.is_child() && one.interface_name() == record.parent->value) return port_of(spec, one);
  return std::nullopt;
}

bool is_managed(const SubnetManagerSection& section, std::optional<Guid> port) {
  return port && std::any_of(section.instances.begin(), section.instances.end(),
                             [&](const SmInstance& one) { return one.port_guid == *port; });
}

// An error where an instance of the spec runs on the record's port; else a warning, since another port may be on
// another fabric with another subnet manager.
void report_contradiction(const Spec& spec, std::size_t i, std::string_view field, std::string message,
                          std::string hint, Report& report) {
  const bool runs_there = is_managed(*spec.subnet_manager, port_of(spec, spec.ipoib[i]));
  const std::string path = fmt::format("ipoib[{}].{}", i, field);
  if (runs_there) return complain(report, path, std::move(message), std::move(hint));
  warn(report, path, std::move(message), std::move(hint));
}

// An MTU in datagram mode above that of the partition's broadcast group. `remedy`: what the
// spec would say for a larger one.
void check_group_mtu(const Spec& spec, std::size_t i, IbMtu group, std::string_view group_name, std::string_view remedy,
                     Report& report) {
  const auto& record = spec.ipoib[i];
  if (!record.mtu || record.judged_mode() != IpoibMode::datagram || *record.mtu <= group.ipoib()) return;
  report_contradiction(spec, i, "mtu",
                       fmt::format("the broadcast group of {} has MTU {}, so {} in datagram mode has at most {}",
                                   group_name, group.bytes, record.interface_name(), group.ipoib()),
                       fmt::format("write {}, or mtu: {} or less here", remedy, group.ipoib()), report);
}

bool has_port(const PartitionRecord& partition, const SubnetManagerSection& section, Guid port) {
  return std::any_of(partition.members.begin(), partition.members.end(), [&](const auto& one) {
    const Member& member = one.first;
    if (member.who == Member::Who::port) return member.port == port;
    if (member.who == Member::Who::self) return is_managed(section, port);
    return member.who == Member::Who::all || member.who == Member::Who::all_cas;
  });
}

void check_membership(const Spec& spec, std::size_t i, const PartitionRecord& partition, Report& report) {
  const auto port = port_of(spec, spec.ipoib[i]);
  const std::string name = spec.ipoib[i].interface_name();
  if (port && !has_port(partition, *spec.subnet_manager, *port))
    warn(report, fmt::format("ipoib[{}].pkey", i),
         fmt::format("port {} is no member of {}, so {} gets no carrier from this host's subnet manager",
                     to_text(*port), partition.name.value, name),
         fmt::format("add it to the members of {}", partition.name.value));
  if (!partition.is_ipoib())
    warn(report, fmt::format("ipoib[{}].pkey", i),
         fmt::format("{} has no broadcast group, so {} gets no carrier from this host's subnet manager",
                     partition.name.value, name),
         fmt::format("add ipoib: true to {}", partition.name.value));
}

// Compares a child's P_Key with the partitions of this spec.
void check_child(const Spec& spec, std::size_t i, Report& report) {
  const auto& record = spec.ipoib[i];
  const auto& partitions = *spec.subnet_manager->partitions;
  const auto found = std::find_if(partitions.begin(), partitions.end(),
                                  [&](const PartitionRecord& one) { return one.pkey.key == *record.pkey; });
  if (found == partitions.end())
    return warn(report, fmt::format("ipoib[{}].pkey", i),
                fmt::format("{} is in no partition of this spec, and this host runs the subnet manager: {} gets no "
                            "carrier from it",
                            to_text(*record.pkey), record.interface_name()),
                fmt::format("add it to subnet_manager.partitions: {{name: ..., pkey: {}, ipoib: true, members: {{ALL: "
                            "full}}}}",
                            to_text(*record.pkey)));
  check_membership(spec, i, *found, report);
  if (found->is_ipoib())
    check_group_mtu(spec, i, found->mtu.value_or(IbMtu{}), found->name.value,
                    fmt::format("mtu: 4096 at {}", found->name.value), report);
}

void check_beside_ipoib(const Spec& spec, Report& report) {
  const auto& section = *spec.subnet_manager;
  if (!section.run || !section.partitions) return;
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    if (record.is_absent()) continue;
    if (record.is_child() && record.pkey) {
      check_child(spec, i, report);
    } else if (!record.is_child()) {
      check_group_mtu(spec, i, section.default_mtu.value_or(IbMtu{}), "the default partition", "default_mtu: 4096",
                      report);
    }
  }
}

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
    return complain(
        report, instance_path(i, "port_guid"),
        fmt::format("no port of this host has the GUID {}: {}", to_text(instance.port_guid), known_ports(facts)));
  if (found.device->driver == "hfi1")
    complain(report, instance_path(i, "port_guid"),
             fmt::format("{} is Omni-Path, whose fabric OpenSM cannot manage", found.device->name),
             "its manager is opafm.service (package opa-fm), with files of its own");
  if (found.port->link_layer != LinkLayer::ethernet) return;
  complain(report, instance_path(i, "port_guid"),
           fmt::format("{} port {} is Ethernet, and a subnet manager manages InfiniBand", found.device->name,
                       found.port->number),
           known_ports(facts));
}

}  // namespace

void check_subnet_manager(const Spec& spec, Report& report) {
  if (spec.purges(PurgeDomain::partitions) && !(spec.subnet_manager && spec.subnet_manager->partitions))
    complain(report, "purge",
             "partitions are purged from the file that subnet_manager.partitions writes, and there is none",
             "give subnet_manager.partitions, with those that stay, or take partitions out of purge");
  if (!spec.subnet_manager) return;
  check_run(*spec.subnet_manager, report);
  check_instances(*spec.subnet_manager, report);
  check_options(*spec.subnet_manager, report);
  check_partitions(*spec.subnet_manager, report);
  check_beside_ipoib(spec, report);
}

// Where no RDMA device is known (a tree, a host whose driver is not there yet) a port is not judged.
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
