// SPDX-License-Identifier: Apache-2.0
#include "sys/changed_root.hpp"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>

namespace rdmastate {
namespace {

bool is_procfs(const char* directory) {
  struct statfs found {};
  return ::statfs(directory, &found) == 0 && found.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

std::string why_changed_root() {
  struct stat own {};
  struct stat init {};
  if (::stat("/", &own) != 0) return {};
  if (::stat("/proc/1/root", &init) == 0) {
    const bool same = own.st_dev == init.st_dev && own.st_ino == init.st_ino;
    return same ? "" : "/ is another directory than process 1 has for its root";
  }
  return errno == ENOENT && !is_procfs("/proc") ? "/proc is not mounted" : "";
}

}  // namespace rdmastate
