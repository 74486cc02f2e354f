// SPDX-License-Identifier: Apache-2.0
// Runs commands by turns, A B A B, and says of each run what it took.
//
// bench_timer RUNS OUT COMMAND... [-- COMMAND...]
//   Writes lines `INDEX WALL_US CPU_US RSS_KIB STATUS` to OUT. The commands' own output goes to /dev/null.
//
// A program of its own because the kernel counts into a child's peak memory what its parent had when it forked: this
// one has next to nothing, an interpreter has more than the product.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr int most_commands = 16;

long long now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

long long micro(const timeval& time) { return time.tv_sec * 1000000LL + time.tv_usec; }

[[noreturn]] void become(char** command, int nowhere) {
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::execv(command[0], command);
  std::_Exit(127);
}

bool run(int index, char** command, int nowhere, std::FILE* out) {
  const long long start = now();
  const pid_t child = ::vfork();
  if (child == 0) become(command, nowhere);
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child) return false;
  std::fprintf(out, "%d %lld %lld %ld %d\n", index, now() - start, micro(usage.ru_utime) + micro(usage.ru_stime),
               usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  char** commands[most_commands];
  int count = 0;
  commands[count++] = argv + 3;
  for (int i = 3; i < argc; ++i) {
    if (std::strcmp(argv[i], "--") != 0 || count == most_commands) continue;
    argv[i] = nullptr;
    commands[count++] = argv + i + 1;
  }
  std::FILE* out = std::fopen(argv[2], "we");
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (out == nullptr || nowhere < 0) return 1;
  for (int round = std::atoi(argv[1]); round > 0; --round)
    for (int i = 0; i < count; ++i)
      if (!run(i, commands[i], nowhere, out)) return 1;
  return std::fclose(out) == 0 ? 0 : 1;
}
