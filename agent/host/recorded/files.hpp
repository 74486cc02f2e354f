// SPDX-License-Identifier: Apache-2.0
// Implements Files, the interface to a file system, for a recorded host.
#pragma once

#include <map>
#include <string>

#include "host/files.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// Files in memory with a file system's refusals. A staged file lies beside its target as ".NAME.rdmastate-"
/// and 16 digits, listed like any other, so that a crash leaves behind what it would leave on a disk.
class RecordedFiles final : public Files {
 public:
  RecordedFiles(HostModel& model, CallLog& log);

  std::optional<FileMeta> meta(const std::string& path) override;
  std::optional<std::string> read(const std::string& path, std::size_t limit) override;
  /// A record holds no times: initrds::times_of() (recorded/initrds.hpp) gives files their first ones, and each file
  /// that is written is newer than all before it; so is the directory that it comes into or is removed from.
  std::optional<FileStamp> stamp(const std::string& path) override;
  std::optional<FileContent> load(const std::string& path) override;
  std::vector<std::string> list(const std::string& directory) override;

  void stage(const std::string& path, const FileContent& content) override;
  void sync_staged() override;
  void discard_staged() override;

  void replace(const std::string& path, const FileContent& content) override;
  void remove(const std::string& path) override;
  void sync_directories() override;

  void append(const std::string& path, std::string_view bytes, bool durable) override;

  /// What another program writes: replace() without a call of rdmastate.
  void put(const std::string& path, const FileContent& content);

 private:
  struct Found {
    int failure = 0;                    ///< ENOENT, ENOTDIR, ELOOP, EINVAL
    std::string path;                   ///< without links; where the last name alone is missing, where it would be
    const FileContent* file = nullptr;  ///< null where `failure` is not 0
  };
  enum class Last { follow, keep };  ///< whether a link in the path's last name is followed
  /// Follows the path through the model, whatever the record can tell of it.
  Found resolve(const std::string& path, Last last) const;
  /// As resolve(); what the record cannot tell is SystemError EACCES.
  Found look(const std::string& path, Last last);
  /// Whether the path, or a directory above it, is one that the record's maker was not allowed to read.
  bool is_unseen(const std::string& path) const;
  /// Whether the record can tell that the path is absent, or that it is a link to what is absent.
  bool tells_of(const std::string& path) const;
  /// The path with links followed, except in its last name: a link there is what gets replaced or removed.
  std::string target_of(const std::string& path) const;
  /// Writes the content under a temporary name in the target's directory, and returns that path.
  std::string write_beside(const std::string& target, const FileContent& content);
  /// Puts the file at `from` in place of what is at `to`, as rename(2) does. Throws Refusal.
  void rename(const std::string& from, const std::string& to);
  void make_directory(const std::string& at, const FileContent& content);
  bool has_entries(const std::string& directory) const;

  struct Staged {
    std::string target;
    std::string temporary;
    FileContent content;
  };
  const HostModel& model_;
  std::map<std::string, FileContent>& files_;
  CallLog& log_;
  std::map<std::string, Staged> staged_;  ///< by path as it was given
  std::uint64_t next_temporary_ = 1;
  std::map<std::string, std::int64_t> written_;  ///< when, by path: a number that grows; a file not in here: at 0
  std::int64_t now_ = 2;                         ///< of the last write; 2 is the largest of initrds::times_of()
  bool unsynced_ = false;                        ///< something staged waits for a sync
  bool directories_changed_ = false;             ///< something renamed or removed waits for one
};

}  // namespace rdmastate
