// SPDX-License-Identifier: Apache-2.0
#include "plan/record.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <set>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/sha256.hpp"
#include "host/claims.hpp"
#include "host/look_at.hpp"
#include "host/ordered_files.hpp"
#include "host/recorded_initrds.hpp"
#include "host/recorded_kernel.hpp"
#include "plan/boot_reader.hpp"
#include "plan/ledger.hpp"
#include "platform/layout.hpp"
#include "platform/ofed.hpp"
#include "platform/read_order.hpp"
#include "resources/account_text.hpp"
#include "resources/device_nodes.hpp"
#include "resources/file.hpp"
#include "resources/group_gap.hpp"
#include "resources/initrd_held.hpp"
#include "resources/registry.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

void keep_text(HostModel& model, const std::string& path, std::string text) {
  FileContent file;
  file.meta.mode = 0644;
  file.bytes = std::move(text);
  model.files.insert_or_assign(path, std::move(file));
}

void keep_directory(HostModel& model, const std::string& path) {
  FileContent directory;
  directory.meta = {FileType::directory, 0755, 0, 0};
  model.files.insert_or_assign(path, std::move(directory));
}

// Device nodes whose owner and mode a spec may name.
void keep_nodes(const Snapshot& snapshot, HostModel& model) {
  const std::string directory = "/dev/infiniband";
  for (const auto& name : snapshot.list(directory)) {
    const std::string path = directory + "/" + name;
    if (!name.starts_with(umad_nodes)) continue;
    if (const auto& file = snapshot.file(path); file && file->meta.type == FileType::other)
      model.files.insert_or_assign(path, *file);
  }
}

// The directories on the way to what a section may write: a plan makes those that are missing.
void keep_ways(const Snapshot& snapshot, HostModel& model) {
  const auto& layout = common_layout();
  for (const std::string_view path : {layout.modules_load, layout.udev_rules, layout.rdma_options, layout.nfs_conf,
                                      layout.wants_link, layout.boot_file, layout.runs})
    if (const std::string way = parent_path(std::string(path)); snapshot.exists(way)) keep_directory(model, way);
  for (const std::string& way :
       {std::string("/run"), std::string(layout.nm_profiles), std::string("/etc/network"),
        std::string("/etc/network/interfaces.d"), std::string("/etc/netplan"), std::string(layout.networkd_files)})
    if (snapshot.exists(way)) keep_directory(model, way);
}

// As a shell reads it again.
std::string shell_word(const std::string& value) {
  std::string word;
  for (const char c : value)
    word += (std::string_view("\"\\$`").find(c) == std::string_view::npos ? "" : "\\") + std::string(1, c);
  return '"' + word + '"';
}

void keep_identity(const Snapshot& snapshot, const Facts& facts, HostModel& model) {
  keep_text(model, "/etc/os-release",
            fmt::format("ID={}\nVERSION_ID={}\nPRETTY_NAME={}\n", facts.distribution, shell_word(facts.version),
                        shell_word(facts.pretty_name)));
  keep_text(model, "/etc/machine-id", facts.machine_id + "\n");
  keep_text(model, "/proc/sys/kernel/osrelease", facts.kernel + "\n");
  keep_text(model, "/proc/sys/kernel/random/boot_id", facts.boot_id + "\n");
  const std::string ofed(openib_conf);
  if (facts.stack == "ofed") keep_text(model, ofed, openib_lines(snapshot.read(ofed).value_or("")));
  for (const auto& path : manager_evidence(snapshot)) keep_directory(model, path);
  keep_ways(snapshot, model);
}

// What claims alone is enough for the claim to be read again; a keyfile's secrets are in others.
void keep_claims(const Facts& facts, HostModel& model) {
  for (const auto& claim : facts.claims) {
    std::string line = claim_text(claim);
    // A section has one name: a second one goes into another.
    if (claim.manager == "networkmanager" && claim_words(claim).asks.empty())
      line.insert(0, fmt::format("[{}]\n", model.files.contains(claim.path) ? claim.interface : "connection"));
    auto& file = model.files[claim.path];
    file.meta.mode = 0600;
    file.bytes += line;
  }
}

std::string fstab_word(const std::string& target) {
  std::string word;
  for (const char c : target) word += c == ' ' ? "\\040" : std::string(1, c);
  return word;
}

// The same for what others say about mounts and the NFS server.
void keep_nfs_claims(const Facts& facts, HostModel& model) {
  for (const auto& claim : facts.mounts) {
    auto& file = model.files[claim.path];
    file.meta.mode = 0644;
    file.bytes += claim.manager == "fstab" ? fmt::format("none {} none noauto 0 0\n", fstab_word(claim.target))
                                           : fmt::format("[Mount]\nWhere={}\n", claim.target);
  }
  for (const auto& one : facts.nfs_settings) {
    const std::size_t dot = one.key.find('.');
    auto& file = model.files[one.path];
    file.meta.mode = 0644;
    file.bytes += fmt::format("[{}]\n{} = {}\n", one.key.substr(0, dot), one.key.substr(dot + 1), one.value);
  }
}

// What decides the back end beside claims.
void keep_owners(const Facts& facts, HostModel& model) {
  const auto keep = [&](const std::string& path, const std::string& line) {
    auto& file = model.files[path];
    file.meta.mode = 0600;
    file.bytes.insert(0, line);
  };
  if (const Manager* netplan = facts.manager("netplan"))
    keep(netplan->evidence, "network:\n  renderer: " + facts.netplan_renderer + "\n");
  for (const auto& line : facts.includes) keep("/etc/network/interfaces", line + "\n");
}

std::set<std::string> own_paths(const Snapshot& snapshot, const Facts& facts) {
  const auto& layout = common_layout();
  std::set<std::string> paths;
  for (const std::string_view path :
       {layout.modules_load, layout.udev_rules, layout.name_rules, layout.soft_rules, layout.port_rules,
        layout.rdma_options, layout.modules_block, layout.modules_options, layout.nfs_conf, layout.nfs_unit,
        layout.wants_link, layout.boot_file, layout.ledger})
    paths.emplace(path);
  for (const auto& entry : read_ledger(snapshot, facts.machine_id).entries)
    if (const Kind* kind = kind_named(entry.kind); kind != nullptr && kind->durable)
      paths.insert(kind->file_of_key(entry.key));
  return paths;
}

// Somebody may have put one into a file of ours.
void keep_without_secrets(const std::string& path, FileContent file, HostModel& model) {
  if (file.meta.type == FileType::regular) file.bytes = without_secrets(file.bytes);
  model.files.insert_or_assign(path, std::move(file));
}

// Who may open nodes depends on them.
void keep_groups(const Snapshot& snapshot, HostModel& model) {
  const auto text = snapshot.read(group_path);
  if (!text) return;
  std::string lines;
  for_lines(*text, [&](std::string_view line) {
    if (const std::string safe = without_password(line); !safe.empty()) lines += safe + "\n";
  });
  keep_text(model, group_path, std::move(lines));
}

void keep_boot_reader(const Snapshot& snapshot, HostModel& model) {
  const BootReaderFiles files = boot_reader_files(snapshot);
  for (const auto& path : files.texts)
    if (const auto& file = snapshot.file(path)) keep_without_secrets(path, *file, model);
  for (const auto& path : files.programs) {
    keep_text(model, path, "");
    model.files.at(path).meta.mode = 0755;
  }
}

void keep_text_of_others(const Snapshot& snapshot, const std::string& directory, const KeptPlace& place,
                         HostModel& model) {
  for (const auto& name : snapshot.list(directory)) {
    const std::string path = directory + "/" + name;
    if (!name.ends_with(place.suffix) || model.files.contains(path)) continue;
    std::vector<std::string> unseen;
    look_at(path, unseen, [&] {
      if (is_masking(snapshot, path)) return void(model.files.insert_or_assign(path, *snapshot.file(path)));
      const std::string kept = place.kept(snapshot.read(path).value_or(""));
      if (!kept.empty()) keep_text(model, path, kept);
    });
  }
}

// What could win over a file of ours: nothing else of files that only others read.
void keep_ordered(const Snapshot& snapshot, HostModel& model) {
  for (const auto& place : kept_places()) {
    const std::string directory(place.directory);
    if (place.below.empty()) {
      keep_text_of_others(snapshot, directory, place, model);
      continue;
    }
    for (const auto& name : snapshot.list(directory))
      if (name.ends_with(place.below)) keep_text_of_others(snapshot, directory + "/" + name, place, model);
  }
}

void keep_links(const Snapshot& snapshot, HostModel& model) {
  for (const Link* link : snapshot.links()) {
    RecordedLink one;
    one.link = *link;
    one.mcast_mtu = one.admin_mtu = link->ipoib ? std::min(link->mtu, 2044U) : 0;
    one.cable = link->carrier;
    model.links.emplace(link->index, one);
    model.next_index = std::max(model.next_index, link->index + 1);
    for (const auto& address : snapshot.addresses(link->index)) model.addresses.push_back(address);
    for (const auto& route : snapshot.routes(link->index)) model.routes.push_back(route);
  }
}

void keep_module(const Snapshot& snapshot, const std::string& name, RecordedModules& modules) {
  const ModuleStatus status = snapshot.module({name});
  if (status == ModuleStatus::loaded) modules.loaded.insert(name);
  if (status == ModuleStatus::loaded || status == ModuleStatus::loadable) modules.loadable.insert(name);
  if (status == ModuleStatus::builtin) modules.builtin.insert(name);
}

void keep_roce(const Snapshot& snapshot, const std::string& device, const RdmaPort& port, HostModel& model) {
  RecordedRoce roce = kernel::usual_roce(model, {device, port.number});
  if (auto modes = snapshot.roce_modes(device, port.number); !modes.empty()) roce.modes = std::move(modes);
  try {
    const auto now = snapshot.roce_defaults(device, port.number);
    if (!now) return;
    roce.defaults = *now;
    kernel::keep_roce(model, {device, port.number}, roce);
  } catch (const SystemError& error) {
    if (error.number() != EACCES && error.number() != EPERM) throw;  // root's to ask
  }
}

void keep_rdma(const Snapshot& snapshot, HostModel& model) {
  for (const auto& soft : snapshot.soft_devices()) model.soft.emplace(soft.name, soft);
  for (const auto& device : model.devices)
    if (auto users = snapshot.users(device.name); !users.empty()) model.users.emplace(device.name, std::move(users));
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::ethernet) keep_roce(snapshot, device.name, port, model);
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::ethernet && !model.soft.contains(device.name))
        if (auto netdev = snapshot.netdev(device.name, port.number); !netdev.empty())
          model.netdevs.emplace(HostModel::Port{device.name, port.number}, std::move(netdev));
  for (const auto& [port, netdev] : model.netdevs)
    if (RecordedLink* link = model.find(netdev)) link->dcb = snapshot.dcb(netdev);
  model.netns_mode = snapshot.netns_mode().value_or(NetnsMode::shared);
  model.other_namespaces = snapshot.other_namespaces();
  model.connections = snapshot.connections();
}

// "kernel/drivers/infiniband/ulp/ipoib/ib_ipoib.ko.xz: ...": the name, as the kernel spells it.
std::string module_in(std::string_view line) {
  line = line.substr(0, line.find(':'));
  line.remove_prefix(line.rfind('/') + 1);
  std::string name(line.substr(0, line.find(".ko")));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// A spec may name any module of this kernel. Aliases of hardware ("pci:v000015B3...") are nothing that it can name.
void keep_modules(const Snapshot& snapshot, const Facts& facts, RecordedModules& modules) {
  for (const char* name : {"ib_core", "ib_cm", "ib_ipoib", "ib_umad", "ib_uverbs", "rdma_cm", "rdma_ucm", "rpcrdma",
                           "ib_iser", "ib_isert", "ib_srp", "ib_srpt", "rdma_rxe", "siw"})
    keep_module(snapshot, name, modules);  // a record of a record has no lists
  const std::string tree = "/lib/modules/" + facts.kernel + "/";
  const auto take = [&](std::string_view line) { keep_module(snapshot, module_in(line), modules); };
  for (const char* list : {"modules.dep", "modules.builtin"}) for_lines(snapshot.read(tree + list).value_or(""), take);
  for_lines(snapshot.read("/proc/modules").value_or(""), [&](std::string_view line) {
    keep_module(snapshot, std::string(line.substr(0, line.find(' '))), modules);
  });
  for_lines(snapshot.read(tree + "modules.alias").value_or(""), [&](std::string_view line) {
    constexpr std::string_view word = "alias ";
    if (!line.starts_with(word)) return;
    line.remove_prefix(word.size());
    const std::size_t gap = line.find(' ');
    const std::string_view alias = line.substr(0, gap);
    if (gap == std::string_view::npos || alias.find_first_of(":*?[-") != std::string_view::npos) return;
    modules.aliases.emplace(alias, line.substr(gap + 1));
  });
}

// Profiles whose files are in the record, and what InfiniBand interfaces run.
void keep_networkmanager(const Snapshot& snapshot, const Facts& facts, HostModel& model) {
  const Manager* manager = facts.manager("networkmanager");
  const NmState* state = manager != nullptr && manager->running ? snapshot.networkmanager() : nullptr;
  if (state == nullptr) return;
  model.networkmanager = *state;
  std::erase_if(model.networkmanager->profiles, [&](const NmProfile& one) { return !model.files.contains(one.path); });
  std::erase_if(model.networkmanager->devices, [&](const NmDevice& one) {
    const Link* link = snapshot.link(one.interface);
    return link == nullptr || !link->is_ipoib();
  });
}

// An image as a recorded host has it: a listing. What it holds otherwise than it is on the disk is left out, so that it
// is as stale there as it is here.
void keep_initrds(const Snapshot& snapshot, HostModel& model) {
  const InitrdImages boot = initrd_images(snapshot);
  const InitrdNotes notes = read_initrd_notes(snapshot);
  for (const auto& image : boot.images) {
    const InitrdHolds now = on_disk(snapshot, *boot.maker);
    std::string text(initrd_head);
    for (const auto& [key, digest] : held_by(snapshot, *boot.maker, image.path, notes)) {
      const std::string path = key.substr(0, key.find(' '));
      const auto there = now.find(key);
      const auto file = model.files.find(path);
      if (there != now.end() && there->second == digest && file != model.files.end())
        text += path + " " + sha256_hex(file->second.bytes) + "\n";
    }
    keep_text(model, image.path, std::move(text));
    keep_text(model, path_of(boot.maker->program), "");
    keep_directory(model, "/lib/modules/" + image.release);
  }
}

// Who may not look into /boot makes a record without images.
void keep_readable_initrds(const Snapshot& snapshot, HostModel& model) {
  try {
    keep_initrds(snapshot, model);
  } catch (const SystemError& error) {
    if (error.number() != EACCES && error.number() != EPERM) throw;
  }
}

}  // namespace

HostModel record_host(const Snapshot& snapshot, const Facts& facts) {
  HostModel model;
  model.origin = "recorded by rdmastate show --record";
  model.devices = facts.devices;
  keep_identity(snapshot, facts, model);
  keep_groups(snapshot, model);
  keep_claims(facts, model);
  keep_nfs_claims(facts, model);
  keep_owners(facts, model);
  for (const auto& path : own_paths(snapshot, facts))
    if (const auto& file = snapshot.file(path)) keep_without_secrets(path, *file, model);
  keep_boot_reader(snapshot, model);
  keep_ordered(snapshot, model);
  if (!snapshot.is_tree()) {
    keep_nodes(snapshot, model);
    keep_links(snapshot, model);
    if (snapshot.exists("/run/systemd/system")) model.systemd.emplace();  // as sd_booted(3) asks
    keep_rdma(snapshot, model);
    keep_modules(snapshot, facts, model.modules);
  }
  keep_networkmanager(snapshot, facts, model);
  keep_readable_initrds(snapshot, model);
  add_parents(model.files);
  return model;
}

}  // namespace rdmastate
