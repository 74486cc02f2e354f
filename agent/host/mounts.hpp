// SPDX-License-Identifier: Apache-2.0
// Reads the mounts of /proc/PID/mountinfo (proc(5)) and their options, and escapes paths as fstab(5) and the names of
// systemd's mount units have them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// The mounts that the reading process sees (proc(5)).
inline constexpr const char* mountinfo_path = "/proc/self/mountinfo";

/// One mount. In target and source the octal escapes of the kernel (\040 for a blank) are undone; options stand as the
/// kernel writes them.
struct MountLine {
  std::string device;   ///< major:minor, "259:1"; of a file system without block device "0:52"
  std::string target;   ///< the mount point
  std::string type;     ///< of the file system: "nfs4"
  std::string source;   ///< "/dev/nvme0n1p1", "server.example.com:/projects"
  std::string options;  ///< of the file system, not of the mount
  bool operator==(const MountLine&) const = default;
};

/// The mounts of a mountinfo's text. Lines that are no mount are left out.
std::vector<MountLine> mounts_from(std::string_view mountinfo);

/// A path as fstab(5) and mountinfo write it, where a blank is \040.
std::string with_escaped_blanks(std::string_view path);

/// The value of `key` among "key=value,key,key=value"; empty where no option of that name has one.
std::string option_of(std::string_view options, std::string_view key);
/// Whether `word` is one of the options of such a list.
bool has_option(std::string_view options, std::string_view word);

/// A path as systemd writes it in a unit's name (unit_name_path_escape()): "mnt-projects", "mnt-a\x2db"; "-" of "/".
/// `path` is absolute and has single slashes, none at its end.
std::string escaped_path(std::string_view path);

/// The lines of a mountinfo text about NFS mounts and automounts (autofs), which are what a record keeps of it.
std::string nfs_lines(std::string_view mountinfo);

}  // namespace rdmastate
