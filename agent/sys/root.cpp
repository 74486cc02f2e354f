// SPDX-License-Identifier: Apache-2.0
#include "sys/root.hpp"

#include <asm/unistd.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.hpp"

namespace rdmastate {
namespace {

// Whether the errno says that the path is not there.
bool is_absence(int number) { return number == ENOENT || number == ENOTDIR; }

std::string without_trailing_slashes(std::string path) {
  while (!path.empty() && path.back() == '/') path.pop_back();
  return path;
}

// Whether it is /dev/null. A link to /dev/null masks a file: systemd, udev and others read no file of that name
// (systemctl(1), mask).
bool is_null_device(const struct stat& status) {
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);  // Documentation/admin-guide/devices.txt
}

UniqueFd open_directory(const std::string& directory) {
  UniqueFd fd{uninterrupted([&] { return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); })};
  if (!fd) throw SystemError("opening the directory " + directory, errno);
  return fd;
}

}  // namespace

Root::Root(const std::string& directory)
    : prefix_(without_trailing_slashes(directory)), directory_(open_directory(directory.empty() ? "." : directory)) {}

/// EAGAIN: another program renamed directories while ".." was resolved, and the kernel asks to try again. ENOSYS
/// (before Linux 5.6): the live host is opened by open(2), which resolves "/" in the same way; a tree must not be
/// resolved by the host's rules, so there it stays an error.
int Root::open_in_root(const std::string& path, int flags, mode_t mode) const {
  open_how how{};
  how.flags = static_cast<__u64>(static_cast<unsigned>(flags | O_CLOEXEC));
  how.mode = mode;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  long fd = -1;
  for (int attempt = 0; attempt < 64; ++attempt) {
    fd = ::syscall(__NR_openat2, directory_.get(), path.c_str(), &how, sizeof how);
    if (fd >= 0 || (errno != EAGAIN && errno != EINTR)) break;
  }
  if (fd < 0 && errno == ENOSYS && is_live())
    return uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
  return static_cast<int>(fd);
}

UniqueFd Root::open(const std::string& path, int flags, mode_t mode) const {
  UniqueFd fd{open_in_root(path, flags, mode)};
  if (!fd && !is_absence(errno)) throw SystemError("opening " + shown(path), errno);
  return fd;
}

std::optional<Root::Entry> Root::entry(const std::string& path) const {
  const std::string whole = without_trailing_slashes(path);
  const auto slash = whole.rfind('/');
  if (slash == std::string::npos || whole.ends_with("/.") || whole.ends_with("/.."))
    throw SystemError(shown(path) + " does not name a file", EINVAL);
  UniqueFd directory = open(slash == 0 ? "/" : whole.substr(0, slash), O_PATH | O_DIRECTORY);
  if (!directory) return std::nullopt;
  return Entry{std::move(directory), whole.substr(slash + 1)};
}

std::optional<std::string> Root::read(const std::string& path, std::size_t limit) const {
  UniqueFd fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd) return std::nullopt;
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw SystemError("reading " + shown(path), errno);
  if (S_ISDIR(status.st_mode) || is_null_device(status)) return std::nullopt;
  if (!S_ISREG(status.st_mode)) throw SystemError("reading " + shown(path) + ", which is not a regular file", EINVAL);
  return read_all(fd.get(), limit, shown(path), static_cast<std::size_t>(status.st_size));
}

std::optional<std::string> Root::read_link(const std::string& path) const {
  UniqueFd fd = open(path, O_PATH | O_NOFOLLOW);
  if (!fd) return std::nullopt;
  std::array<char, 4096> target{};  // PATH_MAX: no link has a longer target
  const ssize_t length = ::readlinkat(fd.get(), "", target.data(), target.size());
  if (length < 0 && (errno == EINVAL || errno == ENOENT))
    return std::nullopt;  // not a link: ENOENT is readlinkat(2)'s word for it where the path is empty
  if (length < 0) throw SystemError("reading the link " + shown(path), errno);
  return std::string(target.data(), static_cast<std::size_t>(length));
}

std::vector<std::string> Root::names(const std::string& directory) const {
  std::vector<std::string> names;
  const UniqueFd fd = open(directory, O_RDONLY | O_DIRECTORY);
  if (!fd) return names;
  // A copy of the descriptor: closedir() closes its own, and `fd` its.
  const int copy = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0);
  const Handle<DIR, &::closedir> entries{copy < 0 ? nullptr : ::fdopendir(copy)};
  if (!entries) throw SystemError("listing " + shown(directory), errno);
  for (errno = 0; const dirent* entry = ::readdir(entries.get()); errno = 0) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) throw SystemError("listing " + shown(directory), errno);
  return names;
}

void Root::write_attribute(const std::string& path, std::string_view value) const {
  const auto doing = [&] {
    return "writing '" + std::string(value.substr(0, value.find('\n'))) +  // one line is enough for a message
           "' to " + shown(path);
  };
  UniqueFd fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY);
  if (!fd) throw SystemError(doing(), ENOENT);
  const ssize_t written = uninterrupted([&] { return ::write(fd.get(), value.data(), value.size()); });
  if (written < 0) throw SystemError(doing(), errno);
  if (static_cast<std::size_t>(written) != value.size()) throw SystemError(doing(), EIO);
}

std::string read_all(int fd, std::size_t limit, const std::string& name, std::size_t about) {
  std::array<char, 16384> buffer;
  std::string bytes;
  if (about > buffer.size()) bytes.reserve(std::min(about, limit));
  for (;;) {
    const ssize_t got = uninterrupted([&] { return ::read(fd, buffer.data(), buffer.size()); });
    if (got < 0) throw SystemError("reading " + name, errno);
    if (got == 0) return bytes;
    if (bytes.size() + static_cast<std::size_t>(got) > limit)
      throw SystemError("reading " + name + ", which is larger than " + std::to_string(limit) + " bytes", EFBIG);
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
    if (bytes.size() == about) return bytes;
  }
}

void write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (written < 0) throw SystemError("writing " + name, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace rdmastate
