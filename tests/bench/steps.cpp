// SPDX-License-Identifier: Apache-2.0
// Which instructions of a program a run of it executes: for tests/bench/order, once in a while.
//
// bench_steps OUT COMMAND...
//   Steps through the command and writes to OUT the offset in its file of every instruction of its own that it
//   executed, one per line, in the order in which they first were. Takes seconds for what otherwise takes a
//   millisecond.
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Text {
  std::uint64_t start = 0;   ///< where the program's executable mapping is
  std::uint64_t offset = 0;  ///< and from where in its file
  std::vector<bool> seen;

  bool is_new(std::uint64_t address) {
    if (address < start || address - start >= seen.size() || seen[address - start]) return false;
    return seen[address - start] = true;
  }
};

[[noreturn]] void become(char** command) {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  ::execv(command[0], command);
  std::_Exit(127);
}

// The first executable mapping after an exec is the program's own; the dynamic linker's comes later.
Text text_of(pid_t child) {
  char path[64];
  char line[4352];
  std::snprintf(path, sizeof path, "/proc/%d/maps", static_cast<int>(child));
  std::FILE* maps = std::fopen(path, "r");
  Text text;
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long long start = 0;
    unsigned long long end = 0;
    unsigned long long offset = 0;
    if (std::sscanf(line, "%llx-%llx r-xp %llx", &start, &end, &offset) != 3) continue;
    text = {start, offset, std::vector<bool>(end - start)};
    break;
  }
  if (maps != nullptr) std::fclose(maps);
  return text;
}

int step_through(pid_t child, std::FILE* out) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 1;
  Text text = text_of(child);
  while (WIFSTOPPED(status)) {
    user_regs_struct registers{};
    if (::ptrace(PTRACE_GETREGS, child, nullptr, &registers) != 0) return 1;
    if (text.is_new(registers.rip))
      std::fprintf(out, "%llx\n", static_cast<unsigned long long>(registers.rip - text.start + text.offset));
    if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return 1;
    if (::waitpid(child, &status, 0) != child) return 1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  std::FILE* out = std::fopen(argv[1], "w");
  if (out == nullptr) return 1;
  ::personality(ADDR_NO_RANDOMIZE);
  const pid_t child = ::fork();
  if (child == 0) become(argv + 2);
  const int code = step_through(child, out);
  return std::fclose(out) == 0 ? code : 1;
}
