// SPDX-License-Identifier: Apache-2.0
#include "sections/section.hpp"

#include <array>
#include <set>

#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "sections/boot_file.hpp"
#include "sections/devices/devices.hpp"
#include "sections/initrd.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {
namespace {

#define RDMASTATE_ADDRESS(name, type, doc) &name##_section,
constexpr std::array sections{RDMASTATE_SECTIONS(RDMASTATE_ADDRESS)};
#undef RDMASTATE_ADDRESS

// Adds boot.json, and where rdmastate makes something at boot also the link that starts rdmastate.service. Modules that
// back end none relies on are loaded by their own twin before that service runs.
void add_boot_file(Desired& desired) {
  std::string text = boot_file_text(desired);
  if (text.empty()) return;
  // Where boot.json holds only what is awaited, rdmastate.service need not start: rdmastate-ready.service reads that by
  // itself.
  const auto made_at_boot = std::find_if(desired.wanted.begin(), desired.wanted.end(), is_made_at_boot);
  if (made_at_boot != desired.wanted.end())
    desired.add(boot_unit_link(/*is_there=*/true, section_of(made_at_boot->path)));
  desired.add(boot_file_of(std::move(text)));
}

// Whether rdmastate makes the directory of the resource's file where it is missing. Of an entry in a foreign file the
// kind says so (Kind::needs); else the file's program brings its directory.
bool brings_directory(const Wanted& one) {
  if (!one.kind->durable || !one.state) return false;
  if (one.kind->lives_in == nullptr) return true;
  const auto needs = one.kind->needs(one.key, &*one.state);
  const Ref directory{file_kind.name, parent_path(one.kind->file_of_key(one.key))};
  return std::find(needs.begin(), needs.end(), directory) != needs.end();
}

// Wants every directory between / and a file of rdmastate, so that those it had to make are known, undone and one day
// removed.
void add_directories(Desired& desired) {
  const std::set<std::string> of_every_host{"/", "/etc", "/usr", "/var", "/run", "/usr/lib", "/var/lib"};
  std::set<std::string> needed;
  for (const auto& one : desired.wanted)
    if (brings_directory(one))
      for (std::string path = parent_path(one.kind->file_of_key(one.key)); !of_every_host.contains(path);
           path = parent_path(path))
        needed.insert(path);
  const bool leaves_files = std::any_of(desired.wanted.begin(), desired.wanted.end(),
                                        [](const Wanted& one) { return one.kind->durable && one.state; });
  if (leaves_files) needed.insert(parent_path(std::string(common_layout().ledger)));  // `wanted` lacks the ledger
  for (const auto& path : needed) {
    const std::uint32_t mode = path == common_layout().nm_profiles ? 0700 : 0755;  // profiles may hold secrets
    desired.add({&file_kind, path, State(file_kind, directory(mode))});
  }
}

}  // namespace

std::span<const Section* const> all_sections() { return sections; }

void add_consequences(const Spec& spec, const Facts& facts, Desired& desired) {
  add_initrd(spec, facts, desired);
  add_boot_file(desired);
  add_directories(desired);  // last: boot.json and its link are in directories too
}

Desired expand_sections(const Spec& spec, const Facts& facts, Report& report, bool adopting) {
  Desired desired;
  desired.adopting = adopting;
  const BackendChoice choice = choose_backend(spec, facts, report);
  desired.backend = to_text(choice.backend);
  if (!spec.ipoib.empty()) desired.backend_reason = choice.reason;  // without ipoib it decides nothing
  // Ports by GUID: section `devices` may give a device another name than the one by which `ipoib` selects its port.
  std::optional<Spec> with_guids;
  if (!spec.devices.empty()) with_guids = ports_by_guid(spec, facts);
  for (const Section* section : sections)
    section->expand(with_guids ? *with_guids : spec, facts, choice.backend, desired, report);
  return desired;
}

bool loads(const Spec& spec, const std::string& module) {
  if (!spec.modules) return false;
  const auto& load = spec.modules->load;
  return std::any_of(load.begin(), load.end(), [&](const ModuleName& name) { return name.value == module; });
}

void complain(Report& report, std::string path, std::string message, std::string hint) {
  report.add(std::move(path), {std::move(message), "", std::move(hint), Severity::error});
}

void complain_of_absent(const Facts& facts, Report& report, std::string path, std::string message, std::string hint) {
  report.add(std::move(path), {std::move(message), "", std::move(hint), Severity::error, facts.live});
}

void warn(Report& report, std::string path, std::string message, std::string hint) {
  report.add(std::move(path), {std::move(message), "", std::move(hint), Severity::warning});
}

}  // namespace rdmastate
