// SPDX-License-Identifier: Apache-2.0
// What a file that is written anew keeps of the attributes that were there.
#include <gtest/gtest.h>

#include "host/attributes.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

// Owner, user 1, group, mask, other: as in the attribute.
std::string acl(char owner, char mask, char other) {
  const auto entry = [](char tag, char permissions) { return std::string{tag, 0, permissions, 0, 0, 0, 0, 0}; };
  return std::string("\2\0\0\0", 4) + entry(1, owner) + entry(2, 7) + entry(4, 5) + entry(0x10, mask) +
         entry(0x20, other);
}

FileState present() {
  FileState file = regular_file("old", 0674);
  file.xattrs["security.ima"] = Bytes{"\x03signature"};
  file.xattrs["security.evm"] = Bytes{"\x05signature"};
  file.xattrs["user.note"] = Bytes{"note"};
  file.xattrs[std::string(access_acl)] = Bytes{acl(6, 7, 4)};
  return file;
}

TEST(FileAttributes, ASignatureIsOfTheBytesThatItSigned) {
  const FileState other_bytes = laid_over_file(present(), regular_file("new", 0674));
  EXPECT_EQ(other_bytes.xattrs.count("security.ima") + other_bytes.xattrs.count("security.evm"), 0U);
  EXPECT_EQ(other_bytes.xattrs.at("user.note").value, "note");
  const FileState same_bytes = laid_over_file(present(), regular_file("old", 0600));
  EXPECT_EQ(same_bytes.xattrs.count("security.ima"), 1U);
}

TEST(FileAttributes, AnAclIsWhatChmodLeavesOfIt) {
  const FileState to = laid_over_file(present(), regular_file("old", 0640));
  EXPECT_EQ(to.xattrs.at(std::string(access_acl)).value, acl(6, 4, 0));
}

TEST(FileAttributes, WithoutAMaskTheGroupHasTheBits) {
  const auto entry = [](char tag, char permissions) { return std::string{tag, 0, permissions, 0, 0, 0, 0, 0}; };
  const std::string version("\2\0\0\0", 4);
  EXPECT_EQ(acl_after_chmod(version + entry(1, 0) + entry(4, 0) + entry(0x20, 0), 0751),
            version + entry(1, 7) + entry(4, 5) + entry(0x20, 1));
}

TEST(FileAttributes, WhatIsNoAclStaysAsItIs) {
  for (const std::string& bytes : {std::string(), std::string("\1\0\0\0", 4), std::string("\2\0\0\0\1\0\0", 7)})
    EXPECT_EQ(acl_after_chmod(bytes, 0777), bytes);
}

TEST(FileAttributes, AnEntryThatChangesTakesTheSignatureAway) {
  FileContent file{{FileType::regular, 0644, 0, 0}, "a", {{"security.ima", "\x03x"}, {"user.note", "n"}}};
  EXPECT_EQ(with_bytes(file, "a"), file);
  EXPECT_EQ(with_bytes(file, "b").xattrs, (std::map<std::string, std::string>{{"user.note", "n"}}));
}

}  // namespace
}  // namespace rdmastate
