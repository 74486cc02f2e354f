// SPDX-License-Identifier: Apache-2.0
// The order is file, what netplan generates of it, renderer. Of what netplan generates only the files of this file's
// interfaces are taken, and of those only what has changed: networkd configures an interface anew whose file was
// written, whatever is in it. For the same reason nobody runs `netplan apply`. A step that finds half of this done goes
// on from there. A reload of systemd, by whomever, runs netplan's generator on the host's files: what the step would
// generate may be there before it looks, and NetworkManager has read nothing of it.
#include <map>

#include "resources/file/directories.hpp"
#include "resources/link_table.hpp"
#include "resources/netplan_file/netplan_file.hpp"
#include "resources/networkd_file/networkd_file.hpp"

namespace rdmastate {
namespace {

// By the id of each definition of a step: whether it, or what netplan generates of it, changes.
using Changes = std::map<std::string, bool>;

Changes changes_between(const State* from, const State* to) {
  Changes all;
  const DefinitionTexts before = definition_texts(from);
  for (const auto& [id, text] : definition_texts(to)) {
    const auto was = before.find(id);
    all[id] = was == before.end() || was->second != text;
  }
  for (const auto& [id, text] : before) all.try_emplace(id, true);
  return all;
}

// Makes the file at `path` what netplan generated, which is nothing where `wanted` is null. Whether it was another.
bool take_file(Files& files, const std::string& path, const FileContent* wanted) {
  const auto present = files.load(path);
  if (wanted == nullptr) {
    if (present) files.remove(path);
    return present.has_value();
  }
  if (present && present->meta == wanted->meta && present->bytes == wanted->bytes) return false;
  make_directories(files, parent_path(path));
  files.replace(path, *wanted);
  return true;
}

// Takes what netplan generated of these definitions, and notes what that changes.
void take_generated(Tools& tools, Changes& changes) {
  const GeneratedFiles all = tools.host.netplan->generated();
  for (auto& [id, has_changed] : changes)
    for (const auto& path : netplan_paths_of(id)) {
      const auto found = all.find(path);
      if (take_file(tools.host.files, path, found == all.end() ? nullptr : &found->second)) has_changed = true;
    }
}

// Waits for each interface that is here and has a generated file.
void await_networkd(Tools& tools, const Changes& changes) {
  for (const auto& [id, has_changed] : changes) {
    const std::string path = netplan_network_path(id);
    if (tools.host.links->find(id) && tools.host.files.read(path)) await_network_file(tools, id, path);
  }
}

// Makes NetworkManager read the profile of one interface, and the interface run it. Where the profile is gone
// NetworkManager drops it, and the interface is taken off it.
void tell_networkmanager(Tools& tools, const std::string& id, bool has_changed) {
  NetworkManager& nm = *tools.host.networkmanager;
  const std::string path = netplan_profile_path(id);
  const auto before = nm.look();
  const NmProfile* old = before ? before->from_file(path) : nullptr;
  const bool is_there = tools.host.files.read(path).has_value();
  if (!is_there && old == nullptr) return;
  if (has_changed || old == nullptr) nm.load(path);
  const auto now = nm.look();
  const NmDevice* device = now ? now->device(id) : nullptr;
  if (!is_there) {
    if (device != nullptr && device->uuid == old->uuid) nm.deactivate(id);
    return;
  }
  const NmProfile* profile = now ? now->from_file(path) : nullptr;
  if (profile == nullptr || !tools.host.links->find(id)) return;
  const bool runs = device != nullptr && device->uuid == profile->uuid;
  if (has_changed || !runs) nm.activate(profile->uuid, id);
}

bool renderer_runs(const Host& host) {
  return (host.networkd != nullptr && host.networkd->runs()) ||
         (host.networkmanager != nullptr && host.networkmanager->look().has_value());
}

void tell_renderers(Tools& tools, const Changes& changes, bool waits) {
  Host& host = tools.host;
  if (host.networkd != nullptr && host.networkd->runs()) {
    host.networkd->reload();
    if (waits) await_networkd(tools, changes);
  }
  if (host.networkmanager == nullptr || !host.networkmanager->look()) return;
  for (const auto& [id, has_changed] : changes) tell_networkmanager(tools, id, has_changed);
}

}  // namespace

void move_netplan_file(Tools& tools, const std::string& key, const State* from, const State* to) {
  if (to == nullptr) tools.host.files.remove(key);
  if (to != nullptr && (from == nullptr || !is_as_wanted(file_of(*from), file_of(*to))))
    write_file(tools, key, file_of(*to));
  if (tools.host.netplan == nullptr || !tools.host.netplan->is_here()) return;
  // Where no renderer runs, what netplan generates is taken all the same: a renderer reads it when it starts.
  if (renderer_runs(tools.host) && !renderer_is_told(to == nullptr ? nullptr : &to->as<NetplanFileState>())) return;
  Changes changes = changes_between(from, to);
  take_generated(tools, changes);
  const bool waits = to != nullptr && to->as<NetplanFileState>().applied.value_or(false);
  tell_renderers(tools, changes, waits);
  tools.links.forget();
}

}  // namespace rdmastate
