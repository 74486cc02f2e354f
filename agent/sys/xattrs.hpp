// SPDX-License-Identifier: Apache-2.0
// Reads, sets and removes extended attributes and ACLs of open files, for sys/files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// The attribute that holds a file's SELinux context.
inline constexpr std::string_view selinux_label = "security.selinux";

/// The values of a file's extended attributes by their full names ("user.x"), without those that the kernel writes by
/// itself (is_kernels_own()). Empty where the file system keeps none. `name` is for messages.
std::map<std::string, std::string> xattrs_of(int fd, const std::string& name);
/// The same for a descriptor opened with O_PATH (a symlink, a directory), which flistxattr(2) refuses.
std::map<std::string, std::string> xattrs_of_path_fd(int fd, const std::string& name);

/// The names of the ACL attributes that `fd` has and that are not among `asked`, the attributes that are wanted: a new
/// file or directory gets them from the directory that it is made in.
std::vector<std::string> lent_acls(int fd, const std::map<std::string, std::string>& asked, const std::string& doing);
/// Removes from the file the attributes that lent_acls() names.
void remove_lent_acls(int fd, const std::map<std::string, std::string>& asked, const std::string& doing);

/// Sets each attribute of `xattrs`; the file's other attributes stay.
void set_xattrs(int fd, const std::map<std::string, std::string>& xattrs, const std::string& doing);

/// Gives `fd` the SELinux label of the file `name` in `directory`, when there is such a file and it has a label.
/// Whether it has.
bool keep_selinux_label(int fd, int directory, const std::string& name, const std::string& doing);

}  // namespace rdmastate
