// SPDX-License-Identifier: Apache-2.0
// How an initrd is made anew: by the distribution's program, and the old image stays until the new one is whole.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "sys/initrds.hpp"
#include "temporary_directory.hpp"

namespace {

// What fsync() was called for, in this order, each with how many bytes the file had.
std::vector<std::pair<std::string, std::uintmax_t>>& synced() {
  static std::vector<std::pair<std::string, std::uintmax_t>> calls;
  return calls;
}

}  // namespace

// Stands in the C library's place in this test program: no file can be asked whether it was synced.
extern "C" int fsync(int fd) {
  const std::string path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd)).string();
  synced().emplace_back(path, std::filesystem::is_regular_file(path) ? std::filesystem::file_size(path) : 0);
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace rdmastate {
namespace {

constexpr int ended_with_1 = 1 << 8;  // as waitpid(2) has it

class InitrdsTest : public testing::Test {
 protected:
  InitrdsTest() { write(image, "old"); }

  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  std::string bytes() const {
    std::ostringstream all;
    all << std::ifstream(image).rdbuf();
    return all.str();
  }
  // What is said instead of making it.
  std::string complaint_of(InitrdProgram program, ProgramInitrds::Run run) const {
    try {
      ProgramInitrds(std::move(run)).rebuild(program, "6.1.0", image);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(directory.path()), {}));
  }

  TemporaryDirectory directory;
  std::string image = directory.path() / "initrd.img";
};

TEST_F(InitrdsTest, OfDracutIsRenamedWhenItIsWhole) {
  std::vector<std::string> asked;
  EXPECT_EQ(complaint_of(InitrdProgram::dracut,
                         [&](const auto& words) {
                           asked = words;
                           write(words[2], "new");
                           EXPECT_EQ(bytes(), "old");
                           return Ended{0, ""};
                         }),
            "");
  EXPECT_EQ(asked, (std::vector<std::string>{"/usr/bin/dracut", "--force", image + ".rdmastate", "6.1.0"}));
  EXPECT_EQ(bytes(), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(InitrdsTest, OfDracutIsSyncedBeforeItIsRenamed) {
  const std::string complaint = complaint_of(InitrdProgram::dracut, [](const auto& words) {
    std::filesystem::create_symlink("/proc/self/stat", words[2]);  // what cannot be synced
    return Ended{0, ""};
  });
  EXPECT_NE(complaint.find("syncing " + image), std::string::npos) << complaint;
  EXPECT_EQ(bytes(), "old");
  EXPECT_EQ(files(), 1U);
}

// A power cut may undo a rename whose directory is not synced.
TEST_F(InitrdsTest, OfDracutIsRenamedForGood) {
  synced().clear();
  EXPECT_EQ(complaint_of(InitrdProgram::dracut,
                         [&](const auto& words) {
                           write(words[2], "new");
                           return Ended{0, ""};
                         }),
            "");
  const std::vector<std::pair<std::string, std::uintmax_t>> expected{{image + ".rdmastate", 3},
                                                                     {directory.path().string(), 0}};
  EXPECT_EQ(synced(), expected);
}

TEST_F(InitrdsTest, ThatFailsLeavesTheOldOneAndSaysWhatTheProgramSaid) {
  for (const auto program : {InitrdProgram::dracut, InitrdProgram::update_initramfs}) {
    const std::string complaint = complaint_of(program, [&](const auto& words) {
      if (program == InitrdProgram::dracut) write(words[2], "ha");
      return Ended{ended_with_1, "one\ntwo\n\nthree\nfour\nNo space left on device\n"};
    });
    EXPECT_NE(complaint.find("ended with 1; it said: two; three; four; No space left on device"), std::string::npos)
        << complaint;
    EXPECT_EQ(bytes(), "old");
    EXPECT_EQ(files(), 1U);
  }
}

TEST_F(InitrdsTest, ThatEndedWellAndMadeNothingIsAFailure) {
  const std::string complaint = complaint_of(InitrdProgram::update_initramfs, [](const auto&) {
    return Ended{0, "not updating\n"};
  });
  EXPECT_NE(complaint.find("left " + image + " as it was"), std::string::npos) << complaint;
}

TEST_F(InitrdsTest, OfUpdateInitramfsIsItsOwnToWrite) {
  EXPECT_EQ(
      complaint_of(InitrdProgram::update_initramfs,
                   [&](const auto& words) {
                     EXPECT_EQ(words, (std::vector<std::string>{"/usr/sbin/update-initramfs", "-u", "-k", "6.1.0"}));
                     write(image, "newer");
                     return Ended{0, ""};
                   }),
      "");
  EXPECT_EQ(bytes(), "newer");
}

TEST(Programs, AreHeardToTheirEnd) {
  const Ended ended = run_script({"/bin/sh", "-c", "echo \"$PATH\"; echo error >&2; exit 3"});
  EXPECT_EQ(ended.status, 3 << 8);
  EXPECT_EQ(ended.output, "/usr/sbin:/usr/bin:/sbin:/bin\nerror\n");
}

TEST(Programs, FindTheirSettings) {
  const std::vector<std::string> words{"/bin/sh", "-c", "echo \"$PATH $SYSTEMD_OFFLINE\""};
  const Ended ended = run_bounded(words, std::chrono::minutes(1), {"SYSTEMD_OFFLINE=1"});
  EXPECT_EQ(ended.output, "/usr/sbin:/usr/bin:/sbin:/bin 1\n");
}

TEST(Programs, ThatAreNotThereAreNotStarted) {
  EXPECT_EQ(run_script({"/nonexistent/dracut"}).status, -1);
  EXPECT_EQ(run_program({"/nonexistent/udevadm", nullptr, nullptr, nullptr}), -1);
  EXPECT_EQ(run_program({"/bin/true", nullptr, nullptr, nullptr}), 0);
}

}  // namespace
}  // namespace rdmastate
