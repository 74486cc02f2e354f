// SPDX-License-Identifier: Apache-2.0
// One run at a time on one tree: an flock(2) on its root directory, since a lock file would be left in the image.
//
// A user who may read that directory may lock it. The lock of a stranger, who is neither root nor the tree's owner,
// does not keep root out: root's run takes a second lock, on a file in /run/rdmastate that only root can open. That
// file stays, and from then on every run of root on that tree has to lock it, and the directory too unless a stranger
// holds that. So two runs of root exclude each other whenever the stranger comes or goes.
#pragma once

#include <optional>
#include <string>

#include "base/handle.hpp"
#include "sys/root.hpp"

namespace rdmastate {

// What run_lock.cpp uses too:

/// Locks the open file without waiting; false: another process has locked it. `shown` names it in errors.
bool try_flock(const UniqueFd& fd, const std::string& shown);
/// Throws where the open file is no regular one, or has another hard link: a write here would change another file.
void refuse_links(const UniqueFd& fd, const std::string& path);

namespace tree_lock {
/// Closing the descriptors releases the locks.
struct Held {
  UniqueFd tree;    ///< of the root directory: locked unless a stranger has locked it
  UniqueFd beside;  ///< of the file in /run/rdmastate; invalid where it is not needed
};
/// nullopt: another run holds it.
std::optional<Held> try_take(const Root& root);
/// The ID of the process that holds the root directory's lock, as the kernel lists it (proc_locks(5)). Empty where
/// no process holds it, and where the kernel lists the file system under another device number.
std::string holder(const Root& root);
}  // namespace tree_lock

}  // namespace rdmastate
