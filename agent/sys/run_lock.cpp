// SPDX-License-Identifier: Apache-2.0
#include "sys/run_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>

#include "base/error.hpp"
#include "sys/tree_lock.hpp"

namespace rdmastate {
namespace {

constexpr const char* live_directory = "/run/rdmastate";
constexpr const char* live_path = "/run/rdmastate/lock";
constexpr const char* queue_path = "/run/rdmastate/queue";
constexpr const char* boot_mark = " boot";  // stands behind the process's number in the lock of `apply --boot`
constexpr int lock_flags = O_RDWR | O_CREAT | O_NOFOLLOW;
constexpr mode_t private_mode = 0600;

void make_live_directory(const Root& root) {
  const auto at = root.entry(live_directory);
  if (!at) throw SystemError(std::string("making ") + live_directory, ENOENT);
  if (::mkdirat(at->directory.get(), at->name.c_str(), 0755) != 0 && errno != EEXIST)
    throw SystemError(std::string("making ") + live_directory, errno);
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

// Whether nobody holds the live host's lock: takes it for a moment.
bool is_free(const Root& root) { return try_flock(open_live(root, live_path), root.shown(live_path)); }

// nullopt for what is no number of a process that a run could be: 1 is init.
std::optional<pid_t> process_named(const std::string& number) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), pid);
  if (error != std::errc{} || end != number.data() + number.size() || pid <= 1) return std::nullopt;
  return pid;
}

// What the holder wrote into the live host's lock. Empty for more than 64 bytes: no run writes so many.
std::string said_in_lock(const Root& root) {
  try {
    return root.read(live_path, 64).value_or("");
  } catch (const SystemError& error) {
    if (error.number() != EFBIG) throw;
    return {};
  }
}

}  // namespace

std::optional<RunLock> RunLock::try_queue(const Root& root) {
  UniqueFd fd = open_live(root, queue_path);
  if (!try_flock(fd, root.shown(queue_path))) return std::nullopt;
  return RunLock(std::move(fd));
}

std::optional<RunLock> RunLock::try_acquire(const Root& root, Purpose purpose) {
  if (!root.is_live()) {
    auto held = tree_lock::try_take(root);
    return held ? std::optional(RunLock(std::move(held->tree), std::move(held->beside))) : std::nullopt;
  }
  UniqueFd fd = open_live(root, live_path);
  if (!try_flock(fd, root.shown(live_path))) return std::nullopt;
  if (::ftruncate(fd.get(), 0) != 0) throw SystemError(std::string("writing ") + live_path, errno);
  write_all(fd.get(), std::to_string(::getpid()) + (purpose == Purpose::boot ? boot_mark : "") + "\n", live_path);
  return RunLock(std::move(fd));
}

RunLock::Holder RunLock::holder(const Root& root) {
  if (!root.is_live()) return {tree_lock::holder(root), Purpose::person};
  const std::string text = said_in_lock(root);
  return {text.substr(0, text.find_first_of(" \n")),
          text.find(boot_mark) == std::string::npos ? Purpose::person : Purpose::boot};
}

// The number may belong to another process by now: so a pidfd holds the process while the lock is looked at again,
// before the kill. Before Linux 5.3 there is no pidfd_open(2), and the process is killed by its number.
void RunLock::end_holder(const Root& root) {
  const std::string named = holder(root).process;
  const auto pid = process_named(named);
  if (!pid) return;
  const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
  const bool by_number = !process && errno == ENOSYS;
  if (!process && !by_number && errno != ESRCH) throw SystemError("opening process " + named, errno);
  const bool has_ended = !process && !by_number;
  if (has_ended || holder(root).process != named || is_free(root)) return;
  const long killed =
      by_number ? ::kill(*pid, SIGKILL) : ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
  if (killed != 0 && errno != ESRCH) throw SystemError("killing process " + named, errno);
}

}  // namespace rdmastate
