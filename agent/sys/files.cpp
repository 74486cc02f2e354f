// SPDX-License-Identifier: Apache-2.0
// What replace() writes goes through write_beside() (a temporary file with bytes, owner, attributes, mode,
// label), fsync, rename_into_place() and, when the caller is done, sync_directories(). stage() does the first of these
// steps for many files early, and sync_staged() the second for all of them at once; replace() then takes what is
// staged.
#include "sys/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "host/temporary.hpp"
#include "sys/temporary_file.hpp"
#include "sys/xattrs.hpp"

namespace rdmastate {
namespace {

constexpr mode_t private_mode = 0600;

/// How many staged files are synced one by one; when there are more, syncfs(2) syncs their file systems. Measured on
/// ext4 on a shared machine: 16 files by fsync 2 to 10 ms, by syncfs 1 to 3 ms; 1000 files 63 ms and 8 ms. But syncfs
/// also waits for the dirty pages of other programs, which may be gigabytes.
constexpr std::size_t own_fsyncs_at_most = 16;
/// The bytes that load() reads at most. It is for configuration, which is kept in memory and in the run's record: a
/// larger file is taken for a mistake (EFBIG).
constexpr std::size_t load_limit = 64U << 20U;
/// How many directories changed() remembers for sync_directories(): each holds a descriptor.
constexpr std::size_t remembered_at_most = 128;

FileMeta meta_of(const struct stat& status) {
  FileMeta meta;
  meta.type = S_ISREG(status.st_mode)   ? FileType::regular
              : S_ISDIR(status.st_mode) ? FileType::directory
              : S_ISLNK(status.st_mode) ? FileType::symlink
                                        : FileType::other;
  meta.mode = status.st_mode & 07777U;
  meta.uid = status.st_uid;
  meta.gid = status.st_gid;
  return meta;
}

struct stat status_of(int fd, const std::string& name) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw SystemError("looking at " + name, errno);
  return status;
}

/// All about an open regular file. `name` is for messages.
FileContent regular_content(int fd, const std::string& name) {
  const struct stat status = status_of(fd, name);
  return {meta_of(status), read_all(fd, load_limit, name, static_cast<std::size_t>(status.st_size)),
          xattrs_of(fd, name)};
}

/// Sets owner, extended attributes and mode. Owner first: chown clears set-id bits and file capabilities. Mode last:
/// setting an ACL sets the mode's bits.
void dress(int fd, const FileContent& content, const std::string& doing) {
  if (::fchown(fd, content.meta.uid, content.meta.gid) != 0) throw SystemError(doing + " (its owner)", errno);
  set_xattrs(fd, content.xattrs, doing);
  if (::fchmod(fd, content.meta.mode) != 0) throw SystemError(doing + " (its mode)", errno);
}

/// Whether a directory has the wanted mode and owner, and no ACL. False where extended attributes are wanted. A run
/// that was interrupted while it made this directory may have left it with the ACLs that its parent gave it.
bool is_bare(int fd, const FileContent& content, const std::string& name) {
  return meta_of(status_of(fd, name)) == content.meta && content.xattrs.empty() && lent_acls(fd, {}, name).empty();
}

/// Sets owner and mode of an existing device node, through O_PATH: opening a device may have an effect. Owner first, so
/// that at no moment anybody has a right that he has neither before nor after.
void give_node(int directory, const std::string& name, const FileMeta& meta, const std::string& path) {
  const std::string doing = "giving " + path + " its owner and mode";
  const UniqueFd fd{::openat(directory, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)};
  if (!fd) throw SystemError(doing, errno);
  if (meta_of(status_of(fd.get(), path)).type != FileType::other) throw SystemError(doing, EINVAL);
  if (::fchownat(fd.get(), "", meta.uid, meta.gid, AT_EMPTY_PATH) != 0) throw SystemError(doing, errno);
  const std::string self = "/proc/self/fd/" + std::to_string(fd.get());
  if (::chmod(self.c_str(), meta.mode) != 0) throw SystemError(doing, errno);
}

}  // namespace

bool RootFiles::is_leftover(std::string_view name) { return is_temporary(name); }

RootFiles::~RootFiles() {
  try {
    RootFiles::discard_staged();
  } catch (const SystemError&) {
    return;  // a caller that needs this error calls discard_staged() itself
  }
}

std::optional<FileMeta> RootFiles::meta(const std::string& path) {
  const UniqueFd fd = root_.open(path, O_PATH | O_NOFOLLOW);
  if (!fd) return std::nullopt;
  return meta_of(status_of(fd.get(), root_.shown(path)));
}

std::optional<std::string> RootFiles::read(const std::string& path, std::size_t limit) {
  return root_.read(path, limit);
}

std::optional<FileStamp> RootFiles::stamp(const std::string& path) {
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  const UniqueFd fd = root_.open(path, O_PATH);
  if (!fd) return std::nullopt;
  const struct stat status = status_of(fd.get(), root_.shown(path));
  return FileStamp{status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec,
                   static_cast<std::uint64_t>(status.st_size)};
}

/// The type is read through O_PATH first: opening a device may have an effect, opening a FIFO may wait.
std::optional<FileContent> RootFiles::load(const std::string& path) {
  const UniqueFd fd = root_.open(path, O_PATH | O_NOFOLLOW);
  if (!fd) return std::nullopt;
  const std::string name = root_.shown(path);
  FileContent content;
  content.meta = meta_of(status_of(fd.get(), name));
  if (content.meta.type == FileType::symlink) content.bytes = root_.read_link(path).value_or("");
  if (content.meta.type == FileType::regular) {
    const UniqueFd readable = root_.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (!readable) return std::nullopt;
    content = regular_content(readable.get(), name);
  } else if (content.meta.type != FileType::other) {
    content.xattrs = xattrs_of_path_fd(fd.get(), name);
  }
  return content;
}

std::vector<std::string> RootFiles::list(const std::string& directory) {
  std::vector<std::string> names = root_.names(directory);
  std::sort(names.begin(), names.end());
  return names;
}

RootFiles::DirectoryPtr RootFiles::known(UniqueFd directory, std::string shown, const std::string& doing) {
  const struct stat status = status_of(directory.get(), doing);
  const DirectoryId id{status.st_dev, status.st_ino};
  auto& directory_of_id = known_[id];
  if (directory_of_id) return directory_of_id;
  refuse_append_only(directory.get(), doing);
  directory_of_id = std::make_shared<const Directory>(Directory{std::move(directory), id, std::move(shown)});
  return directory_of_id;
}

RootFiles::Entry RootFiles::entry(const std::string& path, const std::string& doing) {
  auto found = root_.entry(path);
  if (!found) throw SystemError(doing + ", whose directory is not there", ENOENT);
  std::string shown = root_.shown(path.substr(0, path.rfind(found->name)));
  return {known(std::move(found->directory), std::move(shown), doing), std::move(found->name)};
}

RootFiles::Staged RootFiles::link_beside(const Entry& target, const FileContent& content, const std::string& path,
                                         const std::string& doing) {
  const int directory = target.directory->fd.get();
  const auto dropped = [&](const std::string& name) { drop({target.directory, name}); };
  Temporary made(with_temporary_name(target.name, doing,
                                     [&](const std::string& name) {
                                       return ::symlinkat(content.bytes.c_str(), directory, name.c_str());
                                     }),
                 dropped);
  if (::fchownat(directory, made.name().c_str(), content.meta.uid, content.meta.gid, AT_SYMLINK_NOFOLLOW) != 0)
    throw SystemError(doing + " (its owner)", errno);
  const UniqueFd link{::openat(directory, made.name().c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)};
  if (!link) throw SystemError(doing, errno);
  label(link.get(), path, doing);
  return {{target.directory, made.keep()}, content, UniqueFd{}};
}

RootFiles::Staged RootFiles::write_beside(const Entry& target, const FileContent& content, const std::string& path) {
  const std::string doing = "writing " + root_.shown(path);
  const int directory = target.directory->fd.get();
  changed_.emplace(target.directory->id, target.directory);  // where this fails, drop() must be durable
  if (content.meta.type == FileType::symlink) return link_beside(target, content, path, doing);
  if (content.meta.type != FileType::regular) throw SystemError(doing + ": only files and links are staged", EINVAL);
  const auto dropped = [&](const std::string& name) { drop({target.directory, name}); };
  UniqueFd fd;
  Temporary made(
      with_temporary_name(target.name, doing,
                          [&](const std::string& name) {
                            fd = UniqueFd{::openat(directory, name.c_str(),
                                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, private_mode)};
                            return fd.get();
                          }),
      dropped);
  write_all(fd.get(), content.bytes, root_.shown(path));
  const bool has_label = content.xattrs.contains(std::string(selinux_label)) ||
                         keep_selinux_label(fd.get(), directory, target.name, doing);
  remove_lent_acls(fd.get(), content.xattrs, doing);
  dress(fd.get(), content, doing);
  if (!has_label) label(fd.get(), path, doing);
  return {{target.directory, made.keep()}, content, std::move(fd)};
}

void RootFiles::label(int fd, const std::string& path, const std::string& doing) {
  if (labels_ != nullptr) labels_->give(fd, path, doing);
}

void RootFiles::stage(const std::string& path, const FileContent& content) {
  const Entry target = entry(path, "writing " + root_.shown(path));
  Staged staged = write_beside(target, content, path);
  if (auto older = staged_.find(path); older != staged_.end()) {
    drop(older->second.at);
    staged_.erase(older);
  }
  if (staged.unsynced && own_syncs_ < own_fsyncs_at_most) {
    ++own_syncs_;
    ::sync_file_range(staged.unsynced.get(), 0, 0, SYNC_FILE_RANGE_WRITE);  // starts to write, does not wait
  } else {
    sync_whole_ = sync_whole_ || static_cast<bool>(staged.unsynced);
    staged.unsynced = UniqueFd{};
  }
  staged_.insert_or_assign(path, std::move(staged));
}

void RootFiles::sync_staged() {
  std::map<std::uint64_t, DirectoryPtr> file_systems;
  for (auto& [path, staged] : staged_) {
    if (sync_whole_) file_systems.emplace(staged.at.directory->id.first, staged.at.directory);
    if (staged.unsynced && !sync_whole_ && ::fsync(staged.unsynced.get()) != 0)
      throw SystemError("syncing " + root_.shown(path), errno);
    staged.unsynced = UniqueFd{};
  }
  for (const auto& [device, directory] : file_systems) {
    const UniqueFd readable{::openat(directory->fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!readable || ::syncfs(readable.get()) != 0) throw SystemError("syncing what was written", errno);
  }
  own_syncs_ = 0;
  sync_whole_ = false;
}

/// The directory is synced later too: after a power cut the name must not be there again once the run has said that it
/// is undone. Returns 0 where the file is gone, and otherwise the errno.
int RootFiles::drop(const Entry& temporary) {
  const bool gone = ::unlinkat(temporary.directory->fd.get(), temporary.name.c_str(), 0) == 0 || errno == ENOENT;
  const int number = gone ? 0 : errno;
  if (!gone) left_.push_back(temporary);
  changed_.emplace(temporary.directory->id, temporary.directory);
  return number;
}

void RootFiles::discard_staged() {
  for (const auto& [path, staged] : staged_) drop(staged.at);
  staged_.clear();
  own_syncs_ = 0;
  sync_whole_ = false;
  int number = 0;
  for (const auto& one : std::exchange(left_, {})) number = std::max(number, drop(one));
  if (!left_.empty()) throw SystemError("removing " + left_.front().directory->shown + left_.front().name, number);
}

void RootFiles::rename_into_place(const Staged& staged, const Entry& target, const std::string& path) {
  const int directory = target.directory->fd.get();
  if (::renameat(directory, staged.at.name.c_str(), directory, target.name.c_str()) != 0) {
    const int number = errno;
    drop(staged.at);
    throw SystemError("writing " + root_.shown(path), number);
  }
  changed(target.directory);
}

/// A staged file is used only when it has this content and stands in this directory: links on the path may have changed
/// since.
void RootFiles::replace(const std::string& path, const FileContent& content) {
  const Entry target = entry(path, "writing " + root_.shown(path));
  if (content.meta.type == FileType::directory) return make_directory(target, content, path);
  if (content.meta.type == FileType::other)
    return give_node(target.directory->fd.get(), target.name, content.meta, root_.shown(path));
  if (auto node = staged_.extract(path)) {
    const Staged& staged = node.mapped();
    if (staged.at.directory == target.directory && staged.content == content)
      return rename_into_place(staged, target, path);
    drop(staged.at);
  }
  const Staged written = write_beside(target, content, path);
  if (written.unsynced && ::fsync(written.unsynced.get()) != 0) {
    const int number = errno;
    drop(written.at);
    throw SystemError("syncing " + root_.shown(path), number);
  }
  rename_into_place(written, target, path);
}

void RootFiles::make_directory(const Entry& at, const FileContent& content, const std::string& path) {
  const std::string doing = "making the directory " + root_.shown(path);
  const int made = ::mkdirat(at.directory->fd.get(), at.name.c_str(), 0700);
  if (made != 0 && errno != EEXIST) throw SystemError(doing, errno);
  UniqueFd fd{::openat(at.directory->fd.get(), at.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (!fd) throw SystemError(doing, errno);
  if (made != 0 && is_bare(fd.get(), content, root_.shown(path))) return;
  remove_lent_acls(fd.get(), content.xattrs, doing);
  dress(fd.get(), content, doing);
  label(fd.get(), path, doing);
  // Its mode and owner need a sync of their own: that of its parent need not write them.
  changed(known(std::move(fd), root_.shown(path) + "/", doing));
  changed(at.directory);
}

void RootFiles::remove(const std::string& path) {
  const std::string doing = "removing " + root_.shown(path);
  const Entry target = entry(path, doing);
  const int directory = target.directory->fd.get();
  int failed = ::unlinkat(directory, target.name.c_str(), 0);
  if (failed != 0 && errno == EISDIR) failed = ::unlinkat(directory, target.name.c_str(), AT_REMOVEDIR);
  if (failed != 0) throw SystemError(doing, errno);
  changed(target.directory);
}

void RootFiles::changed(const DirectoryPtr& directory) {
  if (changed_.size() >= remembered_at_most) RootFiles::sync_directories();
  changed_.emplace(directory->id, directory);
}

void RootFiles::sync_directories() {
  while (!changed_.empty()) {
    const DirectoryPtr directory = changed_.begin()->second;
    const UniqueFd readable{::openat(directory->fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    const bool gone = !readable && errno == ENOENT;  // the directory itself was removed since
    // EINVAL: a file system without fsync of directories has nothing to sync.
    if (!gone && (!readable || (::fsync(readable.get()) != 0 && errno != EINVAL)))
      throw SystemError("syncing the directory " + directory->shown, errno);
    changed_.erase(changed_.begin());
  }
  std::erase_if(known_, [](const auto& known) { return known.second.use_count() == 1; });
}

void RootFiles::append(const std::string& path, std::string_view bytes, bool durable) {
  const std::string name = root_.shown(path);
  constexpr int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  UniqueFd fd = root_.open(path, flags);
  if (!fd) {
    const Entry at = entry(path, "writing " + name);
    fd = UniqueFd{::openat(at.directory->fd.get(), at.name.c_str(), flags | O_CREAT | O_EXCL, private_mode)};
    if (!fd || ::fchmod(fd.get(), private_mode) != 0) throw SystemError("making " + name, errno);
    label(fd.get(), path, "making " + name);
    changed(at.directory);
    if (durable) sync_directories();
  }
  const struct stat before = status_of(fd.get(), name);
  if (meta_of(before).type != FileType::regular) throw SystemError("appending to " + name, EINVAL);
  if (before.st_nlink > 1) throw SystemError("appending to " + name + ", which has another name too", EMLINK);
  try {
    write_all(fd.get(), bytes, name);
    if (durable && ::fdatasync(fd.get()) != 0) throw SystemError("syncing " + name, errno);
  } catch (const SystemError&) {
    if (::ftruncate(fd.get(), before.st_size) != 0)
      throw SystemError("taking back what was appended to " + name, errno);
    throw;
  }
}

}  // namespace rdmastate
