// SPDX-License-Identifier: Apache-2.0
// One run at a time on one tree: an flock(2) on its root directory, since a lock file would be left in the image.
//
// Whoever may read that directory may lock it. Where a stranger does, who is neither root nor the tree's owner, his
// lock does not count: the run takes one beside it, on a file in /run/rdmastate that only root can open. That file
// stays, and from then on every run on that tree takes both, so that it does not matter when the stranger comes and
// goes.
#pragma once

#include <optional>
#include <string>

#include "base/handle.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// Locks the open file without waiting; false: somebody else has it. `shown` names it in errors.
bool try_flock(const UniqueFd& fd, const std::string& shown);
/// Throws where the open file is no regular one, or has a second name: a write here would change another file.
void refuse_links(const UniqueFd& fd, const std::string& path);

namespace tree_lock {
/// The locks that are held; closing the descriptors releases them.
struct Held {
  UniqueFd tree;
  UniqueFd beside;  ///< invalid where no stranger ever had the other
};
/// nullopt: another run holds it.
std::optional<Held> try_take(const Root& root);
/// The process that holds the root directory's lock, as the kernel lists it (proc_locks(5)); empty where it lists the
/// file system under another device number.
std::string holder(const Root& root);
}  // namespace tree_lock

}  // namespace rdmastate
