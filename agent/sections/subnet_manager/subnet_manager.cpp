// SPDX-License-Identifier: Apache-2.0
// The Section `subnet_manager`: its expand() and subnet_manager_places(). On Debian a unit runs for each port
// (add_units, add_running_units). On RHEL and SUSE one unit, opensm.service, runs a launcher (add_launcher), which
// reads the ports from sysconfig (add_settings), else an opensm.conf.N per instance (add_configs).
#include "sections/subnet_manager/spec.hpp"

#include <fmt/format.h>

#include <set>

#include "host/opensm_files.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/opensm_unit.hpp"
#include "sections/subnet_manager/check.hpp"
#include "sections/subnet_manager/configs.hpp"
#include "sections/subnet_manager/fabric.hpp"
#include "sections/subnet_manager/files.hpp"
#include "sections/subnet_manager/in_force.hpp"
#include "sections/subnet_manager/partitions_file.hpp"

namespace rdmastate {
namespace {

const std::string run_path = "subnet_manager.run";

void add_file(const std::string& file, std::string text, std::string path, Desired& desired) {
  desired.add({&file_kind, file, State(file_kind, regular_file(std::move(text))), std::move(path)});
}

// Why --adopt may not take over a foreign partitions.conf, as sentences: it has partitions that the spec does not name.
// Empty where it may.
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
  Wanted one{&file_kind, std::string(layout.partitions), ours, "subnet_manager.partitions"};
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
  desired.add({&entry_kind, entry_key(layout.settings, name), entry_of(layout.settings, name, std::move(value)),
               std::move(path)});
}

Wanted running(std::string unit, std::string path, std::vector<Twin> twins) {
  return {&opensm_unit_kind, std::move(unit), running_opensm(), std::move(path), /*awaited_from=*/"", std::move(twins)};
}

void add_stopped(std::string unit, Desired& desired) {
  desired.add({&opensm_unit_kind, std::move(unit), std::nullopt, run_path});
}

// Debian: an OpenSM runs on each port that an instance names, and on no other port of this host.
void add_running_units(const SubnetManagerSection& section, const Facts& facts, const OpensmLayout& layout,
                       Desired& desired) {
  const Ref ports{entry_kind.name, entry_key(layout.settings, layout.ports)};
  const Ref starts{file_kind.name, std::string(layout.boot_link)};
  std::set<Guid> named;
  for (std::size_t i = 0; i < section.instances.size(); ++i) {
    const Guid port = section.instances[i].port_guid;
    named.insert(port);
    desired.add(running(opensm_unit_on(port.value), sm_instance_path(i),
                        {{ports, TwinForm::whole_file}, {starts, TwinForm::whole_file}}));
  }
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::infiniband && !named.contains(port.guid))
        add_stopped(opensm_unit_on(port.guid.value), desired);
}

// A foreign file that gets this text and keeps its mode and owner.
TakenOver laid_over(const FileState& theirs, std::string text) {
  FileState over = regular_file(std::move(text));
  std::tie(over.mode, over.uid, over.gid) =
      std::tie(theirs.mode, theirs.uid, theirs.gid);  // it may hold the subnet's key
  return TakenOver{State(file_kind, std::move(over)), /*keeps_theirs=*/true};
}

std::string_view bytes_of(const FileState& file) { return file.content ? std::string_view(file.content->value) : ""; }

// Debian: wants the configuration that an instance's command names, and which OpenSM reads instead of the usual one.
void add_options(const SubnetManagerSection& section, const SmInstance& instance, const std::string& path,
                 const Facts& facts, const OpensmLayout& layout, Desired& desired) {
  Wanted one{&file_kind, opensm_config_on(layout, instance.port_guid.value),
             State(file_kind, regular_file(options_text(instance))), path + ".options"};
  one.take_over = [section, instance, &layout](const State& theirs) {
    return laid_over(file_of(theirs), options_over(bytes_of(file_of(theirs)), section, instance, layout));
  };
  one.begins_as = standard_config_of(instance.port_guid, facts.opensm, layout);
  desired.add(std::move(one));
}

// Debian: wants the list of ports, a drop-in per instance, and that every boot starts opensm.service, which reads the
// list first and starts nothing for NONE.
void add_units(const SubnetManagerSection& section, const Facts& facts, const OpensmLayout& layout, Desired& desired) {
  add_entry(layout, layout.ports, section.run ? guid_list(section.instances) : "NONE",
            section.run ? "subnet_manager.instances" : run_path, desired);
  if (section.run)
    desired.add(
        {&file_kind, std::string(layout.boot_link), State(file_kind, symlink_to(std::string(layout.unit))), run_path});
  for (std::size_t i = 0; i < section.instances.size(); ++i) {
    const SmInstance& instance = section.instances[i];
    std::string text = drop_in_text(section, instance, layout);
    if (!text.empty())
      add_file(drop_in_path(layout, instance.port_guid), std::move(text), sm_instance_path(i), desired);
    if (!instance.options.empty()) add_options(section, instance, sm_instance_path(i), facts, layout, desired);
  }
}

// Wants an instance's configuration. A foreign one for its port stays in its place: rdmastate changes only what the
// spec says.
void add_config(const SubnetManagerSection& section, std::size_t i, const std::string& path, const Facts& facts,
                const OpensmLayout& layout, Desired& desired) {
  const SmInstance& instance = section.instances[i];
  Wanted one{&file_kind, path, State(file_kind, regular_file(config_text(section, instance, layout))),
             sm_instance_path(i)};
  one.take_over = [section, instance, &layout](const State& theirs) {
    const FileState& file = file_of(theirs);
    return laid_over(file, config_over(bytes_of(file), section, instance, layout));
  };
  one.begins_as = standard_config_of(instance.port_guid, facts.opensm, layout);
  desired.add(std::move(one));
}

// Wants a configuration per instance. GUIDS and PRIORITY in sysconfig would win over them, so both entries are emptied.
void add_configs(const SubnetManagerSection& section, const Facts& facts, const OpensmLayout& layout,
                 Desired& desired) {
  add_entry(layout, layout.ports, /*value=*/"", "subnet_manager.instances", desired);
  add_entry(layout, layout.priority, /*value=*/"", "subnet_manager.instances", desired);
  const auto paths = config_paths(section, facts.opensm, layout);
  for (std::size_t i = 0; i < paths.size(); ++i) add_config(section, i, paths[i], facts, layout, desired);
}

// Wants the list of ports, and the priority of the one instance that this is enough for (needs_configs()).
void add_settings(const SubnetManagerSection& section, const OpensmLayout& layout, Desired& desired) {
  add_entry(layout, layout.ports, guid_list(section.instances), "subnet_manager.instances", desired);
  const auto& priority = section.instances.front().priority;
  if (priority) add_entry(layout, layout.priority, to_text(*priority), sm_instance_path(0) + ".priority", desired);
}

// The launcher's unit: enabled by the link that `systemctl enable opensm` makes and by nothing else, and running now.
void add_launcher(const SubnetManagerSection& section, const OpensmLayout& layout, Desired& desired) {
  std::optional<State> link;
  if (section.run) link = State(file_kind, symlink_to(std::string(layout.unit)));
  desired.add({&file_kind, std::string(layout.wants_link), std::move(link), run_path});
  const std::string unit(opensm_launcher_unit);
  if (!section.run) return add_stopped(unit, desired);
  const Ref starts{file_kind.name, std::string(layout.wants_link)};
  desired.add(running(unit, run_path, {{starts, TwinForm::whole_file}}));
}

void expand_subnet_manager(const Spec& spec, const Facts& facts, Backend, Desired& desired, Report& report) {
  if (!spec.subnet_manager) return;
  const auto& section = *spec.subnet_manager;
  check_subnet_manager_on(section, facts, report);
  const OpensmLayout* layout = opensm_layout(platform_of(facts).family);
  if (layout == nullptr || report.failed()) return;
  if (section.partitions) add_partitions(spec, *layout, desired);
  if (layout->has_unit_per_port()) {
    add_units(section, facts, *layout, desired);
    return add_running_units(section, facts, *layout, desired);
  }
  if (needs_configs(section, *layout) || keeps_configs(section, facts.opensm, *layout, desired.adopting)) {
    add_configs(section, facts, *layout, desired);
  } else if (section.run) {
    add_settings(section, *layout, desired);
  }
  add_launcher(section, *layout, desired);
}

FilePlaces subnet_manager_places() {
  FilePlaces all;
  for (const OpensmLayout* layout : opensm_layouts()) {
    all.push_back({std::string(layout->partitions)});
    all.push_back({std::string(layout->standard), kept_opensm_config});
    for (const auto configs : {layout->configs, layout->instance_configs})
      if (!configs.empty()) all.push_back({std::string(configs) + "*", kept_opensm_config});
    if (!layout->drop_ins.empty())
      all.push_back({std::string(layout->drop_ins) + "/opensm@*.service.d/rdmastate.conf"});
    for (const auto link : {layout->boot_link, layout->wants_link})
      if (!link.empty()) all.push_back({std::string(link)});
  }
  return all;
}

}  // namespace

constinit const Section subnet_manager_section{"subnet_manager",     check_subnet_manager,  expand_subnet_manager,
                                               adopt_subnet_manager, subnet_manager_places, lost_to_fabric,
                                               displaced_by_opensm};

}  // namespace rdmastate
