// SPDX-License-Identifier: Apache-2.0
#include "sys/programs.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/root.hpp"

namespace rdmastate {
namespace {

/// Where udevd listens to udevadm control; there while it runs.
constexpr const char* udev_control = "/run/udev/control";

struct Actions {
  Actions() {
    ::posix_spawn_file_actions_init(&all);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&all, fd, "/dev/null", O_RDWR, 0);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { ::posix_spawn_file_actions_destroy(&all); }
  posix_spawn_file_actions_t all{};
};

}  // namespace

int run_program(const Program& program) {
  const Actions actions;
  std::array<char*, 1> environment{nullptr};
  pid_t child = 0;
  // POSIX takes both vectors as pointers to mutable strings and changes neither.
  auto* const words = const_cast<char* const*>(program.data());
  if (::posix_spawn(&child, program.front(), &actions.all, nullptr, words, environment.data()) != 0) return -1;
  int status = -1;
  const pid_t ended = uninterrupted([&] { return ::waitpid(child, &status, 0); });
  return ended == child ? status : -1;
}

void ProgramUdev::reload_rules() {
  if (::access(udev_control, F_OK) == 0) run_program(udevadm_reload);
}

}  // namespace rdmastate
