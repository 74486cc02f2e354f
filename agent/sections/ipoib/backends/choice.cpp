// SPDX-License-Identifier: Apache-2.0
// Chooses the back end: which program configures this host's interfaces, and why. choose_backend() takes the one that
// the spec names; with `auto`, in a tree where no manager is enabled, the only one that presets enable
// (systemd.preset(5)); else the first back end that says why it is the one (BackendRow::why).
#include <fmt/format.h>

#include <algorithm>

#include "platform/packages.hpp"
#include "resources/file/file.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {
namespace {

constexpr const char* backend_path = "network.backend";

// Debian has systemd-networkd in systemd's own package, so that it is installed does not say that it is to be used.
bool is_part_of_systemd(const Manager& manager, const Facts& facts) {
  return manager.name == to_text(Backend::networkd) && platform_of(facts).family == DistroFamily::debian;
}

// In a tree in which no manager is enabled: the only one that presets enable; null where there is none, or several.
// Debian's networkd is taken only where the next boot is a first one, which enables it.
const Manager* only_by_preset(const Facts& facts) {
  if (facts.managers.size() != 1) return nullptr;
  const Manager& only = facts.managers.front();
  if (!only.preset || (is_part_of_systemd(only, facts) && !facts.first_boot)) return nullptr;
  return &only;
}

std::string by_preset(const Manager& manager, const Facts& facts) {
  const bool is_alone = !facts.installed || facts.installed->size() <= 1;
  return fmt::format("{}{} ({})",
                     is_alone ? "it is the only network manager installed here, and presets enable it"
                              : "of the network managers installed here presets enable it alone",
                     facts.first_boot ? " at the first boot" : "", manager.preset.value_or(""));
}

// systemd reads presets at a first boot alone, or when `systemctl preset` is run.
void warn_of_presets(const Manager& manager, const Facts& facts, Report& report) {
  if (facts.first_boot) return;
  const std::string unit = file_name(manager.evidence);
  warn(report, backend_path,
       fmt::format("nothing enables {} in this tree but presets, and its /etc/machine-id is there, so the next boot is "
                   "no first boot, which would read them",
                   unit),
       fmt::format("systemctl --root=DIR preset {} enables it; so does a first boot: write uninitialized into "
                   "/etc/machine-id",
                   unit));
}

// The package with the back end's program; empty where the distribution has none, or is not known.
std::string package_of(Backend backend, const Facts& facts) {
  const auto names = package_names(facts);
  if (!names) return {};
  const std::string part = fmt::format("network.backend={}", to_text(backend));
  const auto packages = packages_for(*names, facts.kernel, [&](std::string_view one) { return one == part; });
  return packages.empty() ? std::string() : packages.front().name;
}

// A back end that the spec names: its program may be installed later, but until then nothing reads its files.
void warn_if_missing(const Spec& spec, const Facts& facts, Report& report) {
  const std::string name = to_text(spec.backend());
  const bool moves_itself = spec.backend() == Backend::none;
  if (moves_itself || spec.ipoib.empty() || !facts.installed || manager_here(facts, spec.backend()) != nullptr) return;
  if (std::find(facts.installed->begin(), facts.installed->end(), name) != facts.installed->end()) return;
  const std::string package = package_of(spec.backend(), facts);
  warn(report, backend_path,
       fmt::format("{} is not installed {}, and nothing else reads the files that this back end writes", name,
                   facts.live ? "on this host" : "in this tree"),
       package.empty() ? "no package of this distribution that is known to rdmastate brings it: choose another back end"
                       : fmt::format("install the package {}, or choose another back end", package));
}

BackendChoice choose_by_preset(const Manager& manager, const Spec& spec, const Facts& facts, Report& report) {
  const auto rows = all_backends();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto* one) { return to_text(one->backend) == manager.name; });
  if (row == rows.end()) return {};  // not reached: each manager with a unit has a row
  if (!spec.ipoib.empty()) warn_of_presets(manager, facts, report);
  return {(*row)->backend, by_preset(manager, facts)};
}

}  // namespace

BackendChoice choose_backend(const Spec& spec, const Facts& facts, Report& report) {
  if (spec.backend() != Backend::automatic) {
    warn_if_missing(spec, facts, report);
    return {spec.backend(), ""};
  }
  if (const Manager* only = only_by_preset(facts)) return choose_by_preset(*only, spec, facts, report);
  for (const BackendRow* row : all_backends())
    if (std::string why = row->why(facts); !why.empty()) return {row->backend, std::move(why)};
  return {};  // not reached: back end none, the last row, always says why
}

}  // namespace rdmastate
