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
  enum class Purpose { person, boot };  ///< somebody's command, or `apply --boot`
  /// Who holds the lock: of the live host's as it wrote it there, of a tree's as the kernel lists it.
  struct Holder {
    std::string process;  ///< its id; empty when nobody said
    Purpose purpose = Purpose::person;
  };

  /// nullopt when another run holds it. Everything else that goes wrong throws.
  static std::optional<RunLock> try_acquire(const Root& root, Purpose purpose);

  /// The live host's one place to wait for the lock in, left by destroying it once the lock is held. Who is in it has
  /// not looked at the host yet and will see whatever happened before now; nullopt: another is in it.
  static std::optional<RunLock> try_queue(const Root& root);

  /// Who holds the lock now, for a message; it may be free again when this returns.
  static Holder holder(const Root& root);
  /// Kills whoever holds the live host's lock; the kernel then releases it.
  static void end_holder(const Root& root);

 private:
  explicit RunLock(UniqueFd fd, UniqueFd beside = {}) : fd_(std::move(fd)), beside_(std::move(beside)) {}
  UniqueFd fd_;
  UniqueFd beside_;  ///< of a tree, where a stranger holds the first
};

}  // namespace rdmastate
