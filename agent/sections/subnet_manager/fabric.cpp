// SPDX-License-Identifier: Apache-2.0
// Tells what other hosts lose by a step: a subnet manager that stops here or starts beside another one, a partition or
// a member that goes. OpenSM reads partitions.conf again whenever a port of the fabric comes or goes, so to write the
// file already disturbs other hosts, before OpenSM is told.
//
// lost_to_fabric() decides by the step's resource: lost_by_running() of a unit, lost_ports() of a file that names
// ports, lost_partitions() of partitions.conf.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "host/opensm_options.hpp"
#include "platform/opensm.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/opensm_unit.hpp"
#include "sections/subnet_manager/fabric.hpp"
#include "sections/subnet_manager/files.hpp"
#include "sections/subnet_manager/in_force.hpp"
#include "sections/subnet_manager/partitions_file.hpp"

namespace rdmastate {
namespace {

using Partitions = std::map<std::uint16_t, WrittenPartition>;
constexpr std::uint16_t default_key = 0x7fff;  // of the default partition, without bit 15

std::string bytes_of(const std::optional<State>& state) {
  return state && state->as<FileState>().content ? state->as<FileState>().content->value : std::string();
}

std::string name_of(std::uint16_t key, const WrittenPartition& partition) {
  return fmt::format("partition {} (0x{:04x})", partition.name, key | PKey::full_member);
}

// Whether `member` keeps this membership, or gets more than limited, by its own entry in the partition or else by that
// of ALL.
bool covers(const WrittenPartition& partition, const Member& member, Membership membership) {
  const auto enough = [&](Member who) {
    const auto found = partition.members.find(who);
    return found != partition.members.end() && (found->second != Membership::limited || membership == found->second);
  };
  if (partition.members.contains(member)) return enough(member);
  return enough({Member::Who::all, {}});
}

// A port without an entry of its own was in the partition by that of ALL, and now has an entry that makes it limited.
void add_demoted_members(std::uint16_t key, const WrittenPartition& was, const WrittenPartition& is,
                         std::vector<std::string>& lost) {
  const auto by_all = was.members.find({Member::Who::all, {}});
  if (by_all == was.members.end()) return;
  for (const auto& [member, membership] : is.members)
    if (!was.members.contains(member) && !covers(is, member, by_all->second))
      lost.push_back(fmt::format("{} becomes a limited member of {}", to_text(member), name_of(key, was)));
}

void add_lost_members(std::uint16_t key, const WrittenPartition& was, const WrittenPartition& is,
                      std::vector<std::string>& lost) {
  for (const auto& [member, membership] : was.members) {
    if (covers(is, member, membership)) continue;
    const bool stays = is.members.contains(member) || is.members.contains({Member::Who::all, {}});
    lost.push_back(
        fmt::format("{} {} {}", to_text(member), stays ? "becomes a limited member of" : "leaves", name_of(key, was)));
  }
  add_demoted_members(key, was, is, lost);
  if (was.ipoib && !is.ipoib) lost.push_back(fmt::format("{} loses its broadcast group", name_of(key, was)));
  if (was.ipoib && is.ipoib && (was.mtu != is.mtu || was.rate != is.rate))
    lost.push_back(fmt::format("the broadcast group of {} gets another MTU or rate", name_of(key, was)));
}

// OpenSM without a file: every port is a full member of the default partition, whose broadcast group has the usual MTU
// and rate.
WrittenPartition default_partition() {
  return {.name = "Default", .ipoib = true, .members = {{{Member::Who::all, {}}, Membership::full}}};
}

// Adds the default partition where the file does not define it: OpenSM's own, which beside a file has limited members
// and no broadcast group.
Partitions partitions_of(Partitions written, bool is_file) {
  WrittenPartition standard = default_partition();
  if (is_file) standard = {.name = "Default", .members = {{{Member::Who::all, {}}, Membership::limited}}};
  written.try_emplace(default_key, std::move(standard));
  return written;
}

std::vector<const RdmaPort*> ports_where(const Facts& facts, const std::function<bool(const RdmaPort&)>& is_meant) {
  std::vector<const RdmaPort*> ports;
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (is_meant(port)) ports.push_back(&port);
  return ports;
}

// Whether the fabric's master subnet manager is on a port of this host.
bool is_master_here(const Facts& facts) {
  const auto is_master = [](const RdmaPort& port) { return port.sm_lid != 0 && port.sm_lid == port.lid; };
  return !ports_where(facts, is_master).empty();
}

// Without a file all ports are in OpenSM's default partition alone. Where OpenSM here is not the fabric's master, a
// first file takes nothing from anybody; lost_by_start() tells what the start of that OpenSM means.
std::vector<std::string> lost_partitions(const Facts& facts, const Step& step) {
  if (!step.from && !is_master_here(facts)) return {};
  const auto before = partitions_in(bytes_of(step.from));
  const auto after = partitions_in(bytes_of(step.to));
  if (!before || !after) return {"what the file says now is not of opensm(8)'s grammar, so whom it keeps is not known"};
  const Partitions after_with_default = partitions_of(*after, step.to.has_value());
  std::vector<std::string> lost;
  for (const auto& [key, partition] : partitions_of(*before, step.from.has_value())) {
    const auto found = after_with_default.find(key);
    if (found == after_with_default.end()) {
      lost.push_back(fmt::format("{} goes", name_of(key, partition)));
    } else {
      add_lost_members(key, partition, found->second, lost);
    }
  }
  return lost;
}

// The ports of this host on which OpenSM is told to run: by its settings' list, and by the port of each opensm.conf.N.
class Ports {
 public:
  Ports(const Facts& facts, const OpensmLayout& layout) : facts_(facts), layout_(layout) {}

  bool is_about(const Kind& kind, const std::string& key) const {
    return is_settings(kind, key) || is_config(kind, key);
  }

  // The ports that a resource in this state names.
  std::set<Guid> named(const Kind& kind, const std::string& key, const std::optional<State>& state) const {
    if (!state) return {};
    if (is_settings(kind, key)) return listed(state->as<EntryState>().value);
    const auto instance = instance_in_config(bytes_of(state));
    return instance ? std::set{instance->port_guid} : std::set<Guid>{};
  }

  // The ports that all wanted resources name.
  std::set<Guid> after(std::span<const Wanted* const> wanted) const {
    std::set<Guid> ports;
    for (const Wanted* one : wanted)
      if (is_about(*one->kind, one->key)) ports.merge(named(*one->kind, one->key, one->state));
    return ports;
  }

 private:
  bool is_settings(const Kind& kind, const std::string& key) const {
    return &kind == &entry_kind && key == entry_key(layout_.settings, layout_.ports);
  }

  bool is_config(const Kind& kind, const std::string& key) const {
    return &kind == &file_kind && !layout_.configs.empty() && key.starts_with(layout_.configs);
  }

  std::set<Guid> listed(const std::string& list) const {
    std::set<Guid> ports;
    for (const auto& device : facts_.devices)
      for (const auto& port : device.ports)
        if (list == "ALL" && port.link_layer == LinkLayer::infiniband) ports.insert(port.guid);
    const auto guids = guids_in(list);
    if (guids) ports.insert(guids->begin(), guids->end());
    return ports;
  }

  const Facts& facts_;
  const OpensmLayout& layout_;
};

std::vector<std::string> lost_ports(const Ports& ports, const Step& step, std::span<const Wanted* const> wanted) {
  std::vector<std::string> lost;
  const std::set<Guid> after = ports.after(wanted);
  for (const Guid port : ports.named(*step.kind, step.key, step.from))
    if (!after.contains(port))
      lost.push_back(fmt::format("the subnet manager on port {} is no longer started", to_text(port)));
  return lost;
}

// The ports of this host on which OpenSM will run, each with the settings that decide what its subnet is.
using Planned = std::map<Guid, std::map<std::string, std::string>>;

Planned planned_ports(const Facts& facts, const std::set<Guid>& ports, std::span<const Wanted* const> wanted,
                      const OpensmLayout& layout) {
  Planned planned;
  for (const Guid port : ports) planned[port];
  for (const auto& one : opensm_in_force(opensm_files_with(facts.opensm, wanted, layout), layout)) {
    if (!one.port || !planned.contains(*one.port)) continue;
    for (const auto& [name, said] : one.settings) {
      const OpensmOption* option = opensm_option(name);
      const bool is_local = option != nullptr && option->reach == OpensmReach::host;
      if (name != "sm_priority" && !is_local) planned[*one.port][name] = said.value;
    }
  }
  return planned;
}

// A fabric loses nothing by a start where it has no subnet manager, or one on a planned port with the same settings:
// that has the same partitions too.
std::vector<std::string> lost_by_start(const Facts& facts, const std::string& unit, const Planned& planned) {
  const auto own = ports_where(facts, [&](const RdmaPort& port) { return planned.contains(port.guid); });
  const auto is_as_ours = [&](const RdmaPort& ours, std::uint32_t lid) {
    return std::any_of(own.begin(), own.end(), [&](const RdmaPort* port) {
      return port->lid == lid && planned.at(port->guid) == planned.at(ours.guid);
    });
  };
  std::vector<std::string> lost;
  for (const RdmaPort* port : own) {
    const bool is_meant = unit == opensm_launcher_unit || unit == opensm_unit_on(port->guid.value);
    if (!is_meant || port->sm_lid == 0 || is_as_ours(*port, port->sm_lid)) continue;
    lost.push_back(
        fmt::format("the fabric of port {} has a subnet manager at LID {}: of the two, that with the higher priority "
                    "becomes the master, and its partitions count",
                    to_text(port->guid), port->sm_lid));
  }
  return lost;
}

// A step of a unit of OpenSM: it starts, stops, or starts anew.
std::vector<std::string> lost_by_running(const Facts& facts, const Step& step, const Planned& planned) {
  if (!step.from) return lost_by_start(facts, step.key, planned);
  if (!step.from->as<OpensmUnitState>().runs) return {};
  if (step.to && !restarts_opensm(*step.from, *step.to)) return {};  // by SIGHUP: the file's step tells what is lost
  const auto on = ports_where(facts, [&](const auto& port) { return step.key == opensm_unit_on(port.guid.value); });
  const std::string where = on.empty() ? std::string() : fmt::format(" on port {}", to_text(on.front()->guid));
  return {fmt::format("the subnet manager{} {}", where, step.to ? "stops and starts anew" : "stops")};
}

}  // namespace

std::vector<std::string> lost_to_fabric(const Facts& facts, const Step& step, std::span<const Wanted* const> wanted) {
  const OpensmLayout* layout = opensm_layout(platform_of(facts).family);
  if (layout == nullptr) return {};
  const Ports ports(facts, *layout);
  if (step.kind == &opensm_unit_kind)
    return lost_by_running(facts, step, planned_ports(facts, ports.after(wanted), wanted, *layout));
  if (ports.is_about(*step.kind, step.key)) return lost_ports(ports, step, wanted);
  if (step.kind != &file_kind) return {};
  if (step.key == layout->partitions) return lost_partitions(facts, step);
  const bool unlinked = step.key == layout->wants_link && step.from && !step.to;
  return unlinked ? std::vector<std::string>{"opensm.service no longer starts at boot"} : std::vector<std::string>{};
}

}  // namespace rdmastate
