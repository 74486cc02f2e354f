// SPDX-License-Identifier: Apache-2.0
// The rules of the section alone: `run` and the instances with their options, then the partitions.
// check_subnet_manager() ends with check_beside_ipoib(). The rules that need the host are in check_on_host.cpp.
#include "sections/subnet_manager/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rdmastate {
namespace {

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
  if (section.run || report.is_unread("subnet_manager.run")) return;
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
      complain(report, sm_instance_path(i, "port_guid"),
               fmt::format("port {} has an instance already, instances[{}]", to_text(guid), earlier->second),
               "one subnet manager runs on a port");
  }
}

void check_options(const SubnetManagerSection& section, Report& report) {
  for (std::size_t i = 0; i < section.instances.size(); ++i)
    for (const auto& [option, value] : section.instances[i].options)
      if (auto complaint = judge_sm_option(option, value))
        report.add(sm_instance_path(i, "options." + option.value), std::move(*complaint));
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

// Refuses two partitions with one name or one key.
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

}  // namespace

std::string sm_instance_path(std::size_t index, std::string_view field) {
  return fmt::format("subnet_manager.instances[{}]{}{}", index, field.empty() ? "" : ".", field);
}

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

}  // namespace rdmastate
