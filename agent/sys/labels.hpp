// SPDX-License-Identifier: Apache-2.0
// SELinux labels of what is new in a tree or on this host, by the policy of that.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "sys/root.hpp"

namespace rdmastate {

/// What runs, by whom a new file has its first label: a builder's kernel does not know the tree's policy. The kernel of
/// this host does, but the label that it gives depends on the process: with Debian's policy what a service makes in
/// /etc is etc_runtime_t, which systemd-modules-load may not read.
enum class LabelsOf : std::uint8_t { tree, this_host };

/// The label with the type of the label `policy`. User, role and level stay, as with restorecon(8).
std::string with_type_of(const std::string& label, const std::string& policy);

/// Sets the label that setfiles(8) would set: by file_contexts and file_contexts.local of the policy that
/// /etc/selinux/config names. In a tree what has no label gets one, on this host what has one gets the policy's type.
/// It sets none where there is no policy or SELINUX=disabled, where the policy has no label for the path, and where
/// this host has no libselinux or no /proc. Then the builder has to relabel the tree.
class TreeLabels {
 public:
  /// `root` must outlive this object.
  explicit TreeLabels(const Root& root, LabelsOf of = LabelsOf::tree) : root_(root), of_(of) {}
  ~TreeLabels();
  TreeLabels(const TreeLabels&) = delete;
  TreeLabels& operator=(const TreeLabels&) = delete;

  /// Labels the new file that `fd` (O_PATH will do) is open on. `path` is its path in the tree, `doing` is for
  /// messages. The file stays as it is where the file system keeps no label, or where this user may set none (a builder
  /// without root, a process that SELinux confines). Throws SystemError for any other failure, also where libselinux
  /// cannot read the policy.
  void give(int fd, const std::string& path, const std::string& doing);

 private:
  /// The label that the policy has for the path and the file's type in `mode`; nullopt: none.
  std::optional<std::string> label_of(const std::string& path, mode_t mode);
  /// The tree's policy, opened by libselinux; nullptr where no label can be told.
  void* open_policy() const;

  const Root& root_;
  LabelsOf of_;
  std::optional<void*> policy_;  ///< libselinux's handle; nullopt: not opened yet; nullptr: open_policy() found none
};

}  // namespace rdmastate
