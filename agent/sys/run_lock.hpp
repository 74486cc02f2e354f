// SPDX-License-Identifier: Apache-2.0
// The lock that lets one run at a time work on a host.
#pragma once

#include <optional>
#include <string>

#include "base/handle.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// One run at a time on one host or tree: an flock(2), which the kernel releases with the process. The live host's is
/// on /run/rdmastate/lock; a tree's on its root directory (tree_lock.hpp). The file stays when the lock is released:
/// removing it would let two runs lock different files.
class RunLock {
 public:
  enum class Purpose { person, boot };  ///< a user's command, or `apply --boot`
  /// Who holds the lock. The holder of the live host's lock has written this into it; that of a tree's lock is listed
  /// by the kernel.
  struct Holder {
    std::string process;  ///< its id; empty when it is not known
    Purpose purpose = Purpose::person;
  };

  /// nullopt when another run holds it. Everything else that goes wrong throws.
  static std::optional<RunLock> try_acquire(const Root& root, Purpose purpose);

  /// Takes the one place in which a process waits for the live host's lock; nullopt: another process has it. That
  /// process has not looked at the host yet, so it will see all that happened before this call. The caller destroys
  /// what this returns once it holds the lock.
  static std::optional<RunLock> try_queue(const Root& root);

  /// Who holds the lock now, for a message; it may be free again when this returns.
  static Holder holder(const Root& root);
  /// Kills the process that holds the live host's lock; the kernel then releases the lock. Does nothing where no
  /// process holds it or its number is not known.
  static void end_holder(const Root& root);

 private:
  explicit RunLock(UniqueFd fd, UniqueFd beside = {}) : fd_(std::move(fd)), beside_(std::move(beside)) {}
  UniqueFd fd_;
  UniqueFd beside_;  ///< of a tree: the second lock (tree_lock.hpp)
};

}  // namespace rdmastate
