// SPDX-License-Identifier: Apache-2.0
// What every implementation of Files does. The cases are in test_files_contract.cpp; an implementation joins by one
// .cpp with a FilesUnderTest of its own and
//   INSTANTIATE_TEST_SUITE_P(Recorded, FilesContract, testing::Values(FilesFactory{"recorded", [] { return ...; }}),
//   factory_name);
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "host/files.hpp"

namespace rdmastate {

/// One empty host's files, and the means to arrange and inspect them that Files itself does not have.
class FilesUnderTest {
 public:
  virtual ~FilesUnderTest() = default;
  virtual Files& files() = 0;
  /// Whom a file made here may belong to: any user where the test may give files away.
  virtual std::uint32_t user() = 0;
  virtual std::uint32_t group() = 0;
  virtual bool may_give_away() = 0;
  /// Makes what is neither file, link nor directory, as a kernel makes a device node.
  virtual void make_node(const std::string& path) = 0;
  /// Changes whenever the path's file is written, renamed over, or has its times set; "" where there is no such thing.
  virtual std::string stamp(const std::string& path) = 0;
};

struct FilesFactory {
  std::string name;
  std::function<std::unique_ptr<FilesUnderTest>()> make;
};

inline std::string factory_name(const testing::TestParamInfo<FilesFactory>& info) { return info.param.name; }
inline void PrintTo(const FilesFactory& factory, std::ostream* out) { *out << factory.name; }

class FilesContract : public testing::TestWithParam<FilesFactory> {
 protected:
  FilesContract() { files.replace("/etc", directory()); }

  FileContent regular(const std::string& bytes, std::uint32_t mode = 0644) {
    return {{FileType::regular, mode, host->user(), host->group()}, bytes, {}};
  }
  FileContent directory(std::uint32_t mode = 0755) {
    return {{FileType::directory, mode, host->user(), host->group()}, "", {}};
  }
  FileContent link(const std::string& target) {
    return {{FileType::symlink, 0777, host->user(), host->group()}, target, {}};
  }

  /// The errno that `work` throws, whose message must name `path`; 0 when it throws nothing.
  template <class Work>
  static int refusal(const std::string& path, Work&& work) {
    try {
      work();
    } catch (const SystemError& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      return error.number();
    }
    return 0;
  }

  std::unique_ptr<FilesUnderTest> host = GetParam().make();
  Files& files = host->files();
};

}  // namespace rdmastate
