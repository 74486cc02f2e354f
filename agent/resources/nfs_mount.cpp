// SPDX-License-Identifier: Apache-2.0
// A step stops what is mounted at the target, and then starts the mount or automount unit of the wanted state. Where
// that has to wait, why_not_now() says why.
#include "resources/nfs_mount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/lines.hpp"
#include "host/mounts.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {
namespace {

// The helper that mount(8) runs for NFS, by its possible paths.
constexpr std::array<const char*, 2> helpers{"/usr/sbin/mount.nfs", "/sbin/mount.nfs"};

const NfsMountState& mount_of(const State& state) { return state.as<NfsMountState>(); }

bool is_mounted(const NfsMountState& state) { return state.source.has_value(); }

std::string mount_unit(const std::string& target) { return escaped_path(target) + ".mount"; }
std::string automount_unit(const std::string& target) { return escaped_path(target) + ".automount"; }

bool is_nfs(const MountLine& line) { return line.type == "nfs" || line.type == "nfs4"; }

// The last mount at a target hides those below it; an automount's autofs stays below what it mounts. A file system of
// another type gets "type=ext4" for its options, by which other_type() tells it from NFS.
Observation nfs_mount_observe(const Snapshot& snapshot, const std::string& key) {
  NfsMountState state;
  bool is_there = false;
  for (const auto& line : snapshot.mounts()) {
    if (line.target != key) continue;
    is_there = true;
    const bool is_automount = line.type == "autofs";
    state.automount = state.automount || is_automount;
    state.source = is_automount ? std::nullopt : std::optional(line.source);
    state.options = is_automount ? std::nullopt : std::optional(is_nfs(line) ? line.options : "type=" + line.type);
  }
  if (!is_there) return Absent{};
  return State(nfs_mount_kind, std::move(state));
}

std::string other_type(const NfsMountState& state) { return option_of(state.options.value_or(""), "type"); }

// Whether the mount is as wanted. An automount is as wanted also while nothing is mounted by it yet.
bool is_so(const NfsMountState& present, const NfsMountState& wanted) {
  if (present.automount != wanted.automount) return false;
  if (!is_mounted(present)) return wanted.automount;
  return present.source == wanted.source && fits_options(present.options.value_or(""), wanted.options.value_or(""));
}

// The wanted state as it is observed after the step: without options, since the kernel prints them its own way, and for
// an automount without the source, which is mounted only at the first access.
State as_seen(const State& wanted) {
  NfsMountState state = mount_of(wanted);
  state.options.reset();
  if (state.automount) state.source.reset();
  return State(nfs_mount_kind, std::move(state));
}

// Whether an apply mounted this: the ledger has the state after its step, which tells neither the options nor the
// source below an automount.
bool is_ours(const Scene& scene, const std::string& key, const State& present) {
  return other_type(mount_of(present)).empty() && scene.plan.moved_to(nfs_mount_kind, key) == digest(as_seen(present));
}

Loss loss_of(const Snapshot& snapshot, const std::string& key, const NfsMountState& from) {
  return is_mounted(from) ? loss_of_service(snapshot, mount_unit(key)) : Loss{};
}

// Why the mount cannot be changed now; empty: it can. `from`: what is mounted there; nullptr: nothing.
Pending why_not_now(const Scene& scene, const std::string& key, const NfsMountState* from) {
  if (!scene.snapshot.systemd_answers())
    return {"systemd does not answer here: it mounts this at the next boot", Until::reboot};
  const bool can_mount =
      std::any_of(helpers.begin(), helpers.end(), [&](const char* path) { return scene.snapshot.exists(path); });
  if (!can_mount)
    return {"mount.nfs is not installed here: install the package of the NFS client (`rdmastate packages` names it)",
            Until::package};
  if (from == nullptr) return {};
  const std::string why = scene.plan.why_kept(loss_of(scene.snapshot, key, *from));
  if (why.empty()) return {};
  return {fmt::format("{} is mounted there until it is unmounted: {}", from->source.value_or("it"), why), Until::unit};
}

Gap nfs_mount_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  const NfsMountState* from = present == nullptr ? nullptr : &mount_of(*present);
  Gap found;
  if (wanted == nullptr && (from == nullptr || !is_ours(scene, key, *present))) return found;
  if (wanted != nullptr && from != nullptr && is_so(*from, mount_of(*wanted))) return found;
  if (from != nullptr && !other_type(*from).empty()) {
    found.blocked = fmt::format("{} ({}) is mounted at {}: unmount it, or choose another target", *from->source,
                                other_type(*from), key);
    return found;
  }
  found.pending = why_not_now(scene, key, from);
  if (!found.pending.empty()) return found;
  found.move = Gap::Move{present == nullptr ? std::nullopt : std::optional(*present),
                         wanted == nullptr ? std::nullopt : std::optional(as_seen(*wanted))};
  return found;
}

Loss nfs_mount_loses(const Scene& scene, const std::string& key, const State* from, const State*) {
  return from == nullptr ? Loss{} : loss_of(scene.snapshot, key, mount_of(*from));
}

std::vector<Ref> nfs_mount_needs(const std::string&, const State*) { return {}; }

void stop(Units& units, const std::string& unit) {
  if (const auto look = units.look(unit); look && look->active) units.stop(unit);
}

// The automount stops first: else the next access would mount the file system again at once.
void nfs_mount_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  Units& units = *tools.host.units;
  if (from != nullptr) {
    stop(units, automount_unit(key));
    stop(units, mount_unit(key));
  }
  if (to == nullptr) return;
  const std::string unit = mount_of(*to).automount ? automount_unit(key) : mount_unit(key);
  if (const auto look = units.look(unit); look && look->needs_reload) units.reload();
  units.start(unit);
}

// An automount is back without its mount: the next access mounts it again.
bool nfs_mount_is_back(const State& now, const State& from) {
  const NfsMountState& present = mount_of(now);
  const NfsMountState& before = mount_of(from);
  return present.automount == before.automount &&
         (present.source == before.source || (before.automount && !is_mounted(present)));
}

void nfs_mount_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  if (!model.systemd || !snapshot.systemd_answers()) return;
  for (const auto& line : snapshot.mounts())
    for (const auto& unit : {mount_unit(line.target), automount_unit(line.target)})
      if (const UnitLook* look = is_nfs(line) || line.type == "autofs" ? snapshot.unit(unit) : nullptr;
          look != nullptr && look->active)
        model.systemd->units[unit] = {};
}

std::string nfs_mount_title(const std::string& key, const State*) { return key; }

FilePlaces nfs_mount_places() {
  FilePlaces all{{mountinfo_path, [](const FileToKeep& file) { return kept_part(nfs_lines(file.text)); }}};
  for (const char* helper : helpers) all.push_back(presence(helper));
  return all;
}

// Whether the options that the kernel prints have the contrary of this word, such as "soft" of "hard".
bool has_contrary(std::string_view present, std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> contraries{
      {{"hard", "soft"}, {"rw", "ro"}, {"cto", "nocto"}}};
  return std::any_of(contraries.begin(), contraries.end(), [&](const auto& pair) {
    return (word == pair.first && has_option(present, pair.second)) ||
           (word == pair.second && has_option(present, pair.first));
  });
}

}  // namespace

// The kernel adds options that were not asked for, and prints versions in full: 4.2 for 4.
bool fits_options(std::string_view present, std::string_view wanted) {
  for (const auto& option : split(wanted, ",")) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) {
      if (has_contrary(present, option)) return false;
      continue;
    }
    const std::string key = option.substr(0, equals) == "nfsvers" ? "vers" : option.substr(0, equals);
    const std::string shown = option_of(present, key);
    const std::string asked = option.substr(equals + 1);
    const bool same = key == "vers" ? (shown + ".").starts_with(asked + ".") : shown == asked;
    if (!shown.empty() && !same) return false;
  }
  return true;
}

constinit const Kind nfs_mount_kind = [] {
  Kind kind = kind_of<NfsMountState>("nfs_mount");
  kind.verbs = {"mount", "remount", "unmount"};
  kind.rank = 63;  // when the interfaces are there that it goes over
  kind.reads_others = true;
  kind.observe = nfs_mount_observe;
  kind.gap = nfs_mount_gap;
  kind.loses = nfs_mount_loses;
  kind.needs = nfs_mount_needs;
  kind.move = nfs_mount_move;
  kind.is_back = nfs_mount_is_back;
  kind.title = nfs_mount_title;
  kind.places = nfs_mount_places;
  kind.keep = nfs_mount_keep;
  return kind;
}();

}  // namespace rdmastate
