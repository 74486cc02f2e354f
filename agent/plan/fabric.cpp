// SPDX-License-Identifier: Apache-2.0
// What other hosts feel: a subnet manager that stops here, a partition or a member that goes. OpenSM reads
// partitions.conf again whenever a port of the fabric comes or goes, so the file's step is the one that they feel.
#include <fmt/format.h>

#include <algorithm>

#include "plan/plan.hpp"
#include "platform/opensm.hpp"
#include "resources/entry.hpp"
#include "resources/file.hpp"
#include "sections/partitions_file.hpp"
#include "sections/subnet_manager_files.hpp"

namespace rdmastate {
namespace {

using Partitions = std::map<std::uint16_t, WrittenPartition>;
constexpr std::uint16_t default_key = 0x7fff;

std::string bytes_of(const std::optional<State>& state) {
  return state && state->as<FileState>().content ? state->as<FileState>().content->value : std::string();
}

std::string called(std::uint16_t key, const WrittenPartition& partition) {
  return fmt::format("partition {} (0x{:04x})", partition.name, key | PKey::full_member);
}

bool covers(const WrittenPartition& partition, const Member& member, Membership membership) {
  const auto enough = [&](Member who) {
    const auto found = partition.members.find(who);
    return found != partition.members.end() && (found->second != Membership::limited || membership == found->second);
  };
  if (partition.members.contains(member)) return enough(member);
  return enough({Member::Who::all, {}});
}

void compare(std::uint16_t key, const WrittenPartition& was, const WrittenPartition& is,
             std::vector<std::string>& lost) {
  for (const auto& [member, membership] : was.members) {
    if (covers(is, member, membership)) continue;
    const bool stays = is.members.contains(member) || is.members.contains({Member::Who::all, {}});
    lost.push_back(
        fmt::format("{} {} {}", to_text(member), stays ? "becomes a limited member of" : "leaves", called(key, was)));
  }
  if (was.ipoib && !is.ipoib) lost.push_back(fmt::format("{} loses its broadcast group", called(key, was)));
  if (was.ipoib && is.ipoib && (was.mtu != is.mtu || was.rate != is.rate))
    lost.push_back(fmt::format("the broadcast group of {} gets another MTU or rate", called(key, was)));
}

// OpenSM without a file: every port is a full member of the default partition, whose group has the usual MTU and rate.
WrittenPartition default_partition() { return {"Default", true, 4, 3, {{{Member::Who::all, {}}, Membership::full}}}; }

// With a file, what it does not say of the default partition: limited members.
Partitions partitions_of(Partitions written, bool is_file) {
  WrittenPartition standard = default_partition();
  if (is_file) standard = {"Default", false, 4, 3, {{{Member::Who::all, {}}, Membership::limited}}};
  written.try_emplace(default_key, std::move(standard));
  return written;
}

// Where there was no file nobody was in a partition but the default one, which stays as it was.
std::vector<std::string> lost_partitions(const Gap::Move& move) {
  if (!move.from) return {};
  const auto before = partitions_in(bytes_of(move.from));
  const auto after = partitions_in(bytes_of(move.to));
  if (!before || !after) return {"what the file says now is not of opensm(8)'s grammar, so whom it keeps is not known"};
  const Partitions then = partitions_of(*after, move.to.has_value());
  std::vector<std::string> lost;
  for (const auto& [key, partition] : partitions_of(*before, true)) {
    const auto found = then.find(key);
    if (found == then.end()) {
      lost.push_back(fmt::format("{} goes", called(key, partition)));
    } else {
      compare(key, partition, found->second, lost);
    }
  }
  return lost;
}

// The ports of this host on which OpenSM is told to run.
class Ports {
 public:
  Ports(const Facts& facts, const OpensmLayout& layout) : facts_(facts), layout_(layout) {}

  bool is_about(const Item& item) const { return is_settings(item) || is_config(item); }

  std::set<Guid> named(const Item& item, const std::optional<State>& state) const {
    if (!state) return {};
    if (is_settings(item)) return listed(state->as<EntryState>().value);
    const auto instance = instance_in_config(bytes_of(state));
    return instance ? std::set{instance->port_guid} : std::set<Guid>{};
  }

  std::set<Guid> after(const Plan& plan) const {
    std::set<Guid> ports;
    for (const auto& item : plan.items)
      if (is_about(item)) ports.merge(named(item, item.wanted));
    return ports;
  }

 private:
  bool is_settings(const Item& item) const {
    return item.kind == &entry_kind && item.key == entry_key(layout_.settings, layout_.ports);
  }

  bool is_config(const Item& item) const {
    return item.kind == &file_kind && !layout_.configs.empty() && item.key.starts_with(layout_.configs);
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

std::vector<std::string> lost_ports(const Ports& ports, const Plan& plan, const Item& item) {
  std::vector<std::string> lost;
  const std::set<Guid> after = ports.after(plan);
  for (const Guid port : ports.named(item, item.gap.move->from))
    if (!after.contains(port))
      lost.push_back(fmt::format("the subnet manager on port {} is no longer started", to_text(port)));
  return lost;
}

std::vector<std::string> lost_by(const OpensmLayout& layout, const Plan& plan, const Item& item) {
  const Ports ports(plan.facts, layout);
  if (ports.is_about(item)) return lost_ports(ports, plan, item);
  if (item.kind != &file_kind) return {};
  if (item.key == layout.partitions) return lost_partitions(*item.gap.move);
  const bool unlinked = item.key == layout.wants_link && item.gap.move->from && !item.gap.move->to;
  return unlinked ? std::vector<std::string>{"opensm.service no longer starts at boot"} : std::vector<std::string>{};
}

}  // namespace

void guard_fabric(const PlanOptions& options, Plan& plan) {
  const OpensmLayout* layout = plan.facts.live ? opensm_layout(platform_of(plan.facts).family) : nullptr;
  if (layout == nullptr) return;
  for (const std::size_t step : plan.steps) {
    Item& item = plan.items[step];
    auto lost = lost_by(*layout, plan, item);
    if (lost.empty()) continue;
    item.gap.move->disruption = Disruption::fabric;
    item.touches = std::move(lost);
    if (!options.allow_fabric)
      plan.refusals.push_back(fmt::format("{}: {}; other hosts feel that, so it needs --allow-fabric", item.title(),
                                          fmt::join(item.touches, "; ")));
  }
}

}  // namespace rdmastate
