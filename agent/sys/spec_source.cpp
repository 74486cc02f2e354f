// SPDX-License-Identifier: Apache-2.0
// A spec is read in two steps: check_way() judges everything on the path to it, read_file() opens the file, judges what
// is open (check_file) and reads it. refuse() throws with the exit code of a bad spec.
#include "sys/spec_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <deque>

#include "base/error.hpp"
#include "sys/root.hpp"

namespace rdmastate {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(sentence, ExitCode::bad_spec); }

bool is_trusted_owner(uid_t owner) { return owner == 0 || owner == ::geteuid(); }

void check_owner(const std::string& what, const struct stat& status) {
  if (!is_trusted_owner(status.st_uid))
    refuse(fmt::format(
        "{} belongs to user {}; a spec must belong to root or to the user who runs rdmastate: chown it, or copy it",
        what, status.st_uid));
}

/// Who may write what is read (`trust`), and the function that is told a warning; null: no warning is wanted.
struct Judge {
  SpecTrust trust;
  const SpecWarning& warn;

  /// Refuses a file or directory at `path` whose `mode` lets its group or everybody write, or warns of it. `said` is
  /// the sentence that says so (said_of()); `harm` ends the refusal and says what a writer could do.
  void judge(mode_t mode, const std::string& said, std::string_view harm, const std::string& path) const {
    const mode_t writers = mode & (S_IWGRP | S_IWOTH);
    if (writers == 0) return;
    if (trust == SpecTrust::owner_only || (trust == SpecTrust::group_too && (writers & S_IWOTH) != 0))
      refuse(fmt::format("{}{}: chmod go-w {}", said, harm, path));
    if (warn) warn(fmt::format("{}: apply refuses it before chmod go-w {}", said, path));
  }
};

std::string said_of(const std::string& what, const struct stat& status) {
  return fmt::format("{} may be written by others than its owner (mode {:04o})", what, status.st_mode & 07777U);
}

/// A user who may write a directory may put another file in the spec's place, unless the directory is sticky as /tmp
/// is.
void check_directory(const std::string& directory, const Judge& judge) {
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) throw SystemError("looking at the directory " + directory, errno);
  check_owner("the directory " + directory, status);
  if ((status.st_mode & S_ISVTX) == 0)
    judge.judge(status.st_mode, said_of("the directory " + directory, status), ", who could replace the spec",
                directory);
}

// The names in a path, without empty ones and "."; ".." stays.
std::deque<std::string> parts_of(std::string_view path) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end != 0 && path.substr(0, end) != ".") parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

std::string target_of(const std::string& link) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  if (length < 0) throw SystemError("reading the link " + link, errno);
  target.resize(static_cast<std::size_t>(length));
  return target;
}

// The path of the entry `name` of a directory; "." is the working directory.
std::string path_in(const std::string& directory, const std::string& name) {
  if (directory == ".") return name;
  return directory == "/" ? "/" + name : directory + "/" + name;
}

/// Follows the path as the kernel would, link by link, and checks each directory and each link on it. A relative path
/// begins at the working directory, which no other user can exchange.
void check_way(const std::string& path, const Judge& judge) {
  constexpr int most_links = 40;  // path_resolution(7)
  std::string here;               // the directory that is reached so far
  const auto enter = [&](const std::string& directory) {
    here = directory;
    check_directory(here, judge);
  };
  enter(path.starts_with('/') ? "/" : ".");
  auto parts = parts_of(path);
  for (int links = 0; !parts.empty();) {
    const std::string next = path_in(here, parts.front());
    parts.pop_front();
    struct stat status {};
    if (::lstat(next.c_str(), &status) != 0) throw SystemError("reading " + path, errno);
    if (S_ISLNK(status.st_mode)) {
      check_owner("the link " + next, status);
      if (++links > most_links) throw SystemError("reading " + path, ELOOP);
      const std::string target = target_of(next);
      if (target.starts_with('/')) enter("/");
      auto more = parts_of(target);
      parts.insert(parts.begin(), more.begin(), more.end());
    } else if (S_ISDIR(status.st_mode)) {
      enter(next);
    } else if (!parts.empty()) {
      throw SystemError("reading " + path, ENOTDIR);
    }
  }
}

// What is read, and how much of it, with the sentence that refuses more.
struct Form {
  std::string_view what;
  std::size_t limit;
  std::string_view limit_text;
};
constexpr Form spec_form{"a YAML file", spec_size_limit,
                         "a spec has at most 1048576 bytes (1 MiB): split it with include"};
constexpr Form plan_form{"a plan that `plan --out` wrote", 64U << 20U, "a plan has at most 67108864 bytes (64 MiB)"};

[[noreturn]] void refuse_size(const std::string& name, const std::string& size, const Form& form) {
  refuse(fmt::format("{} has {} bytes; {}", name, size, form.limit_text));
}

/// Refuses the open file for its type, its size, or those who may write it.
void check_file(const std::string& path, const struct stat& status, SpecTrust trust, const Form& form,
                const SpecWarning& warn) {
  if (S_ISDIR(status.st_mode)) refuse(fmt::format("{} is a directory; {} is expected", path, form.what));
  if (!S_ISREG(status.st_mode))
    refuse(path + " is a device, FIFO or socket; a regular file is expected, or - for standard input");
  if (static_cast<std::uint64_t>(status.st_size) > form.limit) refuse_size(path, std::to_string(status.st_size), form);
  if (trust != SpecTrust::anyone) check_owner(path, status);
  Judge{trust, warn}.judge(status.st_mode, said_of(path, status), "; what it says is done with your rights", path);
}

std::string read_limited(int fd, const std::string& name, const Form& form, std::size_t about = 0) {
  try {
    return read_all(fd, form.limit, name, about);
  } catch (const SystemError& error) {
    if (error.number() != EFBIG) throw;
    refuse_size(name, fmt::format("more than {}", form.limit), form);
  }
}

std::string read_file(const std::string& path, SpecTrust trust, const Form& form, const SpecWarning& warn) {
  const std::string doing = "reading " + path;
  const UniqueFd fd{uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); })};
  if (!fd) throw SystemError(doing, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw SystemError(doing, errno);
  check_file(path, status, trust, form, warn);
  return read_limited(fd.get(), path, form, static_cast<std::size_t>(status.st_size));
}

/// The path with every link followed.
std::string real_path(const std::string& path) {
  const Handle<char, &std::free> real{::realpath(path.c_str(), nullptr)};
  if (!real) throw SystemError("reading " + path, errno);
  return real.get();
}

/// Refuses an included file that not every user may read. A message about a mistake shows the line that it is in: a
/// spec of another user that is only checked must not make rdmastate show lines of a private file.
void refuse_private(const std::string& path, const std::string& home) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw SystemError("reading " + path, errno);
  if ((status.st_mode & S_IROTH) == 0)
    refuse(fmt::format("{} is outside of {} and not everybody may read it: copy it there, or chmod o+r {}", path, home,
                       path));
}

}  // namespace

std::string read_spec(const std::string& path, SpecTrust trust, const SpecWarning& warn) {
  if (path == "-") return read_limited(STDIN_FILENO, "standard input", spec_form);
  if (trust != SpecTrust::anyone) check_way(path, {trust, warn});
  return read_file(path, trust, spec_form, warn);
}

std::string read_plan_file(const std::string& path) {
  const SpecWarning nobody;
  check_way(path, {SpecTrust::owner_only, nobody});
  return read_file(path, SpecTrust::owner_only, plan_form, /*warn=*/nobody);
}

std::string read_included(const std::string& directory, const std::string& name, SpecTrust trust,
                          const SpecWarning& warn) {
  const std::string path = directory + name;
  const std::string home = real_path(directory.empty() ? "." : directory);
  const bool is_inside = real_path(path).starts_with(home == "/" ? home : home + "/");
  // SpecTrust lists the strictest first, so std::min gives the stricter of two.
  if (trust != SpecTrust::anyone || !is_inside) check_way(path, {std::min(trust, SpecTrust::group_too), warn});
  if (trust == SpecTrust::anyone && !is_inside) refuse_private(path, home);
  return read_file(path, is_inside ? trust : std::min(trust, SpecTrust::group_too), spec_form, warn);
}

}  // namespace rdmastate
