// SPDX-License-Identifier: Apache-2.0
// Which spec files are trusted.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "sys/spec_source.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

namespace fs = std::filesystem;

class SpecSource : public testing::Test {
 protected:
  SpecSource() {
    std::ofstream(spec) << "version: 1\n";
    fs::permissions(spec, fs::perms{0644});
  }
  /// The refusal's text; "" when it was read.
  static std::string refusal(const std::string& path, SpecTrust trust = SpecTrust::owner_only) {
    try {
      read_spec(path, trust);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_spec) << error.what();
      return error.what();
    }
  }
  TemporaryDirectory directory;
  std::string spec = directory.path() / "host.yaml";
};

TEST_F(SpecSource, ReadsAFileOfOurs) { EXPECT_EQ(read_spec(spec, SpecTrust::owner_only), "version: 1\n"); }

TEST_F(SpecSource, RefusesWhatOthersMayWrite) {
  for (const unsigned mode : {0664U, 0646U}) {
    fs::permissions(spec, fs::perms{mode});
    EXPECT_NE(refusal(spec).find("chmod go-w " + spec), std::string::npos);
    EXPECT_EQ(refusal(spec, SpecTrust::anyone), "");
    EXPECT_EQ(refusal(spec, SpecTrust::group_too).empty(), mode == 0664U);
  }
}

TEST_F(SpecSource, WarnsOfWritersOfWhatIsReadAllTheSame) {
  fs::permissions(spec, fs::perms{0664});
  std::string told;
  const SpecWarning warn = [&](const std::string& sentence) { told = sentence; };
  for (const SpecTrust trust : {SpecTrust::group_too, SpecTrust::anyone}) {
    told.clear();
    read_spec(spec, trust, warn);
    EXPECT_NE(told.find("(mode 0664): apply refuses it before chmod go-w " + spec), std::string::npos) << told;
  }
}

TEST_F(SpecSource, RefusesADirectoryThatEverybodyMayWrite) {
  fs::permissions(directory.path(), fs::perms{0777});
  EXPECT_NE(refusal(spec).find("who could replace the spec: chmod go-w"), std::string::npos);
  fs::permissions(directory.path(), fs::perms{01777});
  EXPECT_EQ(refusal(spec), "");
}

TEST_F(SpecSource, JudgesTheGroupOfADirectoryAsThatOfAFile) {
  fs::permissions(directory.path(), fs::perms{0775});
  EXPECT_NE(refusal(spec).find("(mode 0775), who could replace the spec"), std::string::npos) << refusal(spec);
  EXPECT_EQ(refusal(spec, SpecTrust::group_too), "");
  std::string told;
  read_spec(spec, SpecTrust::group_too, [&](const std::string& sentence) { told = sentence; });
  EXPECT_NE(told.find("(mode 0775): apply refuses it before chmod go-w " + directory.path().string()),
            std::string::npos)
      << told;
  fs::permissions(directory.path(), fs::perms{01775});
  EXPECT_EQ(refusal(spec), "") << "in a sticky directory nobody replaces the file of another";
}

TEST_F(SpecSource, JudgesWhereALinkLeads) {
  fs::create_directory(directory.path() / "open");
  fs::copy(spec, directory.path() / "open/host.yaml");
  fs::permissions(directory.path() / "open", fs::perms{0777});
  fs::create_symlink("open/host.yaml", directory.path() / "link");
  EXPECT_NE(refusal(directory.path() / "link").find("/open"), std::string::npos);
  fs::permissions(directory.path() / "open", fs::perms{0755});
  EXPECT_EQ(refusal(directory.path() / "link"), "");
}

TEST_F(SpecSource, JudgesEveryDirectoryAndLinkOnTheWay) {
  fs::create_directories(directory.path() / "open/deep/down");
  fs::copy(spec, directory.path() / "open/deep/down/host.yaml");
  fs::create_directory_symlink("open/deep", directory.path() / "first");
  fs::create_symlink("first/down/host.yaml", directory.path() / "link");
  for (const char* name :
       {"open/deep/down/host.yaml", "first/down/host.yaml", "link", "open/deep/../deep/down/host.yaml"}) {
    EXPECT_EQ(refusal(directory.path() / name), "") << name;
    fs::permissions(directory.path() / "open", fs::perms{0777});
    EXPECT_NE(refusal(directory.path() / name).find("/open may be written by others than its owner (mode 0777)"),
              std::string::npos)
        << name;
    fs::permissions(directory.path() / "open", fs::perms{0755});
  }
  fs::create_symlink("round", directory.path() / "round");
  EXPECT_THROW(read_spec(directory.path() / "round", SpecTrust::owner_only), SystemError);
}

TEST_F(SpecSource, RefusesAnotherUsersFileAndLink) {
  if (::geteuid() != 0) GTEST_SKIP() << "giving files away needs root";
  fs::create_symlink(spec, directory.path() / "link");
  ASSERT_EQ(::lchown((directory.path() / "link").c_str(), 1000, 1000), 0);
  EXPECT_NE(refusal(directory.path() / "link").find("belongs to user 1000"), std::string::npos);
  ASSERT_EQ(::chown(spec.c_str(), 1000, 1000), 0);
  EXPECT_NE(refusal(spec).find("belongs to user 1000"), std::string::npos);
}

TEST_F(SpecSource, AHugeFileIsRefusedUnread) {
  fs::resize_file(spec, 100U << 20U);
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(refusal(spec).find("at most 1048576"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(100));
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 4096);  // KiB
  fs::resize_file(spec, spec_size_limit);
  EXPECT_EQ(refusal(spec), "");
}

TEST_F(SpecSource, RefusesWhatIsNoFileWithoutWaiting) {
  const std::string fifo = directory.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_NE(refusal(fifo).find("regular file"), std::string::npos);
  EXPECT_NE(refusal("/dev/zero", SpecTrust::anyone).find("regular file"), std::string::npos);
  EXPECT_NE(refusal(directory.path()).find("is a directory"), std::string::npos);
}

TEST_F(SpecSource, IncludedFilesAreJudgedLikeTheSpec) {
  const std::string home = directory.path().string() + "/";
  const auto included = [&](const std::string& name) -> std::string {
    try {
      return read_included(home, name, SpecTrust::owner_only);
    } catch (const Error& error) {
      return error.what();
    }
  };
  fs::create_directories(home + "sub/deep");
  fs::copy(spec, home + "sub/deep/base.yaml");
  EXPECT_EQ(included("sub/deep/base.yaml"), "version: 1\n");
  fs::permissions(home + "sub", fs::perms{0777});
  EXPECT_NE(included("sub/deep/base.yaml").find("chmod go-w " + home + "sub"), std::string::npos);
  EXPECT_EQ(read_included(home, "sub/deep/base.yaml", SpecTrust::anyone), "version: 1\n");
  fs::permissions(home + "sub", fs::perms{0755});
  fs::permissions(home + "sub/deep/base.yaml", fs::perms{0664});
  EXPECT_NE(included("sub/deep/base.yaml").find("chmod go-w"), std::string::npos);
  EXPECT_NE(included("none.yaml").find("ENOENT"), std::string::npos);
}

TEST_F(SpecSource, AnIncludedFileOutsideIsAsTrustedAsItsWay) {
  TemporaryDirectory outside;
  std::ofstream(outside.path() / "base.yaml") << "version: 1\n";
  fs::permissions(outside.path() / "base.yaml", fs::perms{0644});
  const std::string home = directory.path().string() + "/";
  fs::create_symlink(outside.path() / "base.yaml", home + "out.yaml");
  fs::create_directory_symlink(outside.path(), home + "away");
  fs::create_symlink("host.yaml", home + "in.yaml");
  const auto refusal_of = [&](const std::string& name) -> std::string {
    try {
      read_included(home, name, SpecTrust::anyone);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_spec);
      return error.what();
    }
  };
  const std::string back = "../" + outside.path().filename().string() + "/base.yaml";
  for (const std::string& name : {std::string("out.yaml"), std::string("away/base.yaml"), back}) {
    EXPECT_EQ(refusal_of(name), "");
    fs::permissions(outside.path(), fs::perms{0777});
    EXPECT_NE(refusal_of(name).find("who could replace the spec: chmod go-w"), std::string::npos) << name;
    fs::permissions(outside.path(), fs::perms{0700});
    fs::permissions(outside.path() / "base.yaml", fs::perms{0600});
    EXPECT_NE(refusal_of(name).find("not everybody may read it"), std::string::npos) << name;
    fs::permissions(outside.path() / "base.yaml", fs::perms{0644});
  }
  EXPECT_EQ(read_included(home, "in.yaml", SpecTrust::owner_only), "version: 1\n");
}

TEST_F(SpecSource, AMissingFileIsNoFaultOfTheSpec) {
  try {
    read_spec(directory.path() / "none", SpecTrust::owner_only);
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_EQ(error.code(), ExitCode::could_not);
    EXPECT_EQ(error.number(), ENOENT);
  }
}

}  // namespace
}  // namespace rdmastate
