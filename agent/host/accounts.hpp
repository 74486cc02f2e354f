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
  std::set<std::uint32_t> ids;  ///< of users and of groups
  bool complete = true;         ///< false: it may know more
  bool operator==(const Directory&) const = default;
};

/// The users and groups that a host's name services know: those of its files, of LDAP, SSSD and the like, as getent(1)
/// asks. A service that does not answer is no error: the names that only it has are then not known. On a recorded host
/// whose directory is not complete, knows_user() and knows_group() throw SystemError EACCES for a name that the record
/// does not have.
class Accounts {
 public:
  virtual ~Accounts() = default;
  /// Whether the name service (nsswitch.conf(5)) has that user or group.
  virtual bool knows_user(const std::string& name) = 0;
  virtual bool knows_group(const std::string& name) = 0;
  /// Whether a user or a group has that number.
  virtual bool uses_id(std::uint32_t id) = 0;
  /// What is known without asking for each name. Of this host: no names, and `complete` says whether nsswitch.conf(5)
  /// has only local services. Of a recorded host: what the record has.
  virtual Directory directory() = 0;
  /// Runs `work` while no other program writes /etc/passwd, /etc/group and their shadows: it holds the lock of
  /// lckpwdf(3), /etc/.pwd.lock, which useradd(8), passwd(1) and systemd-sysusers(8) take too. Throws Error when the
  /// lock is not free within 15 s.
  virtual void locked(const std::function<void()>& work) = 0;
};

}  // namespace rdmastate
