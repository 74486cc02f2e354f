// SPDX-License-Identifier: Apache-2.0
// The one way into a file system: it resolves paths beneath a directory, as the kernel does after chroot(2), without a
// chroot.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/handle.hpp"

namespace rdmastate {

/// A directory that stands for "/": the live host's, or an offline tree's. Every path goes through openat2(2) with
/// RESOLVE_IN_ROOT (absolute links and ".." end inside) and RESOLVE_NO_MAGICLINKS. Failures are SystemErrors that name
/// the path as the user sees it, the tree's own prefix included.
class Root {
 public:
  /// Opens `directory`, which may itself be reached through links. "/" is the live host.
  explicit Root(const std::string& directory);

  /// Opens `path` (O_CLOEXEC is added). An empty handle when it is not there (ENOENT, ENOTDIR).
  UniqueFd open(const std::string& path, int flags, mode_t mode = 0) const;

  /// The directory that `path` is an entry of, opened O_PATH, and the entry's name.
  struct Entry {
    UniqueFd directory;
    std::string name;
  };
  /// nullopt when the directory is not there; EINVAL for a path without a name, such as "/".
  std::optional<Entry> entry(const std::string& path) const;

  /// The bytes of a file, links followed; nullopt when it is not there, is a directory, or is masked by a link to
  /// /dev/null. One open, a few reads, one close: sizes that stat gives are not believed, so sysfs and procfs work.
  /// More than `limit` bytes is EFBIG, a FIFO or device EINVAL.
  std::optional<std::string> read(const std::string& path, std::size_t limit) const;
  /// Where a symbolic link points, as written; nullopt when there is none.
  std::optional<std::string> read_link(const std::string& path) const;

  /// The names in a directory, in no order, without "." and ".."; empty when it is not there.
  std::vector<std::string> names(const std::string& directory) const;

  /// One write(2) of a kernel attribute (sysfs, procfs): no create, no rename, truncated first as a shell's ">" does,
  /// so that a plain file in a tree does not keep a longer old value's tail.
  void write_attribute(const std::string& path, std::string_view value) const;

  /// The path as the user sees it: the tree's directory in front.
  std::string shown(const std::string& path) const { return prefix_ + path; }
  bool is_live() const { return prefix_.empty(); }
  int fd() const { return directory_.get(); }

 private:
  int open_in_root(const std::string& path, int flags, mode_t mode) const;

  std::string prefix_;  ///< "" for the live host, "/mnt/image" for a tree
  UniqueFd directory_;
};

/// All that can still be read from `fd`. More than `limit` bytes is EFBIG; `name` is for the message. `about` is the
/// size that fstat gave, 0 if none: once exactly so many bytes are read, it stops; where that size is wrong (attributes
/// in sysfs), it reads until the end.
std::string read_all(int fd, std::size_t limit, const std::string& name, std::size_t about = 0);

/// Writes every byte, or throws a SystemError that names `name`.
void write_all(int fd, std::string_view bytes, const std::string& name);

/// Repeats a system call that a signal interrupted.
template <class Call>
auto uninterrupted(Call&& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace rdmastate
