// SPDX-License-Identifier: Apache-2.0
// A group that /etc/group does not have is made with the highest free gid of system groups, unless a directory service
// knows it. One that is there gets the members that it lacks. One that is no longer wanted goes when nobody uses it.
#include "resources/group/gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platform/layout.hpp"
#include "resources/group/account_text.hpp"

namespace rdmastate {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<PasswdUser> users_of(const Snapshot& snapshot) {
  return passwd_users(snapshot.read(passwd_path).value_or(""));
}

// The wanted members that are not in the group: those whose user exists, and those whose user does not.
struct Missing {
  std::vector<std::string> there;
  std::vector<std::string> unknown;
};

Missing missing_from(const Scene& scene, const GroupState& wanted, const GroupState& present) {
  Missing missing;
  const auto users = users_of(scene.snapshot);
  for (const auto& name : wanted.members) {
    if (holds(present.members, name)) continue;
    const auto user = std::find_if(users.begin(), users.end(), [&](const PasswdUser& one) { return one.name == name; });
    const bool primary = user != users.end() && present.gid && user->gid == *present.gid;
    const bool is_there = user != users.end() || scene.snapshot.knows_user(name);
    if (!primary) (is_there ? missing.there : missing.unknown).push_back(name);
  }
  return missing;
}

// rdmastate makes no users. Another program may make them at any time: until then the difference stays pending.
Pending pending_text(const std::string& key, const std::vector<std::string>& unknown) {
  if (unknown.empty()) return {};
  const bool many = unknown.size() > 1;
  return {fmt::format("{} {} here: rdmastate makes no users, and the next apply after {} there makes {} of {}",
                      fmt::join(unknown, ", "), many ? "are no users" : "is no user", many ? "they are" : "it is",
                      many ? "them members" : "it a member", key),
          Until::account};
}

// Why the account files cannot be changed: `blocked` where one is no regular file, `unseen` where this user may not
// read one.
Gap gap_of_files(const Scene& scene) {
  Gap gap;
  for (const char* path : {group_path, gshadow_path}) {
    const auto seen = observe_file(scene.snapshot, path);
    const auto* file = std::get_if<FileState>(&seen);
    if (const auto* unseen = std::get_if<Unseen>(&seen)) gap.unseen = unseen->reason;
    if (file != nullptr && file->type != FileType::regular)
      gap.blocked = fmt::format("{} is a {}, and rdmastate changes a line of a regular file: put the file itself there",
                                path, noun(file->type));
  }
  return gap;
}

struct Bounds {
  std::uint32_t least = 101;  // groupadd(8)'s where login.defs(5) is silent
  std::uint32_t most = 999;
};

// The gids that login.defs(5) leaves to system groups. Of several lines with a name the last one counts.
Bounds system_ids(const Snapshot& snapshot) {
  Bounds bounds;
  const std::string text = snapshot.read(login_defs_path).value_or("");
  const auto read = [&](std::string_view name, std::uint32_t& bound) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      if (at > 0 && text[at - 1] != '\n') continue;
      const std::size_t begin = text.find_first_not_of(" \t", at + name.size());
      if (begin == std::string::npos || begin == at + name.size()) continue;
      const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
      bound = id_from(std::string_view(text).substr(begin, end - begin)).value_or(bound);
    }
  };
  read("SYS_GID_MIN", bounds.least);
  read("SYS_GID_MAX", bounds.most);
  return bounds;
}

// Calls each(gid, is_free) for the gids of system groups that the account files do not use, from the highest on, as
// systemd-sysusers takes them, until it returns true. A user's uid counts as used: it is left to that user's own group.
// A gid that is not free is one of a directory service.
template <class Each>
void for_unlisted_gids(const Snapshot& snapshot, Each&& each) {
  std::set<std::uint32_t> taken;
  for (const auto& user : users_of(snapshot)) taken.insert({user.uid, user.gid});
  for (const std::uint32_t id : group_ids(text_of(observe_file(snapshot, group_path)))) taken.insert(id);
  const Bounds bounds = system_ids(snapshot);
  for (std::uint32_t id = bounds.most; id >= bounds.least && id > 0; --id)
    if (!taken.contains(id) && each(id, !snapshot.uses_id(id))) return;
}

// How many groups of the plan are made before this one (in the order of their names), each of which takes a gid.
std::size_t made_before(const Scene& scene, const std::string& key) {
  const auto& wanted = scene.plan.wanted(group_kind);
  return static_cast<std::size_t>(std::count_if(wanted.begin(), wanted.end(), [&](const auto& one) {
    return one.first < key && one.second &&
           std::holds_alternative<Absent>(group_kind.observe(scene.snapshot, one.first));
  }));
}

// The gid that a new group gets; nullopt: none is free.
std::optional<std::uint32_t> free_gid(const Scene& scene, const std::string& key) {
  std::optional<std::uint32_t> gid;
  std::size_t before = made_before(scene, key);  // each takes one of the free gids
  for_unlisted_gids(scene.snapshot, [&](std::uint32_t id, bool free) {
    if (free && before-- == 0) gid = id;
    return gid.has_value();
  });
  return gid;
}

std::string not_in_file_text(const std::string& key) {
  return fmt::format(
      "group {} is not in /etc/group: it comes from a directory service (getent group {}), and udev leaves out a GROUP= "
      "that it cannot find in that file: name a group of this host's own",
      key, key);
}

// The state does not say where the lines stand: existing lines stay in their place, and with_account_line() places new
// ones.
State state_to(std::optional<std::uint32_t> gid, const std::vector<std::string>& members, const std::string& line,
               const std::optional<std::string>& shadow) {
  GroupState state;
  state.gid = gid;
  state.members = members;
  state.line = line;
  state.shadow = shadow;
  return State(group_kind, std::move(state));
}

// The gap of a group that neither /etc/group nor a directory service has.
Gap gap_of_new_group(const Scene& scene, const std::string& key, const Missing& missing) {
  Gap gap = gap_of_files(scene);
  if (!gap.in_sync()) return gap;
  if (account_line(text_of(observe_file(scene.snapshot, gshadow_path)), key)) {
    gap.blocked = fmt::format(
        "/etc/gshadow has a line of {}, a group that is not in /etc/group: whoever knows its password would become a "
        "member; remove that line, as grpck(8) does",
        key);
    return gap;
  }
  const auto gid = free_gid(scene, key);
  if (!gid) {
    gap.blocked = fmt::format("no gid of a system group is free for {}: widen SYS_GID_MIN in /etc/login.defs", key);
    return gap;
  }
  std::optional<std::string> shadow;
  if (scene.snapshot.exists(gshadow_path)) shadow = join_names(missing.there);
  const std::string line = fmt::format("{}:x:{}:{}", key, *gid, join_names(missing.there));
  gap.move = Gap::Move{std::nullopt, state_to(*gid, missing.there, line, shadow)};
  gap.pending = pending_text(key, missing.unknown);
  return gap;
}

// The gap of a group that /etc/group does not have.
Gap gap_of_absent_group(const Scene& scene, const std::string& key, const GroupState& wanted) {
  Gap gap;
  const Missing missing = missing_from(scene, wanted, GroupState{});
  if (wanted.in_file.value_or(false) && scene.snapshot.knows_group(key)) {
    gap.blocked = not_in_file_text(key);
    gap.never.emplace();
  } else if (!scene.snapshot.exists(group_path)) {
    gap.pending = {"there is no /etc/group: systemd-sysusers makes it, and the group in it, at the first boot",
                   Until::reboot};
  } else if (!scene.snapshot.knows_group(key)) {
    return gap_of_new_group(scene, key, missing);
  } else if (!wanted.members.empty()) {
    gap.blocked = fmt::format(
        "group {} is not in /etc/group: it comes from a directory service (getent group {}), where {} {} to be a member",
        key, key, fmt::join(wanted.members, ", "), wanted.members.size() > 1 ? "have" : "has");
  }
  return gap;
}

std::string with_members(const std::string& names, const std::vector<std::string>& more) {
  auto all = split_names(names);
  for (const auto& name : more)
    if (!holds(all, name)) all.push_back(name);
  return join_names(all);
}

// The gap of a group that is there: the members that it lacks.
Gap gap_of_members(const Scene& scene, const std::string& key, const GroupState& wanted, const State& present) {
  const auto& from = present.as<GroupState>();
  const Missing missing = missing_from(scene, wanted, from);
  Gap gap;
  if (!missing.there.empty()) {
    gap = gap_of_files(scene);
    if (!gap.in_sync()) return gap;
    auto members = from.members;
    members.insert(members.end(), missing.there.begin(), missing.there.end());
    const std::string line = from.line->substr(0, from.line->rfind(':') + 1) + join_names(members);
    std::optional<std::string> shadow;
    if (from.shadow) shadow = with_members(*from.shadow, missing.there);
    gap.move = Gap::Move{present, state_to(from.gid, members, line, shadow)};
  }
  gap.pending = pending_text(key, missing.unknown);
  return gap;
}

// Whether others use the group: as a primary group, as members that rdmastate did not add, or by a password or
// administrators in /etc/gshadow.
bool is_used(const Scene& scene, const std::string& key, const GroupState& present) {
  const auto users = users_of(scene.snapshot);
  if (std::any_of(users.begin(), users.end(), [&](const PasswdUser& one) { return one.gid == present.gid; }))
    return true;
  const auto given = marked_members(scene.snapshot.read(std::string(common_layout().sysusers)).value_or(""));
  if (!std::all_of(present.members.begin(), present.members.end(), [&](const auto& one) { return holds(given, one); }))
    return true;
  const auto shadow = account_line(text_of(observe_file(scene.snapshot, gshadow_path)), key);
  return shadow && (shadow->fields[1] != no_password || !shadow->fields[2].empty());
}

Gap gap_of_removal(const Scene& scene, const std::string& key, const State& present) {
  Gap gap;
  if (is_used(scene, key, present.as<GroupState>())) return gap;
  gap = gap_of_files(scene);
  if (gap.in_sync()) gap.move = Gap::Move{present, std::nullopt};
  return gap;
}

}  // namespace

Gap group_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return present != nullptr ? gap_of_removal(scene, key, *present) : Gap{};
  if (present == nullptr) return gap_of_absent_group(scene, key, wanted->as<GroupState>());
  return gap_of_members(scene, key, wanted->as<GroupState>(), *present);
}

std::vector<std::uint32_t> ids_of_services(const Snapshot& snapshot, std::size_t groups) {
  std::vector<std::uint32_t> ids;
  for_unlisted_gids(snapshot, [&](std::uint32_t id, bool free) {
    if (!free) ids.push_back(id);
    return free && --groups == 0;
  });
  return ids;
}

}  // namespace rdmastate
