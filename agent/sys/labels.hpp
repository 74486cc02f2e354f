// SPDX-License-Identifier: Apache-2.0
// SELinux labels of what is new in a tree, by the policy of that tree.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "sys/root.hpp"

namespace rdmastate {

/// On a live host the kernel labels a new file; the kernel of a builder does not know the policy of the tree. So this
/// class sets the label that setfiles(8) would set: by file_contexts and file_contexts.local of the policy that
/// /etc/selinux/config of the tree names. It sets none where the tree has no policy or SELINUX=disabled, where the
/// policy has no label for the path, and where this host has no libselinux or no /proc. Then the builder has to relabel
/// the tree.
class TreeLabels {
 public:
  /// `root` must outlive this object.
  explicit TreeLabels(const Root& root) : root_(root) {}
  ~TreeLabels();
  TreeLabels(const TreeLabels&) = delete;
  TreeLabels& operator=(const TreeLabels&) = delete;

  /// Labels the file that `fd` (O_PATH will do) is open on, unless it has a label. `path` is its path in the tree,
  /// `doing` is for messages. The file stays without a label where the file system keeps none, or where this user may
  /// set none (a builder without root). Throws SystemError for any other failure, also where libselinux cannot read the
  /// policy.
  void give(int fd, const std::string& path, const std::string& doing);

 private:
  /// The label that the policy has for the path and the file's type in `mode`; nullopt: none.
  std::optional<std::string> label_of(const std::string& path, mode_t mode);
  /// The tree's policy, opened by libselinux; nullptr where no label can be told.
  void* open_policy() const;

  const Root& root_;
  std::optional<void*> policy_;  ///< libselinux's handle; nullopt: not opened yet; nullptr: open_policy() found none
};

}  // namespace rdmastate
