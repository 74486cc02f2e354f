// SPDX-License-Identifier: Apache-2.0
// What is mounted, as /proc/PID/mountinfo says it (proc(5)), and what systemd calls a mount.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// The mounts that the reading process sees (proc(5)).
inline constexpr const char* mountinfo_path = "/proc/self/mountinfo";

/// One mount, with the escapes of the kernel undone.
struct MountLine {
  std::string device;  ///< "259:1"; "0:52" of what stands on no block device
  std::string target;
  std::string type;
  std::string source;
  std::string options;  ///< of the file system, not of the mount
  bool operator==(const MountLine&) const = default;
};

/// The mounts of a mountinfo's text. Lines that are no mount are left out.
std::vector<MountLine> mounts_from(std::string_view mountinfo);

/// A path as fstab(5) and mountinfo write it, where a blank is \040.
std::string with_escaped_blanks(std::string_view path);

/// A value among "key=value,key,key=value"; empty when it is not there.
std::string option_of(std::string_view options, std::string_view key);
/// Whether a word stands among such options.
bool has_option(std::string_view options, std::string_view word);

/// A path as systemd writes it in a unit's name (unit_name_path_escape): "mnt-projects", "mnt-a\x2db".
std::string escaped_path(std::string_view path);

/// The lines of a mountinfo that are about NFS or automounts (autofs): a record keeps those.
std::string nfs_lines(std::string_view mountinfo);

}  // namespace rdmastate
