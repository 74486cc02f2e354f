// SPDX-License-Identifier: Apache-2.0
// Compares section `ipoib` with the partitions of section `subnet_manager` where this host runs the subnet manager: the
// MTU of each interface with its partition's broadcast group, the P_Key of each child with the partitions and their
// members.
#include <fmt/format.h>

#include <algorithm>

#include "sections/subnet_manager/check.hpp"

namespace rdmastate {
namespace {

// The port GUID of a record, or of its parent; nullopt where the spec does not give it.
std::optional<Guid> port_of(const Spec& spec, const IpoibRecord& record) {
  if (!record.is_child()) return record.match ? record.match->port_guid : std::nullopt;
  for (const auto& one : spec.ipoib)
    if (!one.is_child() && one.interface_name() == record.parent->value) return port_of(spec, one);
  return std::nullopt;
}

// Whether an instance of the spec runs on the port.
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

// Reports an MTU in datagram mode above that of the partition's broadcast group. `remedy`: what the spec would say for
// a larger one.
void check_group_mtu(const Spec& spec, std::size_t i, IbMtu group, std::string_view group_name, std::string_view remedy,
                     Report& report) {
  const auto& record = spec.ipoib[i];
  if (!record.mtu || record.judged_mode() != IpoibMode::datagram || *record.mtu <= group.ipoib()) return;
  report_contradiction(spec, i, "mtu",
                       fmt::format("the broadcast group of {} has MTU {}, so {} in datagram mode has at most {}",
                                   group_name, group.bytes, record.interface_name(), group.ipoib()),
                       fmt::format("write {}, or mtu: {} or less here", remedy, group.ipoib()), report);
}

// Whether the port is a member of the partition, by its GUID or by a member that stands for many ports.
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

}  // namespace

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

}  // namespace rdmastate
