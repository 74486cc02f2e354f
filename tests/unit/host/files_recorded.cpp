// SPDX-License-Identifier: Apache-2.0
// The contract of Files on the recorded host.
#include "contract/files_contract.hpp"
#include "host/recorded/recorded.hpp"

namespace rdmastate {
namespace {

class RecordedFilesUnderTest final : public FilesUnderTest {
 public:
  Files& files() override { return files_; }
  std::uint32_t user() override { return 0; }
  std::uint32_t group() override { return 0; }
  bool may_give_away() override { return true; }
  void make_node(const std::string& path) override {
    recorded_.model().files[path] = {{FileType::other, 0600, 0, 0}, "", {}};
  }
  std::string stamp(const std::string&) override { return {}; }

 private:
  RecordedHost recorded_{HostModel{}};
  Files& files_ = recorded_.host().files;
};

INSTANTIATE_TEST_SUITE_P(Recorded, FilesContract,
                         testing::Values(FilesFactory{"recorded",
                                                      [] { return std::make_unique<RecordedFilesUnderTest>(); }}),
                         factory_name);

}  // namespace
}  // namespace rdmastate
