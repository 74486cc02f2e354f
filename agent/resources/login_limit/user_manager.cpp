// SPDX-License-Identifier: Apache-2.0
#include "resources/login_limit/user_manager.hpp"

#include "resources/group/account_text.hpp"
#include "resources/group/gap.hpp"
#include "resources/login_limit/pam_service.hpp"

namespace rdmastate {
namespace {

const std::string pam_service = "systemd-user";  // PAMName= of user@.service

// "1000" of "user@1000.service"; nullopt: it is no such unit.
std::optional<std::uint32_t> uid_of(std::string_view unit) {
  constexpr std::string_view before = "user@", behind = ".service";
  if (!unit.starts_with(before) || !unit.ends_with(behind)) return std::nullopt;
  return id_from(unit.substr(before.size(), unit.size() - before.size() - behind.size()));
}

// The user's name in /etc/passwd; empty: it has none with that uid.
std::string name_of(const Snapshot& snapshot, std::uint32_t uid) {
  for (auto& user : passwd_users(snapshot.read(passwd_path).value_or("")))
    if (user.uid == uid) return std::move(user.name);
  return {};
}

}  // namespace

bool has_limit_of_pam(const Scene& scene, const std::string& unit, const LoginLimitState& wanted) {
  const auto uid = uid_of(unit);
  if (!uid) return false;
  if (*uid == 0) return true;
  const std::string name = name_of(scene.snapshot, *uid);
  if (name.empty() || limits_line(scene.snapshot, pam_service).empty()) return false;
  const LimitsOf limits = limits_after_plan(scene, name);
  if (!limits.exempt.empty()) return false;  // pam_limits leaves those of the unit
  const bool sets_all = takes_limits_of_init(scene.snapshot, scene.facts, pam_service);
  const auto is_other = [&](const std::optional<LimitSaid>& said, const std::optional<MemorySize>& asked) {
    return said ? said->size != asked : sets_all;
  };
  return is_other(limits.soft, wanted.soft) || is_other(limits.hard, wanted.hard);
}

}  // namespace rdmastate
