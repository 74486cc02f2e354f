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

/// The label with the type of the label `policy`. User, role and level stay, as with restorecon(8). The label itself
/// where one of the two has no type, which is the third field.
std::string with_type_of(const std::string& label, const std::string& policy);

/// Whether a file may do without the label that setxattr(2) refused with this errno: the file system keeps no label, or
/// this user may set none (a builder without root, a process that SELinux confines). On this host also where the kernel
/// does not know the type (EINVAL): it has loaded another policy, as in a container or chroot, or an older one.
bool may_lack_label(int error, LabelsOf of);

/// Sets the label that setfiles(8) would set: by file_contexts and file_contexts.local of the policy that
/// /etc/selinux/config names. In a tree what has no label gets one, on this host what has one gets the policy's type.
/// It sets none where there is no policy or SELINUX=disabled, where the policy has no label for the path, and where
/// the machine that it runs on has no libselinux or no /proc. Then the one who builds a tree has to relabel it; on this
/// host a file keeps the label that the kernel gave it.
class PolicyLabels {
 public:
  /// `root` must outlive this object.
  explicit PolicyLabels(const Root& root, LabelsOf of = LabelsOf::tree) : root_(root), of_(of) {}
  ~PolicyLabels();
  PolicyLabels(const PolicyLabels&) = delete;
  PolicyLabels& operator=(const PolicyLabels&) = delete;

  /// Labels the new file that `fd` (O_PATH will do) is open on. `path` is its path in the tree, `doing` is for
  /// messages. The file stays as it is where may_lack_label() says so. Throws SystemError for any other failure, also
  /// where libselinux cannot read the policy.
  void give(int fd, const std::string& path, const std::string& doing);

 private:
  /// The label that the policy has for the path and the file's type in `mode`; nullopt: none.
  std::optional<std::string> label_of(const std::string& path, mode_t mode);
  /// The policy, opened by libselinux; nullptr where no label can be told.
  void* open_policy() const;

  const Root& root_;
  LabelsOf of_;
  std::optional<void*> policy_;  ///< libselinux's handle; nullopt: not opened yet; nullptr: open_policy() found none
};

}  // namespace rdmastate
