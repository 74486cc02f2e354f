// SPDX-License-Identifier: Apache-2.0
#include "host/facts.hpp"

#include <fmt/format.h>

#include "base/ini.hpp"
#include "host/claims.hpp"
#include "host/file_owners.hpp"
#include "host/ifupdown.hpp"
#include "host/managers.hpp"
#include "host/nfs_claims.hpp"
#include "host/nfs_exports.hpp"
#include "host/opensm_files.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

Facts::Facts() = default;
Facts::Facts(const Facts& other) = default;
Facts::Facts(Facts&& other) noexcept = default;
Facts& Facts::operator=(const Facts& other) = default;
Facts& Facts::operator=(Facts&& other) noexcept = default;
Facts::~Facts() = default;

// Declared in rdma.hpp. Facts that are read from JSON may have a GUID of 0, a spec may not.
std::optional<Complaint> Text<ReportedGuid>::read(const Scalar& scalar, ReportedGuid& out) {
  if (scalar.text != print({})) return Text<Guid>::read(scalar, out);
  out = {};
  return std::nullopt;
}

namespace {

// What MLNX_OFED and DOCA-OFED install.
constexpr const char* stack_signs[] = {"/etc/infiniband/openib.conf", "/etc/init.d/openibd"};

// Empty where there is no such file.
std::string first_line(const Snapshot& snapshot, const std::string& path) {
  const auto bytes = snapshot.read(path);
  return bytes ? bytes->substr(0, bytes->find('\n')) : std::string();
}

std::string read_stack(const Snapshot& snapshot) {
  const bool ofed = std::any_of(std::begin(stack_signs), std::end(stack_signs),
                                [&](const char* path) { return snapshot.exists(path); });
  return ofed ? "ofed" : "inbox";
}

// os-release(5).
void read_distribution(const Snapshot& snapshot, Facts& facts) {
  auto release = snapshot.read("/etc/os-release");
  if (!release) release = snapshot.read("/usr/lib/os-release");
  if (!release) return;
  const ini::File file(ini::shell, *release);
  facts.distribution = file.value("", "ID");
  facts.distribution_like = file.value("", "ID_LIKE");
  facts.version = file.value("", "VERSION_ID");
  facts.pretty_name = file.value("", "PRETTY_NAME");
}

// machine-id(5): an image that is to be populated at its first boot has no file, or one that says so.
void read_machine_id(const Snapshot& snapshot, Facts& facts) {
  const std::string path = "/etc/machine-id";
  facts.machine_id = first_line(snapshot, path);
  const bool is_new = facts.machine_id == "uninitialized";
  if (is_new) facts.machine_id.clear();
  facts.first_boot = !facts.live && (is_new || !snapshot.exists(path));
}

}  // namespace

const Manager* Facts::manager(std::string_view name) const {
  const auto found = std::find_if(managers.begin(), managers.end(), [&](const Manager& m) { return m.name == name; });
  return found == managers.end() ? nullptr : &*found;
}

std::vector<std::string_view> paths_of_signs() {
  std::vector<std::string_view> paths = paths_of_managers();
  paths.insert(paths.end(), std::begin(stack_signs), std::end(stack_signs));
  paths.insert(paths.end(), ifupdown_signs.begin(), ifupdown_signs.end());
  return paths;
}

std::string read_boot_id(const Snapshot& snapshot) {
  return snapshot.is_tree() ? std::string() : first_line(snapshot, "/proc/sys/kernel/random/boot_id");
}

// The order matters: claims need the managers that run, netplan and ifupdown are found by claims, and only a tree in
// which nothing was found before is asked for its presets.
Facts read_facts(const Snapshot& snapshot) {
  Facts facts;
  facts.host = snapshot.description();
  facts.live = !snapshot.is_tree();
  read_distribution(snapshot, facts);
  read_machine_id(snapshot, facts);
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
  facts.exports = read_exports(snapshot, facts.unseen);
  facts.opensm = read_opensm_files(snapshot, facts.unseen);
  note_file_owners(snapshot, facts);
  facts.ifupdown = snapshot.has_ifupdown();
  facts.netplan = snapshot.has_netplan();
  if (!facts.live && facts.managers.empty()) facts.managers = preset_managers(snapshot, facts.unseen);
  facts.installed = installed_managers(snapshot, facts.unseen);
  facts.devices = snapshot.devices();
  return facts;
}

template <>
const Record& record_of<Facts>() {
  return detail::record<Facts>;
}

}  // namespace rdmastate
