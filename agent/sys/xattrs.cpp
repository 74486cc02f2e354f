// SPDX-License-Identifier: Apache-2.0
#include "sys/xattrs.hpp"

#include <fcntl.h>
#include <sys/xattr.h>

#include <cerrno>
#include <optional>

#include "base/error.hpp"
#include "base/handle.hpp"
#include "host/attributes.hpp"

namespace rdmastate {
namespace {

// Whether the errno says that there is no such attribute, or that the file system has none.
bool has_none(int number) { return number == ENOTSUP || number == ENOSYS || number == ENODATA; }

/// Asks for the size, then for the bytes, until both agree: `ask(buffer, size)` is one of the xattr calls. nullopt:
/// there is no such attribute, or the file system has none.
template <class Ask>
std::optional<std::string> sized(Ask&& ask, const std::string& doing) {
  for (std::string bytes;;) {
    const ssize_t size = ask(nullptr, 0);
    if (size < 0 && has_none(errno)) return std::nullopt;
    if (size < 0) throw SystemError(doing, errno);
    if (size == 0) return bytes;
    bytes.resize(static_cast<std::size_t>(size));
    const ssize_t got = ask(bytes.data(), bytes.size());
    if (got >= 0) {
      bytes.resize(static_cast<std::size_t>(got));
      return bytes;
    }
    if (errno == ERANGE) continue;  // it grew meanwhile
    if (has_none(errno)) return std::nullopt;
    throw SystemError(doing, errno);
  }
}

/// All attributes of a file, by two calls on it: list(buffer, size) gives the names, each with a NUL at its end, and
/// get(name, buffer, size) a value.
template <class List, class Get>
std::map<std::string, std::string> collect(List&& list, Get&& get, const std::string& doing) {
  std::map<std::string, std::string> found;
  const auto names = sized(list, doing);
  for (std::size_t at = 0; names && at < names->size();) {
    const std::string name = names->c_str() + at;
    at += name.size() + 1;
    auto value = sized([&](char* buffer, std::size_t size) { return get(name.c_str(), buffer, size); }, doing);
    if (value && !is_kernels_own(name, *value)) found.emplace(name, std::move(*value));
  }
  return found;
}

}  // namespace

std::map<std::string, std::string> xattrs_of(int fd, const std::string& name) {
  return collect([&](char* buffer, std::size_t size) { return ::flistxattr(fd, buffer, size); },
                 [&](const char* key, char* buffer, std::size_t size) { return ::fgetxattr(fd, key, buffer, size); },
                 "reading the attributes of " + name);
}

std::map<std::string, std::string> xattrs_of_path_fd(int fd, const std::string& name) {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  try {
    return collect(
        [&](char* buffer, std::size_t size) { return ::listxattr(path.c_str(), buffer, size); },
        [&](const char* key, char* buffer, std::size_t size) { return ::getxattr(path.c_str(), key, buffer, size); },
        "reading the attributes of " + name);
  } catch (const SystemError& error) {
    if (error.number() == ENOENT) return {};  // no /proc here: an installer's chroot
    throw;
  }
}

std::vector<std::string> lent_acls(int fd, const std::map<std::string, std::string>& asked, const std::string& doing) {
  std::vector<std::string> lent;
  for (const auto& [name, value] : xattrs_of(fd, doing))
    if ((name == access_acl || name == default_acl) && !asked.contains(name)) lent.push_back(name);
  return lent;
}

void remove_lent_acls(int fd, const std::map<std::string, std::string>& asked, const std::string& doing) {
  for (const auto& name : lent_acls(fd, asked, doing))
    if (::fremovexattr(fd, name.c_str()) != 0) throw SystemError(doing + " (its attribute " + name + ")", errno);
}

void set_xattrs(int fd, const std::map<std::string, std::string>& xattrs, const std::string& doing) {
  for (const auto& [key, value] : xattrs)
    if (::fsetxattr(fd, key.c_str(), value.data(), value.size(), 0) != 0)
      throw SystemError(doing + " (its attribute " + key + ")", errno);
}

/// A label that is right already is not set again: SELinux may let a process make files and not relabel them.
bool keep_selinux_label(int fd, int directory, const std::string& name, const std::string& doing) {
  const UniqueFd present{::openat(directory, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)};
  if (!present) return false;
  const std::string key{selinux_label};
  const auto label_of = [&](int which) {
    const std::string path = "/proc/self/fd/" + std::to_string(which);
    return sized(
        [&](char* buffer, std::size_t size) {
          const ssize_t got = ::getxattr(path.c_str(), key.c_str(), buffer, size);
          if (got < 0 && errno == ENOENT) errno = ENODATA;  // no /proc here
          return got;
        },
        doing);
  };
  const auto label = label_of(present.get());
  if (label && label != label_of(fd)) set_xattrs(fd, {{key, *label}}, doing);
  return label.has_value();
}

}  // namespace rdmastate
