// SPDX-License-Identifier: Apache-2.0
#include "sys/older_processes.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "host/process_limits.hpp"
#include "sys/codec/sockets_codec.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t longest_text = 1U << 16U;  // of a file below /proc/PID, in bytes

// Empty: it has ended.
std::string text_of(const Root& root, std::uint32_t pid, const char* file) try {
  return root.read(fmt::format("/proc/{}/{}", pid, file), longest_text).value_or("");
} catch (const Error&) {
  return {};
}

// nullopt: it has ended, or its line ends before the time of its start.
std::optional<codec::ProcessLine> line_of(const Root& root, std::uint32_t pid) {
  auto line = codec::process_from(text_of(root, pid, "stat"));
  return line && line->started != 0 ? line : std::nullopt;
}

std::optional<MemlockLimit> limit_of(const Root& root, std::uint32_t pid) {
  return memlock_from(text_of(root, pid, "limits"));
}

// By the hard limit alone: a process may lower its own soft limit, as Slurm does for a job.
bool may_pin_less(const MemlockLimit& one, const MemlockLimit& other) { return one.hard < other.hard; }

}  // namespace

std::optional<OlderProcesses> older_processes(const Root& root, std::uint32_t main_pid,
                                              std::span<const std::uint32_t> pids) {
  const auto main = line_of(root, main_pid);
  const auto limit = limit_of(root, main_pid);
  if (!main || !limit) return std::nullopt;
  std::optional<OlderProcesses> found;
  for (const auto pid : pids) {
    const auto one = line_of(root, pid);
    if (!one || one->started >= main->started) continue;
    const auto memlock = limit_of(root, pid);
    if (!memlock || !may_pin_less(*memlock, *limit)) continue;
    const std::uint32_t count = found ? found->count + 1 : 1;
    if (!found || may_pin_less(*memlock, found->memlock)) found = OlderProcesses{0, one->command, *memlock};
    found->count = count;
  }
  return found;
}

}  // namespace rdmastate
