// SPDX-License-Identifier: Apache-2.0
#include "sys/programs.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/error.hpp"
#include "base/handle.hpp"
#include "sys/root.hpp"

namespace rdmastate {
namespace {

/// The socket on which udevd listens to `udevadm control`. It exists while udevd runs.
constexpr const char* udev_control = "/run/udev/control";

/// Gives the program /dev/null for its standard streams, or `output` for stdout and stderr.
struct Actions {
  Actions() {
    ::posix_spawn_file_actions_init(&all);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&all, fd, "/dev/null", O_RDWR, 0);
  }
  explicit Actions(int output) : Actions() {
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) ::posix_spawn_file_actions_adddup2(&all, output, fd);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { ::posix_spawn_file_actions_destroy(&all); }
  posix_spawn_file_actions_t all{};
};

/// Gives the program the default actions of SIGPIPE and SIGXFSZ, which rdmastate itself ignores: a shell script expects
/// that a broken pipe, or a file that may not grow, ends the command that writes.
struct Attributes {
  Attributes() {
    ::posix_spawnattr_init(&all);
    sigset_t ignored_here;
    ::sigemptyset(&ignored_here);
    for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaddset(&ignored_here, signal);
    ::posix_spawnattr_setsigdefault(&all, &ignored_here);
    ::posix_spawnattr_setflags(&all, POSIX_SPAWN_SETSIGDEF);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&all); }
  posix_spawnattr_t all{};
};

/// The status of waitpid(2); -1 where it fails.
int wait_for_end(pid_t child) {
  int status = -1;
  const pid_t ended = uninterrupted([&] { return ::waitpid(child, &status, 0); });
  return ended == child ? status : -1;
}

/// The last bytes of what was written to the file.
std::string tail_of(int fd) {
  constexpr off_t most = 2048;
  const off_t size = ::lseek(fd, 0, SEEK_END);
  ::lseek(fd, std::max<off_t>(0, size - most), SEEK_SET);
  return read_all(fd, static_cast<std::size_t>(most), "what the program said");
}

}  // namespace

std::vector<std::string> initrd_program(InitrdProgram program, const std::string& release, const std::string& target) {
  if (program == InitrdProgram::dracut) return {path_of(program), "--force", target, release};
  return {path_of(program), "-u", "-k", release};
}

// The output goes to memory and not to a pipe, which rdmastate would have to read while it waits.
Ended run_script(const std::vector<std::string>& words) {
  const UniqueFd output{::memfd_create("output", MFD_CLOEXEC)};
  if (!output) throw SystemError("keeping what a program says", errno);
  const Actions actions(output.get());
  std::string path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
  std::array<char*, 2> environment{path.data(), nullptr};
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const Attributes attributes;
  pid_t child = 0;
  if (::posix_spawn(&child, arguments.front(), &actions.all, &attributes.all, arguments.data(), environment.data()) !=
      0)
    return {};
  const int status = wait_for_end(child);
  return {status, tail_of(output.get())};
}

int run_program(const Program& program) {
  const Actions actions;
  std::array<char*, 1> environment{nullptr};
  pid_t child = 0;
  // POSIX takes both vectors as pointers to mutable strings and changes neither.
  auto* const words = const_cast<char* const*>(program.data());
  if (::posix_spawn(&child, program.front(), &actions.all, nullptr, words, environment.data()) != 0) return -1;
  return wait_for_end(child);
}

void ProgramUdev::reload_rules() {
  if (::access(udev_control, F_OK) == 0) run_program(udevadm_reload);
}

}  // namespace rdmastate
