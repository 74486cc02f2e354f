// SPDX-License-Identifier: Apache-2.0
#include "sections/subnet_manager.hpp"

#include <fmt/format.h>

#include "resources/entry.hpp"
#include "resources/file.hpp"
#include "sections/partitions_file.hpp"
#include "sections/subnet_manager_check.hpp"
#include "sections/subnet_manager_fabric.hpp"
#include "sections/subnet_manager_files.hpp"

namespace rdmastate {
namespace {

const std::string run_path = "subnet_manager.run";

std::string instance_path(std::size_t i) { return fmt::format("subnet_manager.instances[{}]", i); }

void add_file(const std::string& file, std::string text, std::string path, Desired& desired) {
  desired.add({&file_kind, file, State(file_kind, regular_file(std::move(text))), std::move(path), "", {}});
}

// Partitions of others are not lost by the way.
std::vector<std::string> lost_partitions(std::string_view theirs, std::string_view ours) {
  const auto before = partitions_in(theirs);
  const auto after = partitions_in(ours);
  if (!before || !after) return {"it is not of opensm(8)'s grammar, so what it says cannot be kept: move it away"};
  std::vector<std::string> lost;
  for (const auto& [key, partition] : *before)
    if (!after->contains(key) && (key | PKey::full_member) != PKey::default_partition)
      lost.push_back(fmt::format(
          "partition {} (0x{:04x}) is in it and not in this spec: name it, or let purge: [partitions] take it "
          "away",
          partition.name, key | PKey::full_member));
  return lost;
}

void add_partitions(const Spec& spec, const OpensmLayout& layout, Desired& desired) {
  std::string text = partitions_text(*spec.subnet_manager);
  const bool purged = spec.purges(PurgeDomain::partitions);
  State ours(file_kind, regular_file(text));
  Wanted one{&file_kind, std::string(layout.partitions), ours, "subnet_manager.partitions", "", {}};
  one.take_over = [ours, purged, text = std::move(text)](const State& theirs) {
    TakenOver taken{ours};
    const auto& content = file_of(theirs).content;
    if (!purged && content) taken.against = lost_partitions(content->value, text);
    return taken;
  };
  desired.add(std::move(one));
}

void add_entry(const OpensmLayout& layout, std::string_view name, std::string value, std::string path,
               Desired& desired) {
  desired.add({&entry_kind,
               entry_key(layout.settings, name),
               entry_of(layout.settings, name, std::move(value)),
               std::move(path),
               "",
               {}});
}

// Debian's package enables its service, which does nothing for NONE and reads the file before anything else.
void add_units(const SubnetManagerSection& section, const OpensmLayout& layout, Desired& desired) {
  add_entry(layout, layout.ports, section.run ? guid_list(section.instances) : "NONE",
            section.run ? "subnet_manager.instances" : run_path, desired);
  for (std::size_t i = 0; i < section.instances.size(); ++i) {
    std::string text = drop_in_text(section, section.instances[i]);
    if (!text.empty())
      add_file(drop_in_path(layout, section.instances[i].port_guid), std::move(text), instance_path(i), desired);
  }
}

// What the launcher is told in sysconfig wins over configurations and their priorities: there it is emptied.
void add_configs(const SubnetManagerSection& section, const OpensmLayout& layout, Desired& desired) {
  add_entry(layout, layout.ports, "", "subnet_manager.instances", desired);
  add_entry(layout, layout.priority, "", "subnet_manager.instances", desired);
  for (std::size_t i = 0; i < section.instances.size(); ++i)
    add_file(config_path(layout, i), config_text(section, section.instances[i], layout), instance_path(i), desired);
}

void add_settings(const SubnetManagerSection& section, const OpensmLayout& layout, Desired& desired) {
  add_entry(layout, layout.ports, guid_list(section.instances), "subnet_manager.instances", desired);
  const auto& priority = section.instances.front().priority;
  if (priority) add_entry(layout, layout.priority, to_text(*priority), instance_path(0) + ".priority", desired);
}

// Enabled by the link that `systemctl enable opensm` makes, and by nothing else.
void add_link(const SubnetManagerSection& section, const OpensmLayout& layout, Desired& desired) {
  std::optional<State> link;
  if (section.run) link = State(file_kind, symlink_to(std::string(layout.unit)));
  desired.add({&file_kind, std::string(layout.wants_link), std::move(link), run_path, "", {}});
}

void expand_subnet_manager(const Spec& spec, const Facts& facts, Backend, Desired& desired, Report& report) {
  if (!spec.subnet_manager) return;
  const auto& section = *spec.subnet_manager;
  check_subnet_manager_on(section, facts, report);
  const OpensmLayout* layout = opensm_layout(platform_of(facts).family);
  if (layout == nullptr || report.failed()) return;
  if (section.partitions) add_partitions(spec, *layout, desired);
  if (layout->wants_link.empty()) return add_units(section, *layout, desired);
  if (needs_configs(section, *layout)) {
    add_configs(section, *layout, desired);
  } else if (section.run) {
    add_settings(section, *layout, desired);
  }
  add_link(section, *layout, desired);
}

}  // namespace

constinit const Section subnet_manager_section{"subnet_manager", check_subnet_manager, expand_subnet_manager,
                                               adopt_subnet_manager, lost_to_fabric};

}  // namespace rdmastate
