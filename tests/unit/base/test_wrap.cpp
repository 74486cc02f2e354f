// SPDX-License-Identifier: Apache-2.0
// Lines broken at the width of a terminal.
#include <gtest/gtest.h>

#include "base/wrap.hpp"

namespace rdmastate {
namespace {

TEST(Wrap, BreaksAtBlanksAndGoesOnDeeper) {
  EXPECT_EQ(wrapped_lines("  a bc def ghij\nk\n", 8), "  a bc\n    def\n    ghij\nk\n");
  EXPECT_EQ(wrapped_lines("one two", 7), "one two");
  EXPECT_EQ(wrapped_lines("one two\n", 6), "one\n  two\n");
}

TEST(Wrap, AnyWidthLeavesLinesAlone) { EXPECT_EQ(wrapped_lines("a bc def\n", 0), "a bc def\n"); }

TEST(Wrap, AWordWiderThanTheTerminalStaysWhole) {
  EXPECT_EQ(wrapped_lines("a /etc/rdmastate/boot.json b\n", 10), "a\n  /etc/rdmastate/boot.json\n  b\n");
}

TEST(Wrap, LinesOfADiffCanBeCopied) {
  EXPECT_EQ(wrapped_lines("      +ib_umad and more\n", 10), "      +ib_umad and more\n");
  EXPECT_EQ(wrapped_lines("      \x1b[32m+ib_umad and more\x1b[0m\n", 10), "      \x1b[32m+ib_umad and more\x1b[0m\n");
  EXPECT_EQ(wrapped_lines("  + load module x\n", 10), "  + load\n    module\n    x\n") << "a step's mark is none";
}

TEST(Wrap, LeavesASpecsLinesAboveTheirCarets) {
  const std::string excerpt = "    7 | load: [ib_umad, ib_ipoip]\n      |                 ^~~~~~~~\n";
  EXPECT_EQ(wrapped_lines(excerpt + "  hint: ib_ipoib\n", 14), excerpt + "  hint:\n    ib_ipoib\n");
}

TEST(Wrap, CountsCharactersAndNoColours) {
  EXPECT_EQ(wrapped_lines("\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9\n", 5), "\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9\n");
  EXPECT_EQ(wrapped_lines("\x1b[1mab\x1b[0m cd\n", 5), "\x1b[1mab\x1b[0m cd\n");
}

}  // namespace
}  // namespace rdmastate
