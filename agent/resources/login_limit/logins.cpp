// SPDX-License-Identifier: Apache-2.0
#include "resources/login_limit/logins.hpp"

#include <algorithm>
#include <map>

#include "resources/group/account_text.hpp"
#include "resources/group/gap.hpp"

namespace rdmastate {
namespace {

void raise(std::optional<LimitSaid>& most, const LimitSaid& said) {
  if (!most || said.size > most->size) most = said;
}

// The users of a group: those that /etc/group lists, and those whose primary group it is.
std::vector<std::string> users_of(const std::string& group, const std::vector<ListedGroup>& groups,
                                  const std::vector<PasswdUser>& users) {
  std::vector<std::string> names;
  for (const auto& one : groups) {
    if (one.name != group) continue;
    names.insert(names.end(), one.members.begin(), one.members.end());
    for (const auto& user : users)
      if (user.gid == one.gid) names.push_back(user.name);
  }
  return names;
}

// Whether no limit holds the user: what the kernel asks before it refuses to pin more is CAP_IPC_LOCK, which root has
// (drivers/infiniband/core/umem.c).
bool is_root(const std::string& name, const std::vector<PasswdUser>& users) {
  return name == "root" || std::any_of(users.begin(), users.end(),
                                       [&](const PasswdUser& user) { return user.name == name && user.uid == 0; });
}

// Whether the domain of a line is a user's name, and neither "*" nor a range of ids.
bool is_name(std::string_view domain) { return !domain.starts_with('*') && domain.find(':') == std::string_view::npos; }

}  // namespace

LoginLimits login_limits(const Snapshot& snapshot) {
  const auto files = limits_files(snapshot);
  const auto users = passwd_users(snapshot.read(passwd_path).value_or(""));
  const auto groups = listed_groups(snapshot.read(group_path).value_or(""));
  LoginLimits found;
  std::map<std::string, std::optional<LimitSaid>> most;
  for (const auto& line : memlock_lines(files)) {
    if (is_root(line.domain, users)) continue;
    raise(found.most, line.said);
    if (line.domain.starts_with('@'))
      for (const auto& name : users_of(line.domain.substr(1), groups, users)) raise(most[name], line.said);
    else if (is_name(line.domain))
      raise(most[line.domain], line.said);
  }
  for (const auto& [name, said] : most)
    if (!is_root(name, users)) found.named.push_back({name, limits_of(files, limited_user(snapshot, name)), *said});
  found.anybody = limits_of(files, {});
  return found;
}

}  // namespace rdmastate
