// SPDX-License-Identifier: Apache-2.0
// Kind `login_limit`: the memory that a user who logs in anew may pin: the memlock limit that pam_limits sets. Key: the
// user's name. No step moves it: it follows from files, each a resource of its own. Where a foreign line counts more
// than the one of rdmastate, the limit is blocked, and the message names that line.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/types_account.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

struct LoginLimitState {
  std::optional<MemorySize> soft;  ///< nullopt: no file sets it; of a wanted state: the spec asks for none
  std::optional<MemorySize> hard;  ///< the same
  bool operator==(const LoginLimitState&) const = default;
};

template <>
struct Fields<LoginLimitState> {
  static constexpr std::string_view name = "login_limit";
  static constexpr std::string_view doc = "How much memory a user may pin who logs in anew.";
  static constexpr auto table = Table{
      Field{"soft", &LoginLimitState::soft, "What a process may pin until it asks for more."},
      Field{"hard", &LoginLimitState::hard, "What it may raise that to."},
  };
};

extern const Kind login_limit_kind;

/// A file that pam_limits reads.
struct LimitsFile {
  std::string path;
  std::string text;
};
/// The value of one limit that counts, and which line of which file says so.
struct LimitSaid {
  MemorySize size;
  std::string line;  ///< "hpcuser hard memlock 64 in /etc/security/limits.conf"
  std::string file;  ///< its path
};
/// The soft and the hard limit of a user; nullopt: no file sets it.
struct LimitsOf {
  std::optional<LimitSaid> soft;
  std::optional<LimitSaid> hard;
  /// The line by which pam_limits sets no limit of this user at all: "hpcuser - in FILE". Empty: there is none.
  std::string exempt = {};
};
/// A user, by all that a line of limits.conf may select users by.
struct LimitedUser {
  std::string name;
  std::set<std::string> groups;           ///< by name
  std::optional<std::uint32_t> uid = {};  ///< nullopt: not known here, so that no range of ids fits
  std::optional<std::uint32_t> gid = {};  ///< of the primary group; nullopt: not known here
  std::set<std::uint32_t> gids = {};      ///< of all groups, the primary one among them
};
/// What pam_limits makes of these files for a user who is not root: a line for the user, or for a range of uids, counts
/// more than one for a group, that more than one for everybody, and among equals the last one (pam_limits.c,
/// process_limit()). What it does not understand it leaves out.
LimitsOf limits_of(const std::vector<LimitsFile>& files, const LimitedUser& user);
/// A memlock line of limits.conf(5).
struct LimitLine {
  std::string domain;  ///< whom it is for: "hpcuser", "@rdma", "*", "1000:2000"
  bool is_soft = false;
  bool is_hard = false;  ///< both of a line whose type is "-"
  LimitSaid said;
};
/// The memlock lines that pam_limits understands, in the order in which it reads them.
std::vector<LimitLine> memlock_lines(const std::vector<LimitsFile>& files);

/// The files that pam_limits reads, in its order, with what is on the disk. Throws SystemError where one of them may
/// not be read.
std::vector<LimitsFile> limits_files(const Snapshot& snapshot);
/// What /etc/passwd and /etc/group say of the user. Where passwd does not have the user, a group with the user's name
/// is taken as the primary group.
LimitedUser limited_user(const Snapshot& snapshot, const std::string& name);

/// What pam_limits gives the user of that name once the plan has written its files and given its groups their members.
/// Throws as limits_files() does.
LimitsOf limits_after_plan(const Scene& scene, const std::string& name);

/// Why the SSH server sets no limits of PAM, as a sentence; empty: it does, or there is none.
std::string why_ssh_sets_none(const Snapshot& snapshot);

/// The files that a limit and why_ssh_sets_none() are computed from, less those that other lists have: limits.d
/// (ordered_places()), passwd and group (kind `group`).
FilePlaces login_limit_places();

}  // namespace rdmastate
