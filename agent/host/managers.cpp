// SPDX-License-Identifier: Apache-2.0
#include "host/managers.hpp"

#include <algorithm>
#include <array>

#include "host/given_facts.hpp"
#include "host/look_at.hpp"
#include "host/ordered_files.hpp"
#include "host/presets.hpp"
#include "host/snapshot.hpp"
#include "host/units.hpp"

namespace rdmastate {
namespace {

// A path whose existence shows that a manager runs or is enabled.
struct Evidence {
  const char* manager;
  const char* path;
  const char* leads_to = nullptr;  ///< the path is a sign only as a symlink to a file of this name
};

// Paths that only the running daemon makes.
constexpr Evidence running_signs[] = {
    {"networkmanager", "/run/NetworkManager/devices"},
    {"networkd", "/run/systemd/netif/state"},
    {"wicked", "/run/wicked"},
};

// The link that `systemctl enable` makes.
constexpr Evidence enabled_signs[] = {
    {"networkmanager", "/etc/systemd/system/multi-user.target.wants/NetworkManager.service"},
    {"networkd", "/etc/systemd/system/multi-user.target.wants/systemd-networkd.service"},
    {"networkd", "/etc/systemd/system/dbus-org.freedesktop.network1.service"},
    {"wicked", "/etc/systemd/system/multi-user.target.wants/wicked.service"},
    {"wicked", "/etc/systemd/system/network.service", "wicked.service"},  // NetworkManager's on SUSE has this alias too
};

// What a manager's package installs.
struct Package {
  const char* manager;
  const char* unit;                     ///< empty: it has none
  std::array<const char*, 3> programs;  ///< the places of its program; nullptr: no further one
};

// ifup is no sign of ifupdown: NetworkManager on RHEL and wicked on SUSE bring one too. netplan has no unit: systemd
// runs its generator at boot.
constexpr Package packages[] = {
    {"networkmanager", "NetworkManager.service", {"/usr/sbin/NetworkManager", "/usr/bin/NetworkManager"}},
    {"networkd", "systemd-networkd.service", {"/usr/lib/systemd/systemd-networkd", "/lib/systemd/systemd-networkd"}},
    {"netplan",
     "",
     {"/usr/lib/systemd/system-generators/netplan", "/lib/systemd/system-generators/netplan", "/usr/sbin/netplan"}},
    {"ifupdown", "networking.service", {"/usr/sbin/ifquery", "/sbin/ifquery"}},
    {"wicked", "wicked.service", {"/usr/sbin/wicked", "/usr/sbin/wickedd"}},
};

bool is_there(const Snapshot& snapshot, const Evidence& sign) {
  if (sign.leads_to == nullptr) return snapshot.exists(sign.path);
  const auto& link = snapshot.file(sign.path);
  return link && link->meta.type == FileType::symlink &&
         ("/" + link->bytes).ends_with("/" + std::string(sign.leads_to));
}

// Sets `flag` (Manager::running or Manager::enabled) of the sign's manager, which is added where it is not there yet.
void note(std::vector<Manager>& managers, const Evidence& sign, bool Manager::*flag) {
  auto found = std::find_if(managers.begin(), managers.end(), [&](const Manager& m) { return m.name == sign.manager; });
  if (found == managers.end())
    found = managers.insert(managers.end(), Manager{sign.manager, /*running=*/false, /*enabled=*/false, sign.path});
  (*found).*flag = true;
}

// The path of the package's unit; empty where there is none.
std::string unit_path(const Snapshot& snapshot, const Package& package) {
  return *package.unit == '\0' ? std::string() : path_that_counts(snapshot, unit_directories, package.unit);
}

}  // namespace

std::vector<Manager> read_managers(const Snapshot& snapshot) {
  std::vector<Manager> managers;
  if (!snapshot.is_tree())
    for (const auto& sign : running_signs)
      if (is_there(snapshot, sign)) note(managers, sign, &Manager::running);
  for (const auto& sign : enabled_signs)
    if (is_there(snapshot, sign)) note(managers, sign, &Manager::enabled);
  if (managers.empty() && snapshot.given() != nullptr) return given_managers(*snapshot.given());
  return managers;
}

std::vector<Manager> preset_managers(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  std::vector<Manager> managers;
  for (const auto& package : packages) {
    const std::string unit = unit_path(snapshot, package);
    if (unit.empty() || is_masking(snapshot, unit)) continue;
    const Preset preset = preset_of(snapshot, package.unit, unseen);
    if (!preset.enables) continue;
    managers.push_back({package.manager, /*running=*/false, /*enabled=*/false, unit, preset.told_by()});
  }
  return managers;
}

std::optional<std::vector<std::string>> installed_managers(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  std::vector<std::string> names;
  const std::size_t unseen_before = unseen.size();
  for (const auto& package : packages) {
    bool is_there = false;
    for (const char* program : package.programs)
      if (program != nullptr) look_at(program, unseen, [&] { is_there = is_there || snapshot.stamp(program); });
    if (is_there) names.emplace_back(package.manager);
  }
  return unseen.size() == unseen_before ? std::optional(std::move(names)) : std::nullopt;
}

std::vector<std::string_view> paths_of_managers() {
  std::vector<std::string_view> paths;
  for (const auto& sign : running_signs) paths.emplace_back(sign.path);
  for (const auto& sign : enabled_signs) paths.emplace_back(sign.path);
  for (const auto& package : packages)
    for (const char* program : package.programs)
      if (program != nullptr) paths.emplace_back(program);
  return paths;
}

}  // namespace rdmastate
