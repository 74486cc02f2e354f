// SPDX-License-Identifier: Apache-2.0
#include "sys/changed_root.hpp"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>
#include <optional>

namespace rdmastate {
namespace {

bool is_procfs(const char* directory) {
  struct statfs found {};
  return ::statfs(directory, &found) == 0 && found.f_type == PROC_SUPER_MAGIC;
}

// nullopt, with errno of stat(2): process 1 does not show its root.
std::optional<bool> is_root_of_process_1() {
  struct stat own {};
  struct stat init {};
  if (::stat("/", &own) != 0 || ::stat("/proc/1/root", &init) != 0) return std::nullopt;
  return own.st_dev == init.st_dev && own.st_ino == init.st_ino;
}

}  // namespace

std::string why_changed_root() {
  if (const auto is_same = is_root_of_process_1())
    return *is_same ? "" : "/ is another directory than process 1 has for its root";
  const bool is_missing = errno == ENOENT;  // of /proc/1/root; EACCES: only root may see it
  return is_missing && !is_procfs("/proc") ? "/proc is not mounted" : "";
}

bool is_running_root() { return is_root_of_process_1().value_or(false); }

}  // namespace rdmastate
