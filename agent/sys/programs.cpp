// SPDX-License-Identifier: Apache-2.0
#include "sys/programs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <sstream>

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
/// that a broken pipe, or a file that may not grow, ends the command that writes. Where `has_own_group`, the program
/// also gets a process group of its own.
struct Attributes {
  explicit Attributes(bool has_own_group) {
    ::posix_spawnattr_init(&all);
    sigset_t ignored_here;
    ::sigemptyset(&ignored_here);
    for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaddset(&ignored_here, signal);
    ::posix_spawnattr_setsigdefault(&all, &ignored_here);
    if (has_own_group) ::posix_spawnattr_setpgroup(&all, 0);
    const int group = has_own_group ? POSIX_SPAWN_SETPGROUP : 0;
    ::posix_spawnattr_setflags(&all, static_cast<short>(POSIX_SPAWN_SETSIGDEF | group));
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

// The last four lines of a program's output, for a message: they say why it failed.
std::string last_lines(const std::string& output) {
  constexpr std::size_t most = 4;
  std::vector<std::string> lines;
  std::istringstream all(output);
  for (std::string line; std::getline(all, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(std::move(line));
  if (lines.empty()) return "it said nothing";
  const std::size_t first = lines.size() - std::min(most, lines.size());
  return fmt::format("it said: {}", fmt::join(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(), "; "));
}

std::string end_of(int status) {
  if (status == -1) return "could not be started";
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with {}", WEXITSTATUS(status));
}

// Whether it has ended. Then `status` is set, unless it is no child any more (-1 of waitpid).
bool has_ended(pid_t child, int& status) {
  return uninterrupted([&] { return ::waitpid(child, &status, WNOHANG); }) != 0;
}

// The same, but waits for the end, at most so long.
bool has_ended_within(pid_t child, std::chrono::milliseconds longest, int& status) {
  constexpr std::chrono::milliseconds pause{20};
  constexpr timespec pause_time{0, std::chrono::nanoseconds(pause).count()};
  for (std::chrono::milliseconds waited{0}; waited < longest; waited += pause) {
    if (has_ended(child, status)) return true;
    ::nanosleep(&pause_time, nullptr);
  }
  return has_ended(child, status);
}

// Ends the program's process group, and returns the program's status. SIGTERM comes first: at it ifup takes back its
// note that the interface is up.
int end_group(pid_t child) {
  constexpr std::chrono::seconds grace{10};
  int status = -1;
  ::kill(-child, SIGTERM);
  const bool has_ended_itself = has_ended_within(child, grace, status);
  ::kill(-child, SIGKILL);  // also what the program has started
  return has_ended_itself ? status : wait_for_end(child);
}

// A vector as the kernel takes it: with a nullptr at its end, and it changes none of the words.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const auto& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

// Starts the script; its output goes to memory and not to a pipe, which rdmastate would have to read while it waits. 0:
// it could not be started.
pid_t start_script(const std::vector<std::string>& words, std::vector<std::string> settings, int output,
                   bool has_own_group) {
  settings.emplace_back("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
  const Actions actions(output);
  const Attributes attributes(has_own_group);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, words.front().c_str(), &actions.all, &attributes.all, pointers(words).data(),
                                   pointers(settings).data());
  return failed == 0 ? child : 0;
}

UniqueFd memory_for_output() {
  UniqueFd output{::memfd_create("output", MFD_CLOEXEC)};
  if (!output) throw SystemError("keeping what a program says", errno);
  return output;
}

}  // namespace

std::string how_it_ended(const Ended& ended) {
  if (ended.ended_after.count() != 0)
    return fmt::format("did not end within {} s and was ended; {}", ended.ended_after.count(),
                       last_lines(ended.output));
  return fmt::format("{}; {}", end_of(ended.status), last_lines(ended.output));
}

std::vector<std::string> initrd_program(InitrdProgram program, const std::string& release, const std::string& target) {
  if (program == InitrdProgram::dracut) return {path_of(program), "--force", target, release};
  return {path_of(program), "-u", "-k", release};
}

Ended run_script(const std::vector<std::string>& words) {
  const UniqueFd output = memory_for_output();
  const pid_t child = start_script(words, {}, output.get(), /*has_own_group=*/false);
  if (child == 0) return {};
  const int status = wait_for_end(child);
  return {status, tail_of(output.get())};
}

Ended run_bounded(const std::vector<std::string>& words, std::chrono::seconds longest,
                  const std::vector<std::string>& settings) {
  const UniqueFd output = memory_for_output();
  const pid_t child = start_script(words, settings, output.get(), /*has_own_group=*/true);
  if (child == 0) return {};
  Ended ended;
  if (!has_ended_within(child, longest, ended.status)) {
    ended.status = end_group(child);
    ended.ended_after = longest;
  }
  ended.output = tail_of(output.get());
  return ended;
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
