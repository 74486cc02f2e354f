// SPDX-License-Identifier: Apache-2.0
#include "host/facts.hpp"

#include <fmt/format.h>

#include "base/ini.hpp"
#include "host/claims.hpp"
#include "host/file_owners.hpp"
#include "host/given_facts.hpp"
#include "host/nfs_claims.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

struct Evidence {
  const char* manager;
  const char* path;
};

// What only the running daemon makes.
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
    {"wicked", "/etc/systemd/system/network.service"},
};

std::string first_line(const Snapshot& snapshot, const std::string& path) {
  const auto bytes = snapshot.read(path);
  return bytes ? bytes->substr(0, bytes->find('\n')) : std::string();
}

void note(std::vector<Manager>& managers, const Evidence& sign, bool running) {
  auto found = std::find_if(managers.begin(), managers.end(), [&](const Manager& m) { return m.name == sign.manager; });
  if (found == managers.end()) found = managers.insert(managers.end(), Manager{sign.manager, false, false, sign.path});
  (running ? found->running : found->enabled) = true;
}

std::vector<Manager> read_managers(const Snapshot& snapshot) {
  std::vector<Manager> managers;
  if (!snapshot.is_tree())
    for (const auto& sign : running_signs)
      if (snapshot.exists(sign.path)) note(managers, sign, true);
  for (const auto& sign : enabled_signs)
    if (snapshot.exists(sign.path)) note(managers, sign, false);
  if (managers.empty() && snapshot.given() != nullptr) return given_managers(*snapshot.given());
  return managers;
}

std::string read_stack(const Snapshot& snapshot) {
  const bool ofed = snapshot.exists("/etc/infiniband/openib.conf") || snapshot.exists("/etc/init.d/openibd");
  return ofed ? "ofed" : "inbox";
}

std::string read_machine_id(const Snapshot& snapshot) {
  std::string id = first_line(snapshot, "/etc/machine-id");
  return id == "uninitialized" ? std::string() : id;
}

}  // namespace

const Manager* Facts::manager(std::string_view name) const {
  const auto found = std::find_if(managers.begin(), managers.end(), [&](const Manager& m) { return m.name == name; });
  return found == managers.end() ? nullptr : &*found;
}

std::vector<std::string> manager_evidence(const Snapshot& snapshot) {
  std::vector<std::string> paths;
  const auto keep = [&](const Evidence& sign) {
    if (snapshot.exists(sign.path)) paths.emplace_back(sign.path);
  };
  if (!snapshot.is_tree()) std::for_each(std::begin(running_signs), std::end(running_signs), keep);
  std::for_each(std::begin(enabled_signs), std::end(enabled_signs), keep);
  return paths;
}

std::string read_boot_id(const Snapshot& snapshot) {
  return snapshot.is_tree() ? std::string() : first_line(snapshot, "/proc/sys/kernel/random/boot_id");
}

Facts read_facts(const Snapshot& snapshot) {
  Facts facts;
  facts.host = snapshot.description();
  facts.live = !snapshot.is_tree();
  auto release = snapshot.read("/etc/os-release");
  if (!release) release = snapshot.read("/usr/lib/os-release");
  if (release) {
    const ini::File file(ini::shell, *release);
    facts.distribution = file.value("", "ID");
    facts.distribution_like = file.value("", "ID_LIKE");
    facts.version = file.value("", "VERSION_ID");
    facts.pretty_name = file.value("", "PRETTY_NAME");
  }
  facts.machine_id = read_machine_id(snapshot);
  if (facts.live) {
    facts.kernel = first_line(snapshot, "/proc/sys/kernel/osrelease");
    facts.boot_id = read_boot_id(snapshot);
  }
  facts.stack = read_stack(snapshot);
  if (snapshot.given() != nullptr) facts.versions = snapshot.given()->versions;
  facts.managers = read_managers(snapshot);
  facts.claims = read_claims(snapshot, facts.managers, facts.unseen);
  facts.mounts = read_mount_claims(snapshot, facts.unseen);
  facts.nfs_settings = read_nfs_settings(snapshot, facts.unseen);
  note_file_owners(snapshot, facts);
  facts.devices = snapshot.devices();
  return facts;
}

template <>
const Record& record_of<Facts>() {
  return detail::record<Facts>;
}

}  // namespace rdmastate
