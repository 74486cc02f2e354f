// SPDX-License-Identifier: Apache-2.0
// login_limit_observe() computes the limits from the files as they are; login_limit_gap() from the files as the plan
// leaves them (limits_after_plan).
#include "resources/login_limit/login_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/lines.hpp"
#include "host/ordered_files.hpp"
#include "platform/layout.hpp"
#include "platform/limits_conf.hpp"
#include "resources/file/file.hpp"
#include "resources/group/account_text.hpp"
#include "resources/group/gap.hpp"
#include "resources/group/group.hpp"

namespace rdmastate {
namespace {

using ByName = std::map<std::string, LimitsFile>;

// The files *.conf of limits.d that count. emplace() keeps the first of a name.
ByName more_files_on_disk(const Snapshot& snapshot) {
  ByName files;
  for (const auto directory : limits_directories)
    for (const auto& name : snapshot.list(std::string(directory)))
      if (std::string path = fmt::format("{}/{}", directory, name); name.ends_with(".conf"))
        files.emplace(name, LimitsFile{path, snapshot.read(path).value_or("")});
  return files;
}

// limits.conf, then those of limits.d by name in the order of their bytes: the order of pam_limits.
std::vector<LimitsFile> in_order(const Snapshot& snapshot, const ByName& files) {
  std::vector<LimitsFile> ordered;
  if (const std::string path = path_that_counts(snapshot, limits_conf_directories, "limits.conf"); !path.empty())
    ordered.push_back({path, snapshot.read(path).value_or("")});
  for (const auto& [name, file] : files) ordered.push_back(file);
  return ordered;
}

LoginLimitState state_from(const LimitsOf& limits) {
  LoginLimitState state;
  if (limits.soft) state.soft = limits.soft->size;
  if (limits.hard) state.hard = limits.hard->size;
  return state;
}

Observation login_limit_observe(const Snapshot& snapshot, const std::string& key) {
  const LimitsOf limits = limits_of(limits_files(snapshot), limited_user(snapshot, key));
  if (!limits.soft && !limits.hard) return Absent{};
  return State(login_limit_kind, state_from(limits));
}

// Why one limit will not be as wanted, as a sentence; empty: it will, or nothing is wanted of it. `which`: "soft" or
// "hard".
std::string why_not_as_wanted(const std::string& user, const char* which, const std::optional<LimitSaid>& in_force,
                              const std::optional<MemorySize>& wanted) {
  if (!wanted || (in_force && in_force->size == *wanted)) return {};
  if (!in_force) return fmt::format("no file gives {} a {} limit", user, which);
  return fmt::format("{} has {} for a {} limit: {} counts more than a line for the group; remove it there", user,
                     to_text(in_force->size), which, in_force->line);
}

// This kind is never moved itself: the file that gives the limit is a resource of its own.
Gap login_limit_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation&) {
  Gap gap;
  if (wanted == nullptr) return gap;
  const LimitsOf limits = limits_after_plan(scene, key);
  const auto& asked = wanted->as<LoginLimitState>();
  if (!limits.exempt.empty())
    gap.blocked = fmt::format("{} keeps pam_limits from setting any limit of {}: remove it there", limits.exempt, key);
  if (gap.blocked.empty()) gap.blocked = why_not_as_wanted(key, "soft", limits.soft, asked.soft);
  if (gap.blocked.empty()) gap.blocked = why_not_as_wanted(key, "hard", limits.hard, asked.hard);
  return gap;
}

// The SSH server is the same for all users, so only the first user's item carries the warning.
std::string login_limit_warn(const Scene& scene, const std::string& key, const State&) {
  const auto& all = scene.plan.wanted(login_limit_kind);
  const bool is_first = all.empty() || all.begin()->first == key;
  return is_first ? why_ssh_sets_none(scene.snapshot) : std::string();
}

std::vector<Ref> login_limit_needs(const std::string&, const State*) { return {}; }

void login_limit_move(Tools&, const std::string&, const State*, const State*) {}

std::string login_limit_title(const std::string& key, const State*) { return fmt::format("of {}", key); }

}  // namespace

std::vector<LimitsFile> limits_files(const Snapshot& snapshot) {
  return in_order(snapshot, more_files_on_disk(snapshot));
}

LimitedUser limited_user(const Snapshot& snapshot, const std::string& name) {
  LimitedUser user{name, {}};
  for (const auto& one : passwd_users(snapshot.read(passwd_path).value_or("")))
    if (one.name == name) user.uid = one.uid, user.gid = one.gid, user.gids.insert(one.gid);
  if (!user.gid) user.groups.insert(name);
  for (const auto& group : listed_groups(snapshot.read(group_path).value_or(""))) {
    const bool is_member = std::find(group.members.begin(), group.members.end(), name) != group.members.end();
    if (!is_member && group.gid != user.gid) continue;
    user.groups.insert(group.name);
    user.gids.insert(group.gid);
  }
  return user;
}

// A plan takes no member out of a group.
LimitsOf limits_after_plan(const Scene& scene, const std::string& name) {
  auto files = more_files_on_disk(scene.snapshot);
  for (const auto& [path, wanted] : scene.plan.wanted(file_kind)) {
    if (parent_path(path) != limits_directories.front()) continue;
    files.erase(file_name(path));
    if (wanted && file_of(*wanted).content)
      files.emplace(file_name(path), LimitsFile{path, file_of(*wanted).content->value});
  }
  LimitedUser user = limited_user(scene.snapshot, name);
  for (const auto& [group, wanted] : scene.plan.wanted(group_kind)) {
    const auto& members = wanted ? wanted->as<GroupState>().members : std::vector<std::string>();
    if (std::find(members.begin(), members.end(), name) != members.end()) user.groups.insert(group);
  }
  return limits_of(in_order(scene.snapshot, files), user);
}

constinit const Kind login_limit_kind = [] {
  Kind kind = kind_of<LoginLimitState>("login_limit");
  kind.durable = true;
  kind.lives_in = [](const std::string&) { return std::string(common_layout().limits); };
  kind.observe = login_limit_observe;
  kind.gap = login_limit_gap;
  kind.needs = login_limit_needs;
  kind.warn = login_limit_warn;
  kind.move = login_limit_move;
  kind.title = login_limit_title;
  kind.places = login_limit_places;
  return kind;
}();

}  // namespace rdmastate
