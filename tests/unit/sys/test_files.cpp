// SPDX-License-Identifier: Apache-2.0
// What only real files have; what every Files does is in tests/contract.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "sys/labels.hpp"
#include "sys/tree_host.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

class RealFiles : public testing::Test {
 protected:
  static FileContent regular(const std::string& bytes) {
    return {{FileType::regular, 0644, ::geteuid(), ::getegid()}, bytes, {}};
  }
  std::string real(const std::string& path) { return directory.path().string() + path; }
  bool set_xattr(const std::string& path, const char* key, const std::string& value) {
    return ::setxattr(real(path).c_str(), key, value.data(), value.size(), 0) == 0;
  }
  TemporaryDirectory directory;
  TreeHost tree{directory.path()};
  Files& files = tree.host.files;
};

TEST_F(RealFiles, ExtendedAttributesAreContent) {
  FileContent content = regular("x");
  content.xattrs = {{"user.note", std::string("a\0b", 3)}, {"user.empty", ""}};
  files.replace("/file", content);
  EXPECT_EQ(files.load("/file"), content);
}

std::string label_at(const std::string& path) {
  std::string label(256, '\0');
  const ssize_t got = ::getxattr(path.c_str(), "security.selinux", label.data(), label.size());
  return got < 0 ? std::string() : std::string(label.c_str());
}

// As a service of Debian's policy makes a file in /etc: the kernel has labelled it, and what reads it is not let.
TEST_F(RealFiles, WhatIsNewOnThisHostHasThePolicysType) {
  const std::string contexts = real("/etc/selinux/default/contexts/files");
  std::filesystem::create_directories(contexts);
  files.replace("/etc/selinux/config", regular("SELINUX=enforcing\nSELINUXTYPE=default\n"));
  files.replace("/etc/selinux/default/contexts/files/file_contexts",
                regular("/etc/.*\tsystem_u:object_r:etc_t:s0\n/usr/lib/units/.*\tsystem_u:object_r:unit_t:s0\n"));
  files.replace("/etc/selinux/default/contexts/files/file_contexts.subs_dist", regular("/etc/units /usr/lib/units\n"));
  files.replace("/etc/new", regular("x"));
  const std::string by_kernel("root:object_r:etc_runtime_t:s0\0", 31);
  if (!set_xattr("/etc/new", "security.selinux", by_kernel))
    GTEST_SKIP() << "no labels here: " << describe_errno(errno);
  const Root root(directory.path());
  const UniqueFd fd{::open(real("/etc/new").c_str(), O_RDONLY | O_CLOEXEC)};
  PolicyLabels(root, LabelsOf::tree).give(fd.get(), "/etc/new", "testing");
  EXPECT_EQ(label_at(real("/etc/new")), "root:object_r:etc_runtime_t:s0");
  PolicyLabels(root, LabelsOf::this_host).give(fd.get(), "/etc/new", "testing");
  EXPECT_EQ(label_at(real("/etc/new")), "root:object_r:etc_t:s0");
  PolicyLabels(root, LabelsOf::this_host).give(fd.get(), "/etc/units/new", "testing");
  EXPECT_EQ(label_at(real("/etc/new")), "root:object_r:unit_t:s0") << "one path stands for another";
  ASSERT_EQ(::removexattr(real("/etc/new").c_str(), "security.selinux"), 0);
  PolicyLabels(root, LabelsOf::this_host).give(fd.get(), "/etc/new", "testing");
  EXPECT_EQ(label_at(real("/etc/new")), "") << "SELinux is off in this kernel";
}

// A person's own label stays on what is replaced.
TEST_F(RealFiles, WhatIsReplacedKeepsItsLabel) {
  const Root root(directory.path());
  PolicyLabels labels(root, LabelsOf::this_host);
  RootFiles here(root, &labels);
  std::filesystem::create_directories(real("/etc/selinux/default/contexts/files"));
  here.replace("/etc/selinux/config", regular("SELINUX=enforcing\nSELINUXTYPE=default\n"));
  here.replace("/etc/selinux/default/contexts/files/file_contexts", regular("/etc/.*\tsystem_u:object_r:etc_t:s0\n"));
  here.replace("/etc/mine", regular("x"));
  const std::string mine("root:object_r:mine_t:s0\0", 24);
  if (!set_xattr("/etc/mine", "security.selinux", mine)) GTEST_SKIP() << "no labels here: " << describe_errno(errno);
  here.replace("/etc/mine", regular("y"));
  EXPECT_EQ(label_at(real("/etc/mine")), "root:object_r:mine_t:s0");
}

// What SELinux's kernel code answers: EINVAL for a type that the policy that it has loaded does not know.
TEST(Labels, AreLackedWhereNoneCanBeSet) {
  for (const LabelsOf of : {LabelsOf::tree, LabelsOf::this_host}) {
    for (const int error : {ENOTSUP, EPERM, EACCES}) EXPECT_TRUE(may_lack_label(error, of)) << describe_errno(error);
    EXPECT_FALSE(may_lack_label(ENOSPC, of));
  }
  EXPECT_TRUE(may_lack_label(EINVAL, LabelsOf::this_host));
  EXPECT_FALSE(may_lack_label(EINVAL, LabelsOf::tree));
}

TEST_F(RealFiles, APolicyOfThisHostIsNotReadTwice) {
  std::filesystem::create_directories(real("/etc/selinux/default/contexts/files"));
  files.replace("/etc/selinux/config", regular("SELINUX=enforcing\nSELINUXTYPE=default\n"));
  std::string contexts = "/etc/.*\tsystem_u:object_r:etc_t:s0\n#" + std::string(16U << 20U, '#') + "\n";
  files.replace("/etc/selinux/default/contexts/files/file_contexts", regular(contexts));
  files.replace("/etc/new", regular("x"));
  const std::string by_kernel("root:object_r:etc_runtime_t:s0\0", 31);
  if (!set_xattr("/etc/new", "security.selinux", by_kernel))
    GTEST_SKIP() << "no labels here: " << describe_errno(errno);
  const Root root(directory.path());
  const UniqueFd fd{::open(real("/etc/new").c_str(), O_RDONLY | O_CLOEXEC)};
  PolicyLabels(root, LabelsOf::this_host).give(fd.get(), "/etc/new", "testing");
  EXPECT_EQ(label_at(real("/etc/new")), "root:object_r:etc_t:s0") << "more than rdmastate would read";
}

TEST(Labels, TheTypeAloneComesFromThePolicy) {
  EXPECT_EQ(with_type_of("a:b:c_t:s0-s0:c0.c9", "x:y:longer_t:s0"), "a:b:longer_t:s0-s0:c0.c9");
  EXPECT_EQ(with_type_of("a:b:c_t", "x:y:d_t"), "a:b:d_t");
  EXPECT_EQ(with_type_of("a:b", "x:y:d_t"), "a:b") << "a label without a type";
  EXPECT_EQ(with_type_of("unlabeled", "x:y:d_t"), "unlabeled");
  EXPECT_EQ(with_type_of("a:b:c_t:s0", "x"), "a:b:c_t:s0");
}

// acl(5) as setfacl(1) stores it: owner, user 1, group, mask, other.
std::string acl(char owner, char user, char group, char mask, char other) {
  const auto entry = [](char tag, char permissions, char id) {
    return std::string{
        tag, 0, permissions, 0, id, id == 1 ? '\0' : '\xff', id == 1 ? '\0' : '\xff', id == 1 ? '\0' : '\xff'};
  };
  const char nobody = '\xff';
  return std::string("\2\0\0\0", 4) + entry(1, owner, nobody) + entry(2, user, 1) + entry(4, group, nobody) +
         entry(0x10, mask, nobody) + entry(0x20, other, nobody);
}

// setfacl -d -m u:1:rwx: what is made in it would be that user's too.
TEST_F(RealFiles, WhatADirectoryLendsIsNotTaken) {
  const FileContent folder{{FileType::directory, 0755, ::geteuid(), ::getegid()}, "", {}};
  files.replace("/etc", folder);
  if (!set_xattr("/etc", "system.posix_acl_default", acl(7, 7, 5, 7, 5)))
    GTEST_SKIP() << "no ACLs here: " << describe_errno(errno);
  FileContent secret = regular("secret");
  secret.meta.mode = 0640;
  files.replace("/etc/secret", secret);
  EXPECT_EQ(files.load("/etc/secret"), secret);
  files.replace("/etc/folder", folder);
  EXPECT_EQ(files.load("/etc/folder"), folder);
  files.append("/etc/log", "x", false);
  EXPECT_EQ(files.meta("/etc/log")->mode, 0600U);
}

// As one that was killed, or failed, between making it and dressing it.
TEST_F(RealFiles, AHalfMadeDirectoryLosesWhatItWasLent) {
  const FileContent folder{{FileType::directory, 0755, ::geteuid(), ::getegid()}, "", {}};
  files.replace("/etc", folder);
  if (!set_xattr("/etc", "system.posix_acl_default", acl(7, 7, 5, 7, 5)))
    GTEST_SKIP() << "no ACLs here: " << describe_errno(errno);
  std::filesystem::create_directory(real("/etc/folder"));
  files.replace("/etc/folder", folder);
  EXPECT_EQ(files.load("/etc/folder"), folder);
  FileContent shared = folder;
  shared.xattrs["system.posix_acl_default"] = acl(7, 5, 5, 7, 5);
  files.replace("/etc/folder", shared);
  EXPECT_EQ(files.load("/etc/folder"), shared) << "what is asked for stays";
}

TEST_F(RealFiles, AnAclComesBackTogetherWithTheMode) {
  FileContent shared = regular("x");
  shared.meta.mode = 0674;
  shared.xattrs["system.posix_acl_access"] = acl(6, 7, 4, 7, 4);
  files.replace("/file", shared);
  EXPECT_EQ(files.load("/file"), shared);
  shared.meta.mode = 0600;
  shared.xattrs["system.posix_acl_access"] = acl(6, 7, 4, 0, 0);
  files.replace("/file", shared);
  EXPECT_EQ(files.load("/file"), shared);
}

TEST_F(RealFiles, AHashByTheKernelIsNoStateAndASignatureIs) {
  files.replace("/file", regular("x"));
  if (!set_xattr("/file", "security.ima", "\x04\x04hash"))
    GTEST_SKIP() << "security.ima cannot be set: " << describe_errno(errno);
  EXPECT_EQ(files.load("/file"), regular("x"));
  FileContent is_signed = regular("y");
  is_signed.xattrs["security.ima"] = "\x03\x02signature";
  files.replace("/file", is_signed);
  EXPECT_EQ(files.load("/file"), is_signed);
}

TEST_F(RealFiles, AReplacedFileKeepsItsSelinuxLabel) {
  files.replace("/file", regular("old"));
  if (!set_xattr("/file", "security.selinux", "system_u:object_r:etc_t:s0"))
    GTEST_SKIP() << "security.selinux cannot be set: " << describe_errno(errno);
  set_xattr("/file", "user.old", "goes");
  files.replace("/file", regular("new"));
  const auto loaded = files.load("/file");
  EXPECT_EQ(loaded->xattrs, (std::map<std::string, std::string>{{"security.selinux", "system_u:object_r:etc_t:s0"}}));
  FileContent relabelled = regular("new");
  relabelled.xattrs["security.selinux"] = "system_u:object_r:bin_t:s0";
  files.replace("/file", relabelled);
  EXPECT_EQ(files.load("/file"), relabelled);
}

TEST_F(RealFiles, TemporaryFilesArePrivateAndRecognised) {
  files.stage("/file.conf", regular("x"));
  const auto names = files.list("/");
  ASSERT_EQ(names.size(), 1U);
  EXPECT_TRUE(names[0].starts_with(".file.conf.rdmastate-")) << names[0];
  EXPECT_TRUE(RootFiles::is_leftover(names[0]));
  for (const char* name : {"file.rdmastate-0123456789abcdef", ".file.rdmastate-0123", ".rdmastate-0123456789abcdef",
                           ".file.rdmastate-0123456789ABCDEF", ".file"})
    EXPECT_FALSE(RootFiles::is_leftover(name)) << name;
}

// chattr(1); false where the file system has no such flags.
bool set_immutable(const std::string& path, bool immutable) {
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  int flags = 0;
  if (!fd || ::ioctl(fd.get(), FS_IOC_GETFLAGS, &flags) != 0) return false;
  flags = immutable ? flags | FS_IMMUTABLE_FL : flags & ~FS_IMMUTABLE_FL;
  return ::ioctl(fd.get(), FS_IOC_SETFLAGS, &flags) == 0;
}

TEST_F(RealFiles, ATemporaryFileThatCannotBeRemovedIsNamedUntilItIsGone) {
  files.stage("/file", regular("x"));
  if (!set_immutable(real("/"), true)) GTEST_SKIP() << "no chattr +i here: " << describe_errno(errno);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      files.discard_staged();
      ADD_FAILURE() << "it is still there, and nobody says so";
    } catch (const SystemError& error) {
      EXPECT_NE(std::string(error.what()).find("removing " + real("/.file.rdmastate-")), std::string::npos)
          << error.what();
    }
  }
  set_immutable(real("/"), false);
  files.discard_staged();
  EXPECT_TRUE(files.list("/").empty());
}

TEST_F(RealFiles, TheLongestNameCanBeStaged) {
  const std::string path = "/" + std::string(255, 'n');
  files.stage(path, regular("x"));
  files.replace(path, regular("x"));
  EXPECT_EQ(files.read(path), "x");
}

TEST_F(RealFiles, ADirectoryThatBecameALinkDoesNotReceiveWhatWasStaged) {
  const FileContent folder{{FileType::directory, 0755, ::geteuid(), ::getegid()}, "", {}};
  files.replace("/etc", folder);
  files.replace("/other", folder);
  files.stage("/etc/file", regular("x"));
  std::filesystem::rename(real("/etc"), real("/moved"));
  std::filesystem::create_symlink("other", real("/etc"));
  files.replace("/etc/file", regular("x"));
  EXPECT_EQ(files.list("/other"), std::vector<std::string>{"file"});
  EXPECT_TRUE(files.list("/moved").empty());
}

TEST_F(RealFiles, DevicesAndFifosAreSeenAndNotOpened) {
  ASSERT_EQ(::mkfifo(real("/fifo").c_str(), 0600), 0);
  EXPECT_EQ(files.load("/fifo")->meta.type, FileType::other);
  EXPECT_THROW(files.append("/fifo", "x", false), SystemError);
}

/// Mounts a 64 KiB tmpfs over the tree for as long as the test runs.
class SmallMount {
 public:
  explicit SmallMount(std::string at)
      : at_(std::move(at)), mounted_(::mount("none", at_.c_str(), "tmpfs", 0, "size=64k") == 0) {}
  SmallMount(const SmallMount&) = delete;
  SmallMount& operator=(const SmallMount&) = delete;
  ~SmallMount() {
    if (mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  explicit operator bool() const { return mounted_; }
  bool read_only() const { return ::mount("none", at_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k") == 0; }

 private:
  std::string at_;
  bool mounted_;
};

TEST_F(RealFiles, AFullOrReadOnlyFileSystemIsNamed) {
  const SmallMount mount(directory.path());
  if (!mount) GTEST_SKIP() << "mounting a tmpfs: " << describe_errno(errno);
  TreeHost small(directory.path());
  const auto refusal = [&](const std::string& bytes) {
    try {
      small.host.files.replace("/file", regular(bytes));
      return std::string();
    } catch (const SystemError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refusal("x"), "");
  EXPECT_EQ(refusal(std::string(1U << 20U, 'x')), "writing " + real("/file") + ": No space left on device (ENOSPC)");
  EXPECT_EQ(small.host.files.list("/"), std::vector<std::string>{"file"});
  ASSERT_TRUE(mount.read_only());
  EXPECT_EQ(refusal("y"), "writing " + real("/file") + ": Read-only file system (EROFS)");
  EXPECT_EQ(small.host.files.read("/file"), "x");
}

}  // namespace
}  // namespace rdmastate
