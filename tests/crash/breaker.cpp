// SPDX-License-Identifier: Apache-2.0
// Runs a program and breaks it at one of its system calls, as `strace -e inject` does, in a tenth of the time: the
// kernel stops the program at the calls that are named and at no other.
//
//   breaker list FILE NAME...             runs it unharmed; FILE gets the names of these calls, one per line
//   breaker kill NAME:N...                it dies when it makes its N-th call of that name, before that is executed
//   breaker ERRNO NAME:N[+]...            that call fails with this number and is not executed; N+: so do all behind it
//
// Behind these words stand `--` and the program with its arguments. Ends as that does: 128 and the signal that killed
// it.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

#define CALL(name) \
  { #name, SYS_##name }
const std::map<std::string, long> known{
    CALL(access),          CALL(chmod),       CALL(chown),        CALL(close),
    CALL(copy_file_range), CALL(dup),         CALL(faccessat),    CALL(faccessat2),
    CALL(fallocate),       CALL(fchmod),      CALL(fchmodat),     CALL(fchown),
    CALL(fchownat),        CALL(fcntl),       CALL(fdatasync),    CALL(fgetxattr),
    CALL(flistxattr),      CALL(flock),       CALL(fremovexattr), CALL(fsetxattr),
    CALL(fstat),           CALL(fstatfs),     CALL(fsync),        CALL(ftruncate),
    CALL(getcwd),          CALL(getdents64),  CALL(getrandom),    CALL(getxattr),
    CALL(ioctl),           CALL(lchown),      CALL(lgetxattr),    CALL(link),
    CALL(linkat),          CALL(listxattr),   CALL(llistxattr),   CALL(lseek),
    CALL(lstat),           CALL(mkdir),       CALL(mkdirat),      CALL(mmap),
    CALL(newfstatat),      CALL(open),        CALL(openat),       CALL(openat2),
    CALL(pread64),         CALL(pwrite64),    CALL(read),         CALL(readlink),
    CALL(readlinkat),      CALL(removexattr), CALL(rename),       CALL(renameat),
    CALL(renameat2),       CALL(rmdir),       CALL(setxattr),     CALL(stat),
    CALL(statfs),          CALL(statx),       CALL(symlink),      CALL(symlinkat),
    CALL(sync_file_range), CALL(syncfs),      CALL(truncate),     CALL(unlink),
    CALL(unlinkat),        CALL(utimensat),   CALL(write),
};
#undef CALL

struct Watched {
  std::string name;
  unsigned long first = 0;  ///< which call is broken; 0: none
  bool lasting = false;     ///< and all behind it
  unsigned long seen = 0;
};
using Calls = std::map<long, Watched>;  // by the call's number

struct Order {
  int number = 0;  ///< what a broken call fails with; 0: the program dies
  std::FILE* list = nullptr;
  Calls calls;
  char** command = nullptr;
};

[[noreturn]] void usage(std::string_view what) {
  std::fprintf(stderr, "breaker: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(125);
}

void watch(Calls& calls, const std::string& word) {
  const auto colon = word.find(':');
  Watched one{word.substr(0, colon)};
  const auto call = known.find(one.name);
  if (call == known.end()) usage("it does not know the system call " + one.name);
  if (colon != std::string::npos) {
    one.first = std::strtoul(word.c_str() + colon + 1, nullptr, 10);
    one.lasting = word.back() == '+';
  }
  calls.emplace(call->second, std::move(one));
}

Order read_order(int argc, char** argv) {
  Order order;
  int at = 1;
  const std::string what = argc > at ? argv[at++] : "";
  if (what == "list") {
    order.list = argc > at ? std::fopen(argv[at++], "w") : nullptr;
    if (order.list == nullptr) usage("it cannot write the list");
  } else if (what != "kill") {
    order.number = std::atoi(what.c_str());
    if (order.number <= 0) usage("it needs list, kill or an errno");
  }
  for (; at < argc && std::string_view(argv[at]) != "--"; ++at) watch(order.calls, argv[at]);
  if (at + 1 >= argc) usage("it needs `--` and a program");
  order.command = argv + at + 1;
  return order;
}

// Of the calls that are watched the kernel tells us, of all others nobody.
void install_filter(const Calls& calls) {
  std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const auto& [call, watched] : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(call), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) std::_Exit(125);  // it needs root
}

[[noreturn]] void become_the_program(const Order& order) {
  ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  ::raise(SIGSTOP);
  install_filter(order.calls);
  ::setenv("LSAN_OPTIONS", "detect_leaks=0", 1);  // LeakSanitizer needs to be its process's only tracer
  ::execv(order.command[0], order.command);
  std::_Exit(127);
}

bool is_broken(Watched& one) {
  ++one.seen;
  return one.first != 0 && (one.seen == one.first || (one.lasting && one.seen > one.first));
}

// The program stands before the call. Without its number it is not executed, and what it returns is what stands there.
void at_call(pid_t pid, Order& order) {
  user_regs_struct registers{};
  ::ptrace(PTRACE_GETREGS, pid, nullptr, &registers);
  const auto found = order.calls.find(static_cast<long>(registers.orig_rax));
  if (found == order.calls.end()) return;
  if (order.list != nullptr) std::fprintf(order.list, "%s\n", found->second.name.c_str());
  if (!is_broken(found->second)) return;
  if (order.number == 0) {
    ::kill(pid, SIGKILL);
    return;
  }
  registers.orig_rax = static_cast<unsigned long long>(-1);
  registers.rax = static_cast<unsigned long long>(-static_cast<long long>(order.number));
  ::ptrace(PTRACE_SETREGS, pid, nullptr, &registers);
}

int follow(pid_t pid, Order& order) {
  bool is_running = false;  // what comes before the program itself is not counted
  for (int status = 0; ::waitpid(pid, &status, 0) == pid;) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    const int event = status >> 16;
    if (event == PTRACE_EVENT_EXEC) is_running = true;
    if (event == PTRACE_EVENT_SECCOMP && is_running) at_call(pid, order);
    const int passed_on =
        event != 0 || WSTOPSIG(status) == SIGSTOP || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    ::ptrace(PTRACE_CONT, pid, nullptr, static_cast<long>(passed_on));
  }
  return 125;
}

}  // namespace

int main(int argc, char** argv) {
  Order order = read_order(argc, argv);
  const pid_t pid = ::fork();
  if (pid == 0) become_the_program(order);
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) usage("it cannot start the program");
  ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC);
  ::ptrace(PTRACE_CONT, pid, nullptr, nullptr);
  const int code = follow(pid, order);
  if (order.list != nullptr && std::fclose(order.list) != 0) return 125;
  return code;
}
