// SPDX-License-Identifier: Apache-2.0
#include "sys/tree_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "base/error.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

constexpr const char* directory = "/run/rdmastate";
constexpr std::size_t longest_list = 16U << 20U;  // of /proc/locks, in bytes

struct stat status_of(const UniqueFd& fd, const std::string& shown) {
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw SystemError("looking at " + shown, errno);
  return status;
}

UniqueFd open_tree(const Root& root) {
  UniqueFd fd = root.open("/", O_RDONLY | O_DIRECTORY);
  if (!fd) throw SystemError("opening " + root.shown("/"), ENOENT);
  return fd;
}

// The process that has locked `file` ("DEVICE:INODE"), by a line of /proc/locks: "12: FLOCK  ADVISORY  WRITE 4711
// 08:01:131 0 EOF". Empty: the line is about another lock, or a process that waits for one: then "->" follows "12:",
// and `kind` is no FLOCK.
std::string process_in_locks(std::string_view line, const std::string& file) {
  std::istringstream fields{std::string(line)};
  std::string number, kind, form, access, process, where;
  fields >> number >> kind >> form >> access >> process >> where;
  return kind == "FLOCK" && where == file ? process : std::string();
}

// Whether neither root nor the tree's owner runs this process. False where /proc does not show it: it has ended, or is
// in another PID namespace.
bool is_stranger(const std::string& process, uid_t owner) {
  struct stat status {};
  if (process.empty() || ::stat(("/proc/" + process).c_str(), &status) != 0) return false;
  return status.st_uid != 0 && status.st_uid != owner;
}

// Opens /run/rdmastate/tree-DEVICE-INODE, which is the same file wherever the tree is mounted.
UniqueFd open_lock_file(const struct stat& tree, int flags) {
  constexpr mode_t private_mode = 0600;
  const Root live("/");
  const std::string path = fmt::format("{}/tree-{:x}-{}", directory, tree.st_dev, tree.st_ino);
  if ((flags & O_CREAT) != 0 && ::mkdir(directory, 0755) != 0 && errno != EEXIST)
    throw SystemError(std::string("making ") + directory, errno);
  UniqueFd fd = live.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | flags, (flags & O_CREAT) != 0 ? private_mode : 0);
  if (fd) refuse_links(fd, path);
  return fd;
}

}  // namespace

bool try_flock(const UniqueFd& fd, const std::string& shown) {
  if (uninterrupted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) == 0) return true;
  if (errno != EWOULDBLOCK) throw SystemError("locking " + shown, errno);
  return false;
}

void refuse_links(const UniqueFd& fd, const std::string& path) {
  const struct stat status = status_of(fd, path);
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1)
    throw SystemError("opening " + path + ", which is not a regular file with one name", EMLINK);
}

// The header says why there are two locks. The stranger may unlock the directory at any time, and another run of root
// may lock it then. So a run that has locked the file tries the directory once more, and a run that has locked the
// directory also locks the file, where that exists.
std::optional<tree_lock::Held> tree_lock::try_take(const Root& root) {
  const std::string shown = root.shown("/");
  Held held{open_tree(root), {}};
  const struct stat tree = status_of(held.tree, shown);
  const bool has_tree = try_flock(held.tree, shown);
  const auto has_a_stranger = [&] { return is_stranger(holder(root), tree.st_uid); };
  if (::geteuid() != 0) return has_tree ? std::optional(std::move(held)) : std::nullopt;
  if (!has_tree && !has_a_stranger()) return std::nullopt;
  held.beside = open_lock_file(tree, has_tree ? 0 : O_CREAT);
  if (held.beside && !try_flock(held.beside, shown)) return std::nullopt;
  if (has_tree || try_flock(held.tree, shown) || has_a_stranger()) return held;
  return std::nullopt;
}

std::string tree_lock::holder(const Root& root) {
  const UniqueFd fd = open_tree(root);
  const struct stat status = status_of(fd, root.shown("/"));
  const std::string file = fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::string process;
  for_lines(Root("/").read("/proc/locks", longest_list).value_or(""), [&](std::string_view line) {
    if (process.empty()) process = process_in_locks(line, file);
  });
  return process;
}

}  // namespace rdmastate
