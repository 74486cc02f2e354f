// SPDX-License-Identifier: Apache-2.0
// The contract of files on a tree and on the recorded host.
#include <sys/stat.h>

#include <cerrno>

#include "files_contract.hpp"
#include "host/temporary.hpp"

namespace rdmastate {
namespace {

using Names = std::vector<std::string>;

TEST_P(FilesContract, AbsenceIsAnAnswer) {
  files.replace("/etc/file", regular("x"));
  for (const char* path : {"/none", "/none/deeper", "/etc/file/below"}) {
    EXPECT_EQ(files.meta(path), std::nullopt) << path;
    EXPECT_EQ(files.read(path), std::nullopt) << path;
    EXPECT_EQ(files.load(path), std::nullopt) << path;
    EXPECT_EQ(files.list(path), Names{}) << path;
  }
  EXPECT_EQ(files.list("/etc/file"), Names{});
}

TEST_P(FilesContract, WhatIsReplacedIsLoaded) {
  std::string bytes("zero \0 and\n\xff", 12);
  bytes.resize(1U << 20U, 'x');
  for (const FileContent& content :
       {regular(bytes), regular("short", 0600), regular("", 04755), link("/etc/none"), link("x")}) {
    files.replace("/etc/it", content);
    EXPECT_EQ(files.load("/etc/it"), content);
    EXPECT_EQ(files.meta("/etc/it"), content.meta);
  }
  EXPECT_EQ(files.list("/etc"), Names{"it"});
}

TEST_P(FilesContract, ANodeGetsOwnerAndModeAndIsNeverMade) {
  host->make_node("/etc/node");
  files.replace("/etc/file", regular("x"));
  FileContent node{{FileType::other, 0640, host->user(), host->group()}, "", {}};
  files.replace("/etc/node", node);
  EXPECT_EQ(files.load("/etc/node"), node);
  if (host->may_give_away()) {
    node.meta = {FileType::other, 0660, host->user(), 4711};
    files.replace("/etc/node", node);
    EXPECT_EQ(files.meta("/etc/node"), node.meta);
  }
  EXPECT_EQ(refusal("/etc/none", [&] { files.replace("/etc/none", node); }), ENOENT);
  EXPECT_EQ(refusal("/etc/file", [&] { files.replace("/etc/file", node); }), EINVAL);
  EXPECT_EQ(files.list("/etc"), (Names{"file", "node"}));
}

TEST_P(FilesContract, ListsSorted) {
  for (const char* name : {"b", "a", "c.conf", ".hidden"}) files.replace(std::string("/etc/") + name, regular(name));
  EXPECT_EQ(files.list("/etc"), (Names{".hidden", "a", "b", "c.conf"}));
  EXPECT_EQ(files.list("/"), Names{"etc"});
}

class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

TEST_P(FilesContract, UmaskDoesNotMatter) {
  for (const unsigned mask : {0U, 077U, 0177U}) {
    {
      const Umask set(mask);
      files.replace("/etc/file", regular("x", 0666));
      files.replace("/etc/dir" + std::to_string(mask), directory(0775));
      files.append("/etc/log" + std::to_string(mask), "x", false);
    }
    EXPECT_EQ(files.meta("/etc/file")->mode, 0666U);
    EXPECT_EQ(files.meta("/etc/dir" + std::to_string(mask))->mode, 0775U);
    EXPECT_EQ(files.meta("/etc/log" + std::to_string(mask))->mode, 0600U);
  }
}

TEST_P(FilesContract, OwnersAreSet) {
  if (!host->may_give_away()) GTEST_SKIP() << "giving files away needs root";
  FileContent file = regular("x", 06755);
  file.meta.uid = 1000;
  file.meta.gid = 1001;
  files.replace("/etc/file", file);
  EXPECT_EQ(files.load("/etc/file"), file);
  FileContent pointer = link("file");
  pointer.meta.uid = 1000;
  files.replace("/etc/link", pointer);
  EXPECT_EQ(files.load("/etc/link"), pointer);
}

TEST_P(FilesContract, LinksEndInsideTheRoot) {
  files.replace("/etc/passwd", regular("inside"));
  files.replace("/etc/up", link("../../../../../../etc/passwd"));
  files.replace("/etc/absolute", link("/etc/passwd"));
  files.replace("/etc/chain", link("absolute"));
  for (const char* path : {"/etc/up", "/etc/absolute", "/etc/chain"}) {
    EXPECT_EQ(files.read(path), "inside") << path;
    EXPECT_EQ(files.meta(path)->type, FileType::symlink) << path;
  }
}

TEST_P(FilesContract, ADanglingLinkIsThereAndHasNoContent) {
  files.replace("/etc/link", link("/no/such/file"));
  EXPECT_EQ(files.read("/etc/link"), std::nullopt);
  EXPECT_EQ(files.load("/etc/link"), link("/no/such/file"));
  EXPECT_EQ(files.list("/etc/link"), Names{});
}

TEST_P(FilesContract, ALoopOfLinksIsAFailure) {
  files.replace("/etc/a", link("b"));
  files.replace("/etc/b", link("a"));
  EXPECT_EQ(refusal("/etc/a", [&] { files.read("/etc/a"); }), ELOOP);
}

TEST_P(FilesContract, ALinkIsReplacedAndNotFollowed) {
  files.replace("/etc/passwd", regular("inside"));
  files.replace("/etc/link", link("/etc/passwd"));
  files.replace("/etc/link", regular("new"));
  EXPECT_EQ(files.read("/etc/passwd"), "inside");
  EXPECT_EQ(files.load("/etc/link"), regular("new"));
  files.replace("/etc/link", link("/etc/none"));
  files.stage("/etc/link", regular("staged"));
  files.replace("/etc/link", regular("staged"));
  EXPECT_EQ(files.meta("/etc/none"), std::nullopt);
  EXPECT_EQ(files.load("/etc/link"), regular("staged"));
}

TEST_P(FilesContract, DirectoriesOnTheWayMayBeLinks) {
  files.replace("/usr", directory());
  files.replace("/usr/lib", directory());
  files.replace("/lib", link("/usr/lib"));
  files.replace("/lib/file", regular("x"));
  EXPECT_EQ(files.read("/usr/lib/file"), "x");
  EXPECT_EQ(files.list("/lib"), Names{"file"});
  files.remove("/lib/file");
  EXPECT_EQ(files.list("/usr/lib"), Names{});
}

TEST_P(FilesContract, DirectoriesAreMadeChangedAndRemoved) {
  files.replace("/etc/dir", directory(0700));
  EXPECT_EQ(files.load("/etc/dir"), directory(0700));
  files.replace("/etc/dir/file", regular("x"));
  files.replace("/etc/dir", directory(0750));
  EXPECT_EQ(files.load("/etc/dir"), directory(0750));
  EXPECT_EQ(refusal("/etc/dir", [&] { files.remove("/etc/dir"); }), ENOTEMPTY);
  files.remove("/etc/dir/file");
  files.remove("/etc/dir");
  EXPECT_EQ(files.meta("/etc/dir"), std::nullopt);
  files.sync_directories();
}

TEST_P(FilesContract, WhatCannotBeIsRefused) {
  EXPECT_EQ(refusal("/etc/none", [&] { files.remove("/etc/none"); }), ENOENT);
  EXPECT_EQ(refusal("/none/file", [&] { files.remove("/none/file"); }), ENOENT);
  EXPECT_EQ(refusal("/none/file", [&] { files.replace("/none/file", regular("x")); }), ENOENT);
  EXPECT_EQ(refusal("/none/file", [&] { files.stage("/none/file", regular("x")); }), ENOENT);
  EXPECT_EQ(refusal("/none/dir", [&] { files.replace("/none/dir", directory()); }), ENOENT);
  EXPECT_EQ(refusal("/none/log", [&] { files.append("/none/log", "x", true); }), ENOENT);
  EXPECT_EQ(refusal("/etc/dir", [&] { files.stage("/etc/dir", directory()); }), EINVAL);
  files.replace("/etc/dir", directory());
  files.replace("/etc/file", regular("x"));
  EXPECT_EQ(refusal("/etc/dir", [&] { files.replace("/etc/dir", regular("x")); }), EISDIR);
  EXPECT_EQ(refusal("/etc/file", [&] { files.replace("/etc/file", directory()); }), ENOTDIR);
  EXPECT_EQ(files.read("/etc/dir"), std::nullopt) << "no program reads a directory as a file";
  EXPECT_EQ(files.list("/etc"), (Names{"dir", "file"}));  // and nothing is left behind
}

TEST_P(FilesContract, AReadHasALimit) {
  files.replace("/etc/file", regular("12345"));
  EXPECT_EQ(files.read("/etc/file", 5), "12345");
  EXPECT_EQ(refusal("/etc/file", [&] { files.read("/etc/file", 4); }), EFBIG);
}

TEST_P(FilesContract, WhatIsStagedIsNotThereYet) {
  files.replace("/etc/file", regular("old"));
  files.stage("/etc/file", regular("new"));
  files.stage("/etc/link", link("file"));
  files.sync_staged();
  EXPECT_EQ(files.read("/etc/file"), "old");
  EXPECT_EQ(files.meta("/etc/link"), std::nullopt);
  files.replace("/etc/file", regular("new"));
  files.replace("/etc/link", link("file"));
  files.sync_directories();
  EXPECT_EQ(files.load("/etc/file"), regular("new"));
  EXPECT_EQ(files.read("/etc/link"), "new");
  EXPECT_EQ(files.list("/etc"), (Names{"file", "link"}));
}

TEST_P(FilesContract, ALongNameIsCutInThatOfItsTemporaryFile) {
  constexpr std::size_t longest = 255;  // NAME_MAX
  const std::string name(longest, 'x');
  files.stage("/etc/" + name, regular("new"));
  for (const auto& one : files.list("/etc")) {
    EXPECT_TRUE(is_temporary(one)) << one;
    EXPECT_LE(one.size(), longest);
  }
  files.replace("/etc/" + name, regular("new"));
  EXPECT_EQ(files.list("/etc"), Names{name});
}

TEST_P(FilesContract, WhatIsDiscardedLeavesNothing) {
  files.replace("/etc/file", regular("old"));
  const std::string before = host->stamp("/etc/file");
  files.stage("/etc/file", regular("new"));
  files.stage("/etc/other", regular("new"));
  files.stage("/etc/link", link("file"));
  files.discard_staged();
  EXPECT_EQ(files.list("/etc"), Names{"file"});
  EXPECT_EQ(host->stamp("/etc/file"), before);
  files.discard_staged();
  files.replace("/etc/file", regular("newer"));
  EXPECT_EQ(files.read("/etc/file"), "newer");
}

TEST_P(FilesContract, TheLastContentStagedCounts) {
  files.stage("/etc/file", regular("first"));
  files.stage("/etc/file", regular("second"));
  files.replace("/etc/file", regular("second"));
  EXPECT_EQ(files.list("/etc"), Names{"file"});
  EXPECT_EQ(files.read("/etc/file"), "second");
}

TEST_P(FilesContract, ManyFilesAreStagedAtOnce) {
  const auto path = [](int i) { return "/etc/file" + std::to_string(i); };
  for (int i = 0; i < 100; ++i) files.stage(path(i), regular(std::to_string(i)));
  files.sync_staged();
  for (int i = 0; i < 100; ++i) files.replace(path(i), regular(std::to_string(i)));
  files.sync_directories();
  EXPECT_EQ(files.list("/etc").size(), 100U);
  EXPECT_EQ(files.read(path(42)), "42");
}

TEST_P(FilesContract, LookingTouchesNothing) {
  files.replace("/etc/file", regular("x"));
  files.replace("/etc/dir", directory());
  const std::string file = host->stamp("/etc/file");
  const std::string dir = host->stamp("/etc/dir");
  files.meta("/etc/file");
  files.read("/etc/file");
  files.load("/etc/file");
  files.list("/etc");
  files.replace("/etc/dir", directory());  // as it is
  files.replace("/etc/other", regular("x"));
  files.sync_staged();
  files.sync_directories();
  files.discard_staged();
  EXPECT_EQ(host->stamp("/etc/file"), file);
  EXPECT_EQ(host->stamp("/etc/dir"), dir);
}

TEST_P(FilesContract, ALogGrows) {
  files.append("/etc/log", "one\n", true);
  files.append("/etc/log", "two\n", false);
  EXPECT_EQ(files.load("/etc/log"), regular("one\ntwo\n", 0600));
  files.replace("/etc/link", link("log"));
  EXPECT_EQ(refusal("/etc/link", [&] { files.append("/etc/link", "x", false); }), ELOOP);
}

}  // namespace
}  // namespace rdmastate
