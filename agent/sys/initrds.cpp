// SPDX-License-Identifier: Apache-2.0
#include "sys/initrds.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "base/error.hpp"
#include "base/handle.hpp"

namespace rdmastate {
namespace {

struct stat status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw SystemError("looking at " + path, errno);
  return status;
}

// Whether a file was neither replaced nor written between the two looks.
bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

void sync(const std::string& path, int more_flags = 0) {
  const UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | more_flags)};
  if (!file || ::fsync(file.get()) != 0) throw SystemError("syncing " + path, errno);
}

// Renames a file after its bytes are on the disk, and syncs the directory: without that a power cut may bring the old
// image back.
void rename_synced(const std::string& from, const std::string& to) {
  sync(from);
  if (::rename(from.c_str(), to.c_str()) != 0) throw SystemError(fmt::format("renaming {} to {}", from, to), errno);
  sync(to.substr(0, to.rfind('/') + 1), O_DIRECTORY);
}

// The path IMAGE.rdmastate, under which the new image is written. The destructor removes the file unless it was
// renamed.
class Beside {
 public:
  explicit Beside(const std::string& image) : path_(image + ".rdmastate") {}
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

void ProgramInitrds::make(InitrdProgram program, const std::string& release, const std::string& image,
                          const std::string& target) {
  const Ended ended = run_(initrd_program(program, release, target));
  if (ended.status == 0) return;
  throw Error(fmt::format("making {} anew: {} {}", image, path_of(program), how_it_ended(ended)));
}

void ProgramInitrds::rebuild(InitrdProgram program, const std::string& release, const std::string& image) {
  const struct stat before = status_of(image);
  if (program == InitrdProgram::dracut) {
    const Beside beside(image);
    make(program, release, image, beside.path());
    rename_synced(beside.path(), image);
  } else {
    make(program, release, image, image);
  }
  if (is_same(before, status_of(image)))
    throw Error(
        fmt::format("{} ended well and left {} as it was: /boot is read-only, or update_initramfs=no stands in "
                    "/etc/initramfs-tools/update-initramfs.conf; change that, or say initrd: leave",
                    path_of(program), image));
}

}  // namespace rdmastate
