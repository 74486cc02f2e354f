// SPDX-License-Identifier: Apache-2.0
// A file's mode and bytes as text: a text that is wrong leaves the value as it was (base/text.hpp).
#include <gtest/gtest.h>

#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

TEST(FileText, AWrongModeChangesNothing) {
  for (const char* wrong : {"17777", "64x", "9", ""}) {
    FileMode mode{0640};
    EXPECT_TRUE(Text<FileMode>::read({wrong}, mode)) << wrong;
    EXPECT_EQ(mode.value, 0640U) << wrong;
  }
  FileMode mode{0640};
  EXPECT_FALSE(Text<FileMode>::read({"0600"}, mode));
  EXPECT_EQ(mode.value, 0600U);
}

TEST(FileText, WrongBytesChangeNothing) {
  for (const char* wrong : {"hex:00zz", "hex:000"}) {
    Bytes bytes{"was"};
    EXPECT_TRUE(Text<Bytes>::read({wrong}, bytes)) << wrong;
    EXPECT_EQ(bytes.value, "was") << wrong;
  }
  Bytes bytes{"was"};
  EXPECT_FALSE(Text<Bytes>::read({"hex:00ff"}, bytes));
  EXPECT_EQ(bytes.value, std::string("\0\xff", 2));
}

}  // namespace
}  // namespace rdmastate
