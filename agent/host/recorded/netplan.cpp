// SPDX-License-Identifier: Apache-2.0
// generated() makes the files that generate.c of netplan 0.106 makes, for the renderer that the last file names.
#include "host/recorded/netplan.hpp"

#include "base/error.hpp"
#include "host/file_owners.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view files = "/etc/netplan/";
constexpr std::uint32_t for_all = 0644;
constexpr std::uint32_t private_file = 0600;

FileContent network_file(const NetplanDefinition& one) {
  return {{FileType::regular, for_all, 0, 0}, "# " + one.text + "\n[Match]\nName=" + one.id + "\n", {}};
}

FileContent profile(const NetplanDefinition& one) {
  return {
      {FileType::regular, private_file, 0, 0},
      "# " + one.text + "\n[connection]\nid=netplan-" + one.id + "\ntype=infiniband\ninterface-name=" + one.id + "\n",
      {}};
}

bool has_netplan(const HostModel& model) { return model.files.contains(std::string(netplan_program_path)); }

}  // namespace

bool RecordedNetplan::is_here() {
  ++log_.reads.managers;
  return has_netplan(model_);
}

GeneratedFiles RecordedNetplan::generated() {
  if (!is_here()) throw Error("netplan generate: it is not here");
  return generated_of(model_);
}

void generate_in_place(HostModel& model) {
  if (!has_netplan(model)) return;
  std::erase_if(model.files, [](const auto& file) {
    return file.first.starts_with(netplan_generated_files) || file.first.starts_with(netplan_generated_profiles);
  });
  for (auto& [path, file] : generated_of(model)) model.files[path] = std::move(file);
  add_parents(model.files);
}

GeneratedFiles generated_of(const HostModel& model) {
  std::map<std::string, NetplanDefinition> all;  // of two definitions of an interface the later file's
  std::string renderer = "networkd";
  for (const auto& [path, file] : model.files) {
    if (!path.starts_with(files) || !path.ends_with(".yaml")) continue;
    for (auto& one : netplan_definitions(file.bytes)) all[one.id] = one;
    if (const std::string named = netplan_renderer(file.bytes); !named.empty()) renderer = named;
  }
  GeneratedFiles made;
  for (const auto& [id, one] : all) {
    if (renderer == "networkd")
      made.emplace(netplan_network_path(id), network_file(one));
    else
      made.emplace(netplan_profile_path(id), profile(one));
  }
  return made;
}

}  // namespace rdmastate
