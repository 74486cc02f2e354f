// SPDX-License-Identifier: Apache-2.0
// What those who log in may pin, whom the memlock lines of limits.conf(5) name: for doctor, which is given no user's
// name. The kind itself (login_limit.hpp) is asked of one user.
#pragma once

#include "resources/login_limit/login_limit.hpp"

namespace rdmastate {

/// A user whom a memlock line names, alone or as a member of a group.
struct NamedLogin {
  std::string user;
  LimitsOf in_force;  ///< what pam_limits makes of all lines
  LimitSaid most;     ///< the line that names the user and gives most, whether or not another one counts more
};

/// What the memlock lines of a host give.
struct LoginLimits {
  LimitsOf anybody;               ///< a user whom no line names, and who is in no group that one names
  std::vector<NamedLogin> named;  ///< by user; root is not among them, whom no limit holds
  /// The line that gives most, to whomever but root alone; nullopt: there is no such line of memlock.
  std::optional<LimitSaid> most;
};

/// Reads the files of pam_limits, /etc/passwd and /etc/group: of a group that only a directory service has, nobody is
/// `named`. Throws SystemError where one of them may not be read.
LoginLimits login_limits(const Snapshot& snapshot);

}  // namespace rdmastate
