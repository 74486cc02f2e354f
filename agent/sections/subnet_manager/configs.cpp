// SPDX-License-Identifier: Apache-2.0
#include "sections/subnet_manager/configs.hpp"

#include <algorithm>

#include "sections/subnet_manager/files.hpp"
#include "sections/subnet_manager/in_force.hpp"

namespace rdmastate {
namespace {

// Whether a foreign configuration at `path` names a port: then rdmastate takes another number. Where it names none,
// rdmastate keeps the number, and the plan refuses as with any foreign file.
bool has_port_of_others(std::span<const OpensmFile> files, const std::string& path) {
  return std::any_of(files.begin(), files.end(), [&](const OpensmFile& one) {
    return one.path == path && !one.ours && one.settings.contains("guid");
  });
}

// Whether the launcher's settings have the entry that lists ports, even an empty one.
bool lists_ports(std::span<const OpensmFile> files, const OpensmLayout& layout) {
  return std::any_of(files.begin(), files.end(), [&](const OpensmFile& one) {
    return one.path == layout.settings && one.settings.contains(std::string(layout.ports));
  });
}

// Whether the setting comes from the configuration that OpenSM reads by default, as another program wrote it.
bool is_standard(const SettingInForce& one, const OpensmLayout& layout) {
  return one.path == layout.standard && !one.ours;
}

// Whether a foreign subnet_prefix in the standard configuration goes out of force: the launcher gives a port of its
// list the usual prefix, whatever that configuration says.
bool loses_prefix(const SmInstance& instance, std::span<const OpensmFile> files, const OpensmLayout& layout) {
  const auto now = opensm_in_force(files, layout);
  return !instance.subnet_prefix && std::any_of(now.begin(), now.end(), [&](const SmInForce& one) {
    const auto prefix = one.settings.find("subnet_prefix");
    return prefix != one.settings.end() && is_standard(prefix->second, layout);
  });
}

// The files, and where each port has a unit with this port alone in the list: only the units of listed ports
// start, and the question is what such a unit would read.
std::vector<OpensmFile> with_port(Guid port, std::span<const OpensmFile> files, const OpensmLayout& layout) {
  std::vector<OpensmFile> listing(files.begin(), files.end());
  if (!layout.has_unit_per_port()) return listing;
  std::erase_if(listing, [&](const OpensmFile& one) { return one.path == layout.settings; });
  listing.push_back(
      {std::string(layout.settings), /*ours=*/false, {{std::string(layout.ports), opensm_guid(port.value)}}});
  return listing;
}

}  // namespace

bool keeps_configs(const SubnetManagerSection& section, std::span<const OpensmFile> files, const OpensmLayout& layout,
                   bool adopting) {
  if (layout.configs.empty() || section.instances.empty()) return false;
  // config_of_others() finds a file only where the list of ports is missing or empty.
  const bool has_foreign_ones =
      std::any_of(section.instances.begin(), section.instances.end(),
                  [&](const SmInstance& one) { return config_of_others(files, layout, one.port_guid) != nullptr; });
  if (has_foreign_ones) return adopting || lists_ports(files, layout);
  // Several instances have configurations anyway (needs_configs()), so this is about the only one.
  return adopting && loses_prefix(section.instances.front(), files, layout);
}

std::vector<std::string> config_paths(const SubnetManagerSection& section, std::span<const OpensmFile> files,
                                      const OpensmLayout& layout) {
  std::vector<std::string> paths;
  std::size_t number = 0;
  for (const auto& instance : section.instances) {
    if (const OpensmFile* theirs = config_of_others(files, layout, instance.port_guid)) {
      paths.push_back(theirs->path);
      continue;
    }
    while (has_port_of_others(files, config_path(layout, number))) ++number;
    paths.push_back(config_path(layout, number++));
  }
  return paths;
}

std::string standard_config_of(Guid port, std::span<const OpensmFile> files, const OpensmLayout& layout) {
  const auto now = opensm_in_force(with_port(port, files, layout), layout);
  const bool is_read = std::any_of(now.begin(), now.end(), [&](const SmInForce& one) {
    return one.port.value_or(port) == port &&
           std::any_of(one.settings.begin(), one.settings.end(),
                       [&](const auto& setting) { return is_standard(setting.second, layout); });
  });
  return is_read ? std::string(layout.standard) : std::string();
}

}  // namespace rdmastate
