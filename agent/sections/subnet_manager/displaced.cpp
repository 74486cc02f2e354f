// SPDX-License-Identifier: Apache-2.0
// Finds the foreign settings of OpenSM that are in force now and will not be once all that is wanted is there.
// displaced_by_opensm() asks opensm_in_force() of the files as they are and as they will be; add_displaced() compares.
#include <fmt/format.h>

#include <algorithm>

#include "host/opensm_options.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "sections/subnet_manager/in_force.hpp"

namespace rdmastate {
namespace {

// Whether the plan shows the change of this setting anyway. Of the settings file it shows the entry PRIORITY, but not
// the subnet prefix that the launcher derives from the list of ports. Any other file it shows line by line where the
// wanted instance uses that file.
bool is_shown(const std::string& name, const SettingInForce& was, const SmInForce& is, const OpensmLayout& layout) {
  return was.path == layout.settings ? name == "sm_priority" : was.path == is.path || was.path == is.config;
}

// Whether both may run on the same port: one without a port may run on any.
bool is_about(const SmInForce& one, const SmInForce& other) {
  return !one.port || !other.port || one.port == other.port;
}

// The wanted resources that may displace a setting: the instance's file, and the entries of the settings.
std::vector<Ref> displacing(const SmInForce& is, const OpensmLayout& layout) {
  std::vector<Ref> displacing_refs{{file_kind.name, is.path}};
  for (const auto name : {layout.ports, layout.priority})
    if (!name.empty()) displacing_refs.push_back({entry_kind.name, entry_key(layout.settings, name)});
  return displacing_refs;
}

void add_once(Displaced one, std::vector<Displaced>& displaced) {
  const bool is_known = std::any_of(displaced.begin(), displaced.end(),
                                    [&](const Displaced& known) { return known.sentence == one.sentence; });
  if (!is_known) displaced.push_back(std::move(one));
}

// Whether other hosts feel a change of this setting. A name that is no option of OpenSM, such as "options" (the other
// words of a command), counts as felt, since its effect is not known.
bool is_felt(const std::string& name) {
  const OpensmOption* option = opensm_option(name);
  return option == nullptr || option->reach == OpensmReach::fabric;
}

// Adds each foreign setting of `was` that the instance of `then` on its port does not have, unless the plan shows that
// anyway. Where no instance runs there, adds the subnet manager itself, but not one that the settings' list starts:
// lost_to_fabric() tells of it.
void add_displaced(const SmInForce& was, std::span<const SmInForce> then, const OpensmLayout& layout,
                   std::vector<Displaced>& displaced) {
  bool runs_then = false;
  for (const auto& is : then) {
    if (!is_about(was, is)) continue;
    runs_then = true;
    for (const auto& [name, said] : was.settings) {
      const auto found = is.settings.find(name);
      const bool is_same = found != is.settings.end() && found->second.value == said.value;
      if (!is_same && !said.ours && is_felt(name) && !is_shown(name, said, is, layout))
        add_once({displacing(is, layout), fmt::format("{} {} of {}", name, said.value, said.path)}, displaced);
    }
  }
  if (runs_then || was.ours || was.path == layout.settings || then.empty()) return;
  add_once({displacing(then.front(), layout),
            fmt::format("the subnet manager of {} on port {}", was.path, to_text(*was.port))},
           displaced);
}

// The files as they are now, but on Debian with the wanted list of ports: its units read the same files whichever ports
// are listed, so their settings are compared for the ports that will run.
std::vector<OpensmFile> files_before(std::span<const OpensmFile> now, std::span<const OpensmFile> after,
                                     const OpensmLayout& layout) {
  std::vector<OpensmFile> files(now.begin(), now.end());
  if (!layout.has_unit_per_port()) return files;
  const auto is_settings = [&](const OpensmFile& one) { return one.path == layout.settings; };
  const auto wanted = std::find_if(after.begin(), after.end(), is_settings);
  if (wanted == after.end()) return files;
  std::erase_if(files, is_settings);
  files.push_back(*wanted);
  return files;
}

}  // namespace

std::vector<Displaced> displaced_by_opensm(const Facts& facts, std::span<const Wanted* const> wanted) {
  const OpensmLayout* layout = opensm_layout(platform_of(facts).family);
  if (layout == nullptr) return {};
  const auto after = opensm_files_with(facts.opensm, wanted, *layout);
  if (after == facts.opensm) return {};
  std::vector<Displaced> displaced;
  const auto now = opensm_in_force(files_before(facts.opensm, after, *layout), *layout);
  const auto then = opensm_in_force(after, *layout);
  for (const auto& was : now) add_displaced(was, then, *layout, displaced);
  return displaced;
}

}  // namespace rdmastate
