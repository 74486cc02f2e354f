// SPDX-License-Identifier: Apache-2.0
// The interface to a host's files: looks, writes by staging and renaming, and removals. Paths are absolute and always
// resolved beneath the host's root.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// What stands at a path; `other` is a device, socket or FIFO.
enum class FileType : std::uint8_t { regular, directory, symlink, other };

/// What lstat(2) says of a path.
struct FileMeta {
  FileType type = FileType::regular;
  std::uint32_t mode = 0;  ///< permission bits, 07777
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  bool operator==(const FileMeta&) const = default;
};

/// All that makes two files equal: type, bytes, mode, owner, extended attributes (never times or inode).
struct FileContent {
  FileMeta meta;
  std::string bytes;  ///< content; of a symlink its target; empty for a directory and for `other`
  std::map<std::string, std::string> xattrs;  ///< by full name, "security.selinux" included
  bool operator==(const FileContent&) const = default;
};

/// Tells whether a file was rewritten since the last look at it, and whether it is newer than another file.
struct FileStamp {
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  std::uint64_t size = 0;
  bool operator==(const FileStamp&) const = default;
};

/// One host's files. Absence (ENOENT, ENOTDIR) is an answer; every other failure throws SystemError naming the path.
class Files {
 public:
  virtual ~Files() = default;

  /// As lstat(2): the last component is not followed, earlier ones are, inside the root.
  virtual std::optional<FileMeta> meta(const std::string& path) = 0;
  /// The bytes of a regular file, symlinks followed inside the root; nullopt also where a directory stands there, which
  /// no program reads as a file, or where it is masked (a link to /dev/null). At most `limit` bytes: more is EFBIG.
  virtual std::optional<std::string> read(const std::string& path, std::size_t limit = 16U << 20U) = 0;
  /// The stamp of the file that the path leads to, symlinks followed.
  virtual std::optional<FileStamp> stamp(const std::string& path) = 0;
  /// Everything about the path itself (a symlink is not followed). On a live host and in a tree more than 64 MiB is
  /// EFBIG: such a file is no configuration.
  virtual std::optional<FileContent> load(const std::string& path) = 0;
  /// Names in a directory, sorted, without "." and ".."; empty when there is no such directory.
  virtual std::vector<std::string> list(const std::string& directory) = 0;

  /// Writes the wanted file beside its target under a temporary name, not yet durable. A staged path is what the
  /// next replace() of the same path renames into place. Directories are not staged. The parent must exist.
  virtual void stage(const std::string& path, const FileContent& content) = 0;
  /// Makes everything staged so far durable, in one sync.
  virtual void sync_staged() = 0;
  /// Removes what was staged and never renamed. A temporary file that is gone is no failure; one that cannot be removed
  /// is, once all others are removed.
  virtual void discard_staged() = 0;

  /// Atomically makes `path` be `content`: renames the staged file where that has this content, and otherwise writes,
  /// syncs and renames a new one. A directory is made (its parent must exist), or only has its mode and owner set. What
  /// is `other`, such as a device node, is never made (ENOENT) and has its mode and owner set where it is there
  /// already.
  virtual void replace(const std::string& path, const FileContent& content) = 0;
  /// Removes a file, a symlink or an empty directory. ENOENT is an error: the caller observed it to be there.
  virtual void remove(const std::string& path) = 0;
  /// Makes renames and removals durable: syncs every directory changed since the last call.
  virtual void sync_directories() = 0;

  /// Appends to a private log file (0600, made when absent) and, when `durable`, syncs it. When it throws, the file
  /// reads as before. Refuses a symlink, what is no regular file, and a file that has a second name.
  virtual void append(const std::string& path, std::string_view bytes, bool durable) = 0;
};

}  // namespace rdmastate
