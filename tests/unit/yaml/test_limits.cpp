// SPDX-License-Identifier: Apache-2.0
// What never reaches the parser.
#include <gtest/gtest.h>

#include "told.hpp"
#include "yaml/prepass.hpp"

namespace rdmastate {
namespace {

using test::about;
using test::told;
using test::told_of;

std::string many(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Limits, Size) {
  EXPECT_EQ(told(std::string(yaml::max_bytes + 1, '#')),
            "spec.yaml: error: is 1048577 bytes long; at most 1048576 are read\n1 error\n");
  EXPECT_EQ(told("version: 1\n" + std::string(yaml::max_bytes - 11, '#')), "");
}

TEST(Limits, NulAndOtherControlCharacters) {
  EXPECT_EQ(
      told_of(std::string("id: a\0b", 7)),
      about("id: a\\x00b", 6, 4, "a NUL byte", "  hint: this is no text file, or it is UTF-16: save it as UTF-8\n"));
  EXPECT_EQ(told_of("id: a\x04"), about("id: a\\x04", 6, 4, "a control character, byte 0x04",
                                        "  hint: in double quotes it can be written as an escape\n"));
  EXPECT_EQ(told_of("id: ab\x7f"), about("id: ab\\x7f", 7, 4, "a control character, byte 0x7f",
                                         "  hint: in double quotes it can be written as an escape\n"));
  EXPECT_EQ(told_of("id: a\rb"),
            about("id: a\\x0db", 6, 4, "a carriage return that ends no line", "  hint: end lines with a newline\n"));
}

TEST(Limits, EveryByteInEveryPositionOfAWord) {
  for (std::size_t at = 0; at < 24; ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(24, 'a');
      text[at] = static_cast<char>(byte);
      const bool fine = (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t';
      EXPECT_EQ(!yaml::prepass(text).problem.has_value(), fine) << at << " " << byte;
    }
}

TEST(Limits, Utf8) {
  const std::string hint = "  hint: save the file as UTF-8\n";
  EXPECT_EQ(told_of("id: \xe9t\xe9"), about("id: \\xe9t\\xe9", 5, 4, "byte 0xe9 is not UTF-8", hint));
  EXPECT_EQ(told_of("id: é\xc0\xaf"), about("id: é\\xc0\\xaf", 6, 4, "byte 0xc0 is not UTF-8", hint));
  for (const auto* bad :
       {"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\x80", "\xc3", "\xf5\x80\x80\x80"})
    EXPECT_TRUE(yaml::prepass(bad).problem.has_value());
  EXPECT_FALSE(yaml::prepass("é名\U0001f600").problem.has_value());
}

TEST(Limits, DepthOfBrackets) {
  const std::string line = "id: " + many("[", 65);
  EXPECT_EQ(told_of(line), about(line, 69, 1, "brackets nested more than 64 deep"));
  EXPECT_TRUE(yaml::prepass(many("{a: ", 65)).problem.has_value());
  EXPECT_TRUE(yaml::prepass("a: ['b', \"c\", d: " + many("[", 64)).problem.has_value());
  EXPECT_FALSE(yaml::prepass(many("[", 64) + many("]", 64)).problem.has_value());
  EXPECT_FALSE(yaml::prepass(many("[], ", 1000)).problem.has_value());
  EXPECT_FALSE(yaml::prepass("a: [" + many("'it''s [', ", 100) + "1]").problem.has_value());
}

TEST(Limits, BracketsThatAreText) {
  for (const std::string prefix : {"a: '", "a: \"", "a: b", "# ", "a: |\n  ", "- a: >-\n    ", "- |\n "})
    EXPECT_FALSE(yaml::prepass(prefix + many("[", 100)).problem.has_value()) << prefix;
  EXPECT_TRUE(yaml::prepass("- a: |\n    x\n  b: " + many("[", 65)).problem.has_value());
  EXPECT_TRUE(yaml::prepass("a: |\n  x\n\nb: " + many("[", 65)).problem.has_value());
}

TEST(Limits, SizeOfACollectionInBrackets) {
  const std::string line = "ipoib: [" + many("a, ", 90000) + "]";
  const auto found = yaml::prepass(line).problem;
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->offset, 7U);
  EXPECT_EQ(found->complaint.message, "a collection in brackets of more than 256 KiB");
  EXPECT_EQ(found->complaint.hint, "write it as a block, one entry per line");
}

TEST(Limits, DepthOfAll) {
  const std::string line = many("- ", 70) + "x";
  Report report;
  EXPECT_FALSE(yaml::load("s", line, report).has_value());
  ASSERT_EQ(report.errors(), 1U);
  EXPECT_EQ(report.diagnostics()[0].complaint.message, "nested more than 64 deep");
  EXPECT_EQ(report.diagnostics()[0].place.column, 129U);
}

}  // namespace
}  // namespace rdmastate
