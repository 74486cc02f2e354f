// SPDX-License-Identifier: Apache-2.0
// What a restart of a service left running, read in a tree that looks like procfs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "sys/older_processes.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mib = 1024 * MemorySize::kib;

class OlderProcessesTest : public testing::Test {
 protected:
  // A process that was started so many ticks after the boot; its limits in MiB.
  void put(std::uint32_t pid, const std::string& command, int started, std::uint64_t soft, std::uint64_t hard) {
    const fs::path process = directory.path() / "proc" / std::to_string(pid);
    fs::create_directories(process);
    std::ofstream(process / "stat") << fmt::format("{} ({}) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 {} 0 0\n", pid,
                                                   command, started);
    std::ofstream(process / "limits") << fmt::format("Max locked memory {} {} bytes\n", soft * mib, hard * mib);
  }
  std::optional<OlderProcesses> find() const {
    return older_processes(root, 800, std::array<std::uint32_t, 5>{800, 801, 802, 803, 804});
  }

  TemporaryDirectory directory;
  Root root{directory.path()};
};

TEST_F(OlderProcessesTest, AreThoseOfAnEarlierStartThatMayPinLess) {
  put(800, "containerd", 5000, 1024, 2048);
  put(801, "containerd-shim", 100, 8, 8);
  put(802, "containerd-shim", 6000, 8, 8);  // started by this containerd, which set so
  put(803, "containerd-shim", 200, 1024, 2048);
  EXPECT_EQ(find(), (OlderProcesses{1, "containerd-shim", {{8 * mib}, {8 * mib}}}));
}

TEST_F(OlderProcessesTest, AreCountedAndTheOneWithTheLowestLimitIsTold) {
  put(800, "slurmd", 5000, 1024, 2048);
  put(801, "a", 100, 16, 16);
  put(802, "b", 100, 8, 8);
  put(803, "c", 100, 64, 64);
  EXPECT_EQ(find(), (OlderProcesses{3, "b", {{8 * mib}, {8 * mib}}}));
}

// A job has the soft limit of the shell that submitted it.
TEST_F(OlderProcessesTest, ThatLoweredTheirSoftLimitThemselvesAreNone) {
  put(800, "slurmd", 5000, 1024, 2048);
  put(801, "job", 100, 1, 2048);
  EXPECT_EQ(find(), std::nullopt);
}

TEST_F(OlderProcessesTest, ThatHaveEndedAreNone) {
  EXPECT_EQ(find(), std::nullopt);
  put(800, "slurmd", 5000, 1024, 2048);
  EXPECT_EQ(find(), std::nullopt);
}

}  // namespace
}  // namespace rdmastate
