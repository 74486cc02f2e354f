// SPDX-License-Identifier: Apache-2.0
// The files of the live host and of a tree.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "base/handle.hpp"
#include "host/files.hpp"
#include "sys/labels.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// The files beneath a Root: the live host's or a tree's. The umask has no effect. New content is written to a
/// temporary file beside its target (host/temporary.hpp says how it is called), created exclusively with mode 0600, and
/// renamed: a symlink that another program put there is not followed. A replaced file keeps its SELinux label where the
/// wanted content names none; a new file gets one by `labels`.
/// Contract: host/files.hpp.
class RootFiles final : public Files {
 public:
  /// `root` and `labels` must outlive this object. Where `labels` is nullptr, the kernel labels what is new.
  explicit RootFiles(const Root& root, PolicyLabels* labels = nullptr) : root_(root), labels_(labels) {}
  ~RootFiles() override;
  RootFiles(const RootFiles&) = delete;
  RootFiles& operator=(const RootFiles&) = delete;

  std::optional<FileMeta> meta(const std::string& path) override;
  std::optional<std::string> read(const std::string& path, std::size_t limit) override;
  std::optional<FileStamp> stamp(const std::string& path) override;
  std::optional<FileContent> load(const std::string& path) override;
  std::vector<std::string> list(const std::string& directory) override;

  void stage(const std::string& path, const FileContent& content) override;
  void sync_staged() override;
  /// Removes what is staged, and temporary files that could not be removed before. Throws where one still cannot be.
  void discard_staged() override;

  void replace(const std::string& path, const FileContent& content) override;
  void remove(const std::string& path) override;
  void sync_directories() override;

  void append(const std::string& path, std::string_view bytes, bool durable) override;

  /// Whether this is the name of a temporary file that a crashed run left behind. It may be removed while no run is
  /// active.
  static bool is_leftover(std::string_view name);

 private:
  using DirectoryId = std::pair<std::uint64_t, std::uint64_t>;  ///< device, inode: two paths may be one directory
  struct Directory {
    UniqueFd fd;  ///< may be O_PATH
    DirectoryId id;
    std::string shown;  ///< its path with a slash at its end, for messages
  };
  using DirectoryPtr = std::shared_ptr<const Directory>;

  struct Entry {  ///< a name in a directory, whether a file of this name exists or not
    DirectoryPtr directory;
    std::string name;
  };
  struct Staged {  ///< new content in a temporary file, which a rename puts into its place
    Entry at;      ///< of the temporary file
    FileContent content;
    UniqueFd unsynced;  ///< open while the file waits for its own fsync; else invalid
  };

  // In all of these `path` is the file's path beneath the root, and `doing` is what an error says was being done:
  // "writing /etc/x".

  /// Remembers a directory that files are made in; refuses one that is append-only.
  DirectoryPtr known(UniqueFd directory, std::string shown, const std::string& doing);
  /// The directory that `path` is an entry of, by known(), and the entry's name. Throws where the directory is not
  /// there.
  Entry entry(const std::string& path, const std::string& doing);
  /// Makes the wanted file, with its owner, attributes, mode and label, under a temporary name beside the target. Not
  /// synced. Throws for all but regular files and symbolic links.
  Staged write_beside(const Entry& target, const FileContent& content, const std::string& path);
  /// The part of write_beside() that makes a symbolic link.
  Staged link_beside(const Entry& target, const FileContent& content, const std::string& path,
                     const std::string& doing);
  void make_directory(const Entry& at, const FileContent& content, const std::string& path);
  void rename_into_place(const Staged& staged, const Entry& target, const std::string& path);
  /// Removes the temporary file. Returns 0, or the errno of a failure; discard_staged() then tries again.
  int drop(const Entry& temporary);
  /// Notes that the directory has to be synced.
  void changed(const DirectoryPtr& directory);
  /// Gives a file its SELinux label by `labels_`, where it has none yet.
  void label(int fd, const std::string& path, const std::string& doing);

  const Root& root_;
  PolicyLabels* labels_;
  std::map<std::string, Staged> staged_;         ///< by the path of the target
  std::vector<Entry> left_;                      ///< temporary files that could not be removed yet
  std::size_t own_syncs_ = 0;                    ///< how many of staged_ are synced one by one, by fsync(2)
  bool sync_whole_ = false;                      ///< too many for that are staged: whole file systems are synced
  std::map<DirectoryId, DirectoryPtr> known_;    ///< directories in use, shared by what is staged in them
  std::map<DirectoryId, DirectoryPtr> changed_;  ///< directories to sync
};

}  // namespace rdmastate
