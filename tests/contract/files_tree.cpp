// SPDX-License-Identifier: Apache-2.0
// The contract on a real file system: a tree, by the same code as the live host.
#include <sys/stat.h>
#include <unistd.h>

#include "files_contract.hpp"
#include "sys/tree_host.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

class TreeFiles final : public FilesUnderTest {
 public:
  Files& files() override { return tree_.host.files; }
  std::uint32_t user() override { return ::geteuid(); }
  std::uint32_t group() override { return ::getegid(); }
  bool may_give_away() override { return ::geteuid() == 0; }
  void make_node(const std::string& path) override {
    ASSERT_EQ(::mkfifo((directory_.path().string() + path).c_str(), 0600), 0) << path;
  }
  std::string stamp(const std::string& path) override {
    struct stat status {};
    EXPECT_EQ(::lstat((directory_.path().string() + path).c_str(), &status), 0) << path;
    return std::to_string(status.st_ino) + " " + std::to_string(status.st_ctim.tv_sec) + "." +
           std::to_string(status.st_ctim.tv_nsec) + " " + std::to_string(status.st_mtim.tv_nsec);
  }

 private:
  TemporaryDirectory directory_;
  TreeHost tree_{directory_.path()};
};

INSTANTIATE_TEST_SUITE_P(Tree, FilesContract,
                         testing::Values(FilesFactory{"tree", [] { return std::make_unique<TreeFiles>(); }}),
                         factory_name);

}  // namespace
}  // namespace rdmastate
