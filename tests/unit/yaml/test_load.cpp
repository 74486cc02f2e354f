// SPDX-License-Identifier: Apache-2.0
// What YAML allows and a specification does not.
#include <gtest/gtest.h>

#include "told.hpp"

namespace rdmastate {
namespace {

using test::about;
using test::told;
using test::told_of;

TEST(Load, AGoodOneIsTakenInSilence) {
  EXPECT_EQ(told("# a comment\r\nversion: 1\r\nipoib:\r\n- name: ib0\r\n  mode: 'connected'\r\n...\r\n"), "");
  EXPECT_EQ(told("\xef\xbb\xbfversion: 1\n"), "");
  EXPECT_EQ(told("---\nversion: 1\n"), "");
}

TEST(Load, Nothing) {
  const std::string nothing =
      "spec.yaml: error: holds nothing\n  hint: the smallest specification is 'version: 1'\n1 error\n";
  EXPECT_EQ(told(""), nothing);
  EXPECT_EQ(told("# only this\n"), nothing);
  EXPECT_EQ(told("---\n"), nothing);
}

TEST(Load, AliasesAndAnchors) {
  EXPECT_EQ(told_of("id: &a x"), about("id: &a x", 5, 1, "id: anchors are not supported",
                                       "  hint: write the value out wherever it is needed\n"));
  EXPECT_EQ(told_of("id: *a"), about("id: *a", 5, 1, "aliases are not supported",
                                     "  hint: write the value out; a text that begins with * or & goes in quotes\n"));
  EXPECT_EQ(told("version: &v 1\nipoib: [{name: ib0, mtu: *v}]\n"),
            "spec.yaml:1:10: error: version: anchors are not supported\n"
            "    1 | version: &v 1\n"
            "      |          ^\n"
            "  hint: write the value out wherever it is needed\n"
            "spec.yaml:2:26: error: ipoib[0].mtu: aliases are not supported\n"
            "    2 | ipoib: [{name: ib0, mtu: *v}]\n"
            "      |                          ^\n"
            "  hint: write the value out\n"
            "2 errors\n");
}

TEST(Load, Tags) {
  const std::string hint = "  hint: write the value without it; a string goes in quotes\n";
  EXPECT_EQ(told_of("id: !!str x"), about("id: !!str x", 5, 1, "id: tags are not supported", hint));
  EXPECT_EQ(told_of("id: ! x"), about("id: ! x", 5, 1, "id: tags are not supported", hint));
  EXPECT_EQ(told_of("ipoib: !a []"), about("ipoib: !a []", 8, 1, "ipoib: tags are not supported", hint));
}

TEST(Load, ASecondDocument) {
  EXPECT_EQ(told("version: 1\n---\nversion: 2\n"), about("---", 1, 1, "a second document begins here",
                                                         "  hint: one file is one document: remove the '---'\n"));
}

TEST(Load, Directives) {
  EXPECT_EQ(told("# x\n%YAML 1.1\n---\nversion: 1\n"), about("%YAML 1.1", 1, 1, "directives are not supported",
                                                             "  hint: remove the line: YAML 1.2 is what is read\n"));
}

TEST(Load, DuplicateKeys) {
  EXPECT_EQ(told_of("version: 2"), about("version: 2", 1, 7, "duplicate key 'version'; the first is in line 1"));
  EXPECT_EQ(told_of("ipoib: [{name: a, \"name\": b}]"),
            about("ipoib: [{name: a, \"name\": b}]", 19, 6, "ipoib[0]: duplicate key 'name'; the first is in line 2"));
}

TEST(Load, ADuplicateDoesNotHideWhatElseIsWrong) {
  EXPECT_EQ(told("version: 1\nversion: x\nipoib: y\n"),
            "spec.yaml:2:1: error: duplicate key 'version'; the first is in line 1\n"
            "    2 | version: x\n"
            "      | ^~~~~~~\n"
            "spec.yaml:3:8: error: ipoib: expected a list, got a single value\n"
            "    3 | ipoib: y\n"
            "      |        ^\n"
            "  hint: write [y]\n"
            "2 errors\n");
}

TEST(Load, EveryDuplicateOfAHundredKeys) {
  std::string text = "version: 1\noptions:\n";
  for (int i = 0; i < 100; ++i) text += "  m" + std::to_string(i % 50) + ": {}\n";
  Report report;
  const auto document = yaml::load("s", text, report);
  EXPECT_EQ(report.errors(), 50U);
  EXPECT_EQ(report.diagnostics()[0].complaint.message, "duplicate key 'm0'; the first is in line 3");
  EXPECT_EQ(document->root.value("options")->entries().size(), 50U);
}

TEST(Load, KeysThatAreNone) {
  const std::string hint = "  hint: a key is a word or a number; another text goes in quotes\n";
  EXPECT_EQ(told_of("? [a]"), about("? [a]", 3, 1, "a key that is no text", hint));
  EXPECT_EQ(told_of("~: x"), about("~: x", 1, 1, "a key that is no text", hint));
  EXPECT_EQ(told_of("<<: {}"),
            about("<<: {}", 1, 2, "merge keys are not supported", "  hint: write the entries out\n"));
}

TEST(Load, SyntaxInHumanWords) {
  const std::string indentation = "  hint: a text with ': ' in it goes in quotes; otherwise check the indentation\n";
  EXPECT_EQ(told_of("  id: x"), about("  id: x", 5, 1, "a ':' where no value can begin", indentation));
  EXPECT_EQ(told_of("id: a: b"), about("id: a: b", 6, 1, "a ':' where no value can begin", indentation));
  EXPECT_EQ(told_of("id: @x"),
            about("id: @x", 5, 1, "a character that no plain text can begin with", "  hint: put the text in quotes\n"));
  EXPECT_EQ(told_of("id: \"a\\q\""), about("id: \"a\\q\"", 9, 1, "an unknown escape in double quotes",
                                           "  hint: write \\\\ for a backslash, or use single quotes\n"));
  EXPECT_EQ(told_of("ipoib: [a"),
            about("ipoib: [a", 8, 1, "this [ has no ]", "  hint: close it, or put a comma between its items\n"));
  EXPECT_EQ(told_of("ipoib: {a: b"),
            about("ipoib: {a: b", 8, 1, "this { has no }", "  hint: close it, or put a comma between its entries\n"));
  EXPECT_EQ(told_of("}"), about("}", 1, 1, "a bracket that closes nothing", "  hint: put the text in quotes\n"));
  EXPECT_EQ(told_of("id: - x"),
            about("id: - x", 5, 1, "a '- ' where no list can begin", "  hint: begin the list on the next line\n"));
}

TEST(Load, ATabIsNoIndentation) {
  EXPECT_EQ(told("version: 1\nipoib:\n\t- name: x\n"),
            "spec.yaml:3:1: error: a tab in the indentation\n"
            "    3 |     - name: x\n"
            "      | ^~~~\n"
            "  hint: indent with spaces\n"
            "1 error\n");
}

// yaml-cpp ends the scalar with the file, and says nothing.
TEST(Load, AQuoteThatIsNeverClosed) {
  for (const std::string line : {"id: \"x", "id: 'it''s", "id: \"\\\""})
    EXPECT_EQ(told_of(line).substr(0, 25), "spec.yaml:2:5: error: id:") << line;
  EXPECT_EQ(told_of("id: 'x"), about("id: 'x", 5, 1, "id: a quote that is never closed"));
}

TEST(Load, EmptyValuesBlameTheKey) {
  const std::string hint = "  hint: leave it out instead\n";
  EXPECT_EQ(told_of("id:"), about("id:", 1, 2, "id: has no value", hint));
  EXPECT_TRUE(told("version: 1\nid:\nnull: x\n").starts_with("spec.yaml:2:1: error: id: has no value\n"));
  for (const std::string next : {"nullable: 3", "Nullify: 1", "~x: 3"})
    EXPECT_TRUE(told("version: 1\nid:\n" + next + "\n").starts_with("spec.yaml:2:1: error: id: has no value\n"))
        << next;
  EXPECT_TRUE(told("{version: 1, id: null}").starts_with("spec.yaml:1:18: error: id: null is no value\n"));
  EXPECT_EQ(told_of("id: ~"), about("id: ~", 5, 1, "id: ~ is no value", hint));
  EXPECT_EQ(told_of("id: Null"), about("id: Null", 5, 4, "id: null is no value", hint));
  EXPECT_EQ(told("version: 1\nipoib:\n  -\n  - name: x\n"),
            "spec.yaml:3:3: error: ipoib[0]: has no value\n    3 |   -\n      |   ^\n" + hint + "1 error\n");
}

}  // namespace
}  // namespace rdmastate
