// SPDX-License-Identifier: Apache-2.0
// The interface to users and groups as the host's name service knows them.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

namespace rdmastate {

/// Whom a directory service (LDAP, SSSD) knows beside the files.
struct Directory {
  std::set<std::string> users;
  std::set<std::string> groups;
  std::set<std::uint32_t> ids;  ///< of either
  bool complete = true;         ///< false: it may know more
  bool operator==(const Directory&) const = default;
};

/// Whom a running host's name services know: those of its files, and of LDAP, SSSD and the like, as getent(1) asks.
/// Never throws for a service that does not answer: whoever is only known there is then not known. A record whose
/// directory is not complete throws SystemError, EACCES, where it cannot tell.
class Accounts {
 public:
  virtual ~Accounts() = default;
  /// Whether the name service (nsswitch.conf(5)) has that user or group.
  virtual bool knows_user(const std::string& name) = 0;
  virtual bool knows_group(const std::string& name) = 0;
  /// Whether a user or a group has that number.
  virtual bool uses_id(std::uint32_t id) = 0;
  /// What can be told without asking for each name: nobody, complete where no service is configured (nsswitch.conf(5)).
  virtual Directory directory() = 0;
  /// Does the work while nobody else writes /etc/passwd, /etc/group and their shadows: the lock of lckpwdf(3),
  /// /etc/.pwd.lock, which useradd(8), passwd(1) and systemd-sysusers(8) take. Throws when it is not to be had in 15 s.
  virtual void locked(const std::function<void()>& work) = 0;
};

}  // namespace rdmastate
