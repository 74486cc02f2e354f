// SPDX-License-Identifier: Apache-2.0
#include "sys/spec_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

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

/// Whoever may write a directory may put another file in its place, unless it is sticky as /tmp is.
void check_directory(const std::string& directory) {
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) throw SystemError("looking at the directory " + directory, errno);
  check_owner("the directory " + directory, status);
  if ((status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0)
    refuse(fmt::format("the directory {} may be written by everybody, who could replace the spec: chmod o-w {}",
                       directory, directory));
}

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A link is followed when its owner may be trusted, and then the place that it leads to is judged as well.
void check_way(const std::string& path) {
  check_directory(directory_of(path));
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) throw SystemError("reading " + path, errno);
  if (!S_ISLNK(status.st_mode)) return;
  check_owner("the link " + path, status);
  const Handle<char, &std::free> target{::realpath(path.c_str(), nullptr)};
  if (!target) throw SystemError("reading " + path, errno);
  check_directory(directory_of(target.get()));
}

// What is read, and how much of it.
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

void check_file(const std::string& path, const struct stat& status, SpecTrust trust, const Form& form) {
  if (S_ISDIR(status.st_mode)) refuse(fmt::format("{} is a directory; {} is expected", path, form.what));
  if (!S_ISREG(status.st_mode))
    refuse(path + " is a device, FIFO or socket; a regular file is expected, or - for standard input");
  if (static_cast<std::uint64_t>(status.st_size) > form.limit) refuse_size(path, std::to_string(status.st_size), form);
  if (trust == SpecTrust::anyone) return;
  check_owner(path, status);
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    refuse(fmt::format(
        "{} may be written by others than its owner (mode {:04o}); what it says is done with your rights: chmod go-w {}",
        path, status.st_mode & 07777U, path));
}

std::string read_limited(int fd, const std::string& name, const Form& form, std::size_t about = 0) {
  try {
    return read_all(fd, form.limit, name, about);
  } catch (const SystemError& error) {
    if (error.number() != EFBIG) throw;
    refuse_size(name, fmt::format("more than {}", form.limit), form);
  }
}

std::string read_file(const std::string& path, SpecTrust trust, const Form& form) {
  const std::string doing = "reading " + path;
  const UniqueFd fd{uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); })};
  if (!fd) throw SystemError(doing, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw SystemError(doing, errno);
  check_file(path, status, trust, form);
  return read_limited(fd.get(), path, form, static_cast<std::size_t>(status.st_size));
}

/// Where it really is, every link followed.
std::string real_path(const std::string& path) {
  const Handle<char, &std::free> real{::realpath(path.c_str(), nullptr)};
  if (!real) throw SystemError("reading " + path, errno);
  return real.get();
}

}  // namespace

std::string read_spec(const std::string& path, SpecTrust trust) {
  if (path == "-") return read_limited(STDIN_FILENO, "standard input", spec_form);
  if (trust == SpecTrust::owner_only) check_way(path);
  return read_file(path, trust, spec_form);
}

std::string read_plan_file(const std::string& path) {
  check_way(path);
  return read_file(path, SpecTrust::owner_only, plan_form);
}

/// Who could change the way between the look and the reading is, with owner_only, somebody who is trusted.
std::string read_included(const std::string& directory, const std::string& name, SpecTrust trust) {
  const std::string path = directory + name;
  const std::string real = real_path(path);
  const std::string home = real_path(directory.empty() ? "." : directory);
  if (!real.starts_with(home == "/" ? home : home + "/"))
    refuse(fmt::format("{} leads to {}, out of the directory {} of the spec that includes it: copy the file there",
                       path, real, home));
  if (trust == SpecTrust::owner_only) {
    for (auto slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
      check_way(directory + name.substr(0, slash));
    check_way(path);
  }
  return read_file(path, trust, spec_form);
}

}  // namespace rdmastate
