// SPDX-License-Identifier: Apache-2.0
#include "sys/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <sstream>

#include "base/error.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

constexpr const char* live_directory = "/run/rdmastate";
constexpr const char* live_path = "/run/rdmastate/lock";
constexpr const char* queue_path = "/run/rdmastate/queue";
constexpr const char* boot_mark = " boot";
constexpr int lock_flags = O_RDWR | O_CREAT | O_NOFOLLOW;
constexpr mode_t private_mode = 0600;

void make_live_directory(const Root& root) {
  const auto at = root.entry(live_directory);
  if (!at) throw SystemError(std::string("making ") + live_directory, ENOENT);
  if (::mkdirat(at->directory.get(), at->name.c_str(), 0755) != 0 && errno != EEXIST)
    throw SystemError(std::string("making ") + live_directory, errno);
}

// Through a hard link a write here would change another file.
void refuse_links(const UniqueFd& fd, const char* path) {
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw SystemError(std::string("looking at ") + path, errno);
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1)
    throw SystemError(std::string("opening ") + path + ", which is not a regular file with one name", EMLINK);
}

UniqueFd open_live(const Root& root, const char* path) {
  UniqueFd fd = root.open(path, lock_flags, private_mode);
  if (!fd) {
    make_live_directory(root);
    fd = root.open(path, lock_flags, private_mode);
  }
  if (!fd) throw SystemError(std::string("opening ") + path, ENOENT);
  refuse_links(fd, path);
  return fd;
}

/// A tree is locked at its root directory: a lock file would be left in the image.
UniqueFd open_tree(const Root& root) { return root.open("/", O_RDONLY | O_DIRECTORY); }

bool try_flock(const UniqueFd& fd, const std::string& shown) {
  if (uninterrupted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) == 0) return true;
  if (errno != EWOULDBLOCK) throw SystemError("locking " + shown, errno);
  return false;
}

bool is_free(const Root& root) { return try_flock(open_live(root, live_path), root.shown(live_path)); }

std::optional<pid_t> process_named(const std::string& number) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), pid);
  if (error != std::errc{} || end != number.data() + number.size() || pid <= 1) return std::nullopt;
  return pid;
}

// No run writes a longer text.
std::string said_in_lock(const Root& root) {
  try {
    return root.read(live_path, 64).value_or("");
  } catch (const SystemError& error) {
    if (error.number() != EFBIG) throw;
    return {};
  }
}

// "12: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF" (proc_locks(5)): a process that waits has "->" behind the number.
std::string process_in_locks(std::string_view line, const std::string& file) {
  std::istringstream words{std::string(line)};
  std::string number, kind, form, access, process, where;
  words >> number >> kind >> form >> access >> process >> where;
  return kind == "FLOCK" && where == file ? process : std::string();
}

// A tree has no lock file. Empty where the kernel lists the file system under another device number.
std::string holder_of_tree(const Root& root) {
  const UniqueFd fd = open_tree(root);
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0) return {};
  const std::string file = fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::string process;
  for_lines(Root("/").read("/proc/locks", 16U << 20U).value_or(""), [&](std::string_view line) {
    if (process.empty()) process = process_in_locks(line, file);
  });
  return process;
}

}  // namespace

std::optional<RunLock> RunLock::try_queue(const Root& root) {
  UniqueFd fd = open_live(root, queue_path);
  if (!try_flock(fd, root.shown(queue_path))) return std::nullopt;
  return RunLock(std::move(fd));
}

std::optional<RunLock> RunLock::try_acquire(const Root& root, Purpose purpose) {
  UniqueFd fd = root.is_live() ? open_live(root, live_path) : open_tree(root);
  if (!try_flock(fd, root.shown(root.is_live() ? live_path : "/"))) return std::nullopt;
  if (root.is_live()) {
    if (::ftruncate(fd.get(), 0) != 0) throw SystemError(std::string("writing ") + live_path, errno);
    write_all(fd.get(), std::to_string(::getpid()) + (purpose == Purpose::boot ? boot_mark : "") + "\n", live_path);
  }
  return RunLock(std::move(fd));
}

RunLock::Holder RunLock::holder(const Root& root) {
  if (!root.is_live()) return {holder_of_tree(root), Purpose::person};
  const std::string text = said_in_lock(root);
  return {text.substr(0, text.find_first_of(" \n")),
          text.find(boot_mark) == std::string::npos ? Purpose::person : Purpose::boot};
}

// The number may be another process's by now: what pidfd_open(2) holds is looked at again before it is killed. Linux
// has that since 5.3; before it, the number has to do.
void RunLock::end_holder(const Root& root) {
  const std::string named = holder(root).process;
  const auto pid = process_named(named);
  if (!pid) return;
  const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
  const bool by_number = !process && errno == ENOSYS;
  if (!process && !by_number && errno != ESRCH) throw SystemError("opening process " + named, errno);
  if ((!process && !by_number) || holder(root).process != named || is_free(root)) return;
  const long killed =
      by_number ? ::kill(*pid, SIGKILL) : ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
  if (killed != 0 && errno != ESRCH) throw SystemError("killing process " + named, errno);
}

}  // namespace rdmastate
