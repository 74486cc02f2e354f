// SPDX-License-Identifier: Apache-2.0
// Reports: places, order, the text that people read.
#include <gtest/gtest.h>

#include "base/report.hpp"

namespace rdmastate {
namespace {

std::string shown(std::string text, Place place, Complaint complaint = {"wrong", {}, {}, Severity::error}) {
  Report report;
  report.add_source("spec.yaml", std::move(text));
  report.add(place, "a.b", std::move(complaint));
  return render(report, report.diagnostics().front(), false);
}

TEST(Render, ThePlaceTheLineACaretAndWhatToDo) {
  EXPECT_EQ(shown("one\n  pkey: yes\n", {0, 2, 9, 3}, {"bad", "a P_Key", "write 0x8002", Severity::error}),
            "spec.yaml:2:9: error: a.b: bad\n"
            "    2 |   pkey: yes\n"
            "      |         ^~~\n"
            "  expected: a P_Key\n"
            "  hint: write 0x8002\n");
}

TEST(Render, AWarningSaysSo) {
  EXPECT_EQ(shown("x\n", {0, 1, 1, 1}, {"hm", {}, {}, Severity::warning}),
            "spec.yaml:1:1: warning: a.b: hm\n    1 | x\n      | ^\n");
}

TEST(Render, ColumnsAreCharactersAndTabsAreFour) {
  EXPECT_EQ(shown("\té: x\n", {0, 1, 5, 1}), "spec.yaml:1:5: error: a.b: wrong\n    1 |     é: x\n      |        ^\n");
}

TEST(Render, AWideCharacterTakesTwoCells) {
  EXPECT_EQ(shown("名: x\n", {0, 1, 4, 1}), "spec.yaml:1:4: error: a.b: wrong\n    1 | 名: x\n      |     ^\n");
}

TEST(Render, NothingDrivesTheTerminal) {
  EXPECT_EQ(shown("a\x1b[31m \xff x\r\n", {0, 1, 10, 1}),
            "spec.yaml:1:10: error: a.b: wrong\n    1 | a\\x1b[31m \\xff x\n      |                ^\n");
  EXPECT_EQ(printable("\u202e\u009b"), "\\xe2\\x80\\xae\\xc2\\x9b");
}

TEST(Render, ALongLineIsAWindow) {
  std::string line(601, 'a');
  line[300] = 'X';
  const std::string before(60, 'a');
  const std::string after(39, 'a');
  const std::string blank(63, ' ');
  EXPECT_EQ(shown(line, {0, 1, 301, 1}),
            "spec.yaml:1:301: error: a.b: wrong\n    1 | ..." + before + "X" + after + "...\n      | " + blank + "^\n");
}

// The caret stands below its word, in front of a secret, in it and behind it.
TEST(Render, ASecretIsHidden) {
  const std::string hidden =
      "    1 | a: {psk: (a secret, not shown), b: 1, x.password: (a secret, not shown)}\n      | ";
  const std::string line = "a: {psk: hunter2, b: 1, x.password: '名 }'}\n";
  const auto below = [&](std::uint32_t column, std::uint32_t width) {
    const std::string text = shown(line, {0, 1, column, width});
    const std::size_t at = text.find(hidden);
    return at == std::string::npos ? text : text.substr(at + hidden.size());
  };
  EXPECT_EQ(below(1, 1), "^\n");
  EXPECT_EQ(below(10, 7), std::string(9, ' ') + "^" + std::string(20, '~') + "\n");
  EXPECT_EQ(below(19, 1), std::string(32, ' ') + "^\n");
  EXPECT_EQ(below(25, 10), std::string(38, ' ') + "^~~~~~~~~~\n");
}

TEST(Render, OfASecretRatherTooMuchIsHidden) {
  for (const std::string line : {"  802-1x.password: a, b", "psk: 'it''s', b: 1", "psk: \"a", "{psk: [a, b], c: d}"}) {
    const std::string text = shown(line, {0, 1, 1, 1});
    const std::string start = line.substr(0, line.find(':') + 2) + "(a secret, not shown)\n";
    EXPECT_NE(text.find("| " + start), std::string::npos) << text;
  }
}

// Line 2 as it is shown, of a text that has a mistake there.
std::string second_line(const std::string& text) {
  const std::string told = shown(text, {0, 2, 1, 1});
  const std::size_t begin = told.find(" | ") + 3;
  return told.substr(begin, told.find('\n', begin) - begin);
}

TEST(Render, WhatASecretGoesOnWithIsHidden) {
  for (const std::string text :
       {"psk: 'a\n  hush'\nb: 1\n", "psk: \"a\n  h\\\"ush, b: 1\"\n", "psk: |\n  hush\n", "psk:\n  hush\n",
        "psk:\n- hush\n", "- psk: a\n   hush\n", "psk: a\n  hush: b\n", "b: {psk: a\n  hush, b: 1}\n",
        "b: {psk:\n\"hush\"}\n", "{\"b\": 1, \"psk\": [\"a\",\n  \"hush\"]}\n", "b: {psk: 'a\n  hush', b: {c: 1}}\n"}) {
    EXPECT_EQ(second_line(text).find("hush"), std::string::npos) << text << second_line(text);
    EXPECT_NE(second_line(text).find("(a secret, not shown)"), std::string::npos) << text;
  }
}

// A key of NetworkManager's [vpn-secrets] is a secret by its section.
TEST(Render, ASecretMayHaveItsNameFromItsSection) {
  const std::string start = "vpn-secrets.any: ";
  EXPECT_EQ(second_line("a: 1\n" + start + "hush\n"), start + "(a secret, not shown)");
}

TEST(Render, WhatStandsBelowASecretIsShown) {
  for (const std::string text :
       {"psk: 'a'\nshown\n", "- psk: a\n  shown: 1\n", "b:  # key: below\n  shown: 1\n", "b: {psk: a}\n  shown: 1\n",
        "{\"psk\": \"a\",\n  \"shown\": 1}\n", "# password: \"a\nshown\n", "b: {psk: [a], c: d}\n  shown: 1\n",
        "a: it's psk: b\nshown: 'c'\n", "{psk: 'it''s',\nshown: 1}\n"})
    EXPECT_NE(second_line(text).find("shown"), std::string::npos) << text << second_line(text);
}

TEST(Render, APlaceBehindTheEndIsShownAtTheEnd) {
  EXPECT_EQ(shown("ab\n", {0, 1, 99, 9}), "spec.yaml:1:99: error: a.b: wrong\n    1 | ab\n      |   ^\n");
  EXPECT_EQ(shown("ab\n", {0, 77, 1, 1}), "spec.yaml:77:1: error: a.b: wrong\n   77 | \n      | ^\n");
}

TEST(Render, NowhereHasNoLine) { EXPECT_EQ(shown("ab\n", {}), "spec.yaml: error: a.b: wrong\n"); }

TEST(Render, Colour) {
  Report report;
  report.add_source("s", "x\n");
  report.add({0, 1, 1, 1}, "p", {"m", {}, "h", Severity::error});
  EXPECT_EQ(render(report, report.diagnostics().front(), true),
            "\x1b[1ms:1:1: \x1b[0m\x1b[1;31merror:\x1b[0m \x1b[1mp: m\x1b[0m\n    1 | x\n      | "
            "\x1b[1;32m^\x1b[0m\n"
            "  \x1b[36mhint:\x1b[0m h\n");
}

TEST(Report, SortsByPlaceAndCounts) {
  Report report;
  report.add_source("s", "x\ny\n");
  report.add({0, 2, 1, 1}, "", {"second", {}, {}, Severity::error});
  report.add({0, 1, 1, 1}, "", {"first", {}, {}, Severity::warning});
  report.add({0, 2, 1, 1}, "", {"third", {}, {}, Severity::error});
  report.sort();
  EXPECT_EQ(report.errors(), 2U);
  EXPECT_EQ(render(report, false),
            "s:1:1: warning: first\n    1 | x\n      | ^\n"
            "s:2:1: error: second\n    2 | y\n      | ^\n"
            "s:2:1: error: third\n    2 | y\n      | ^\n"
            "2 errors, 1 warning\n");
}

TEST(Report, KeepsAsManyAsAnybodyReads) {
  Report report;
  for (std::size_t i = 0; i < Report::kept_at_most; ++i) report.add("p", {"m", {}, {}, Severity::warning});
  EXPECT_FALSE(report.has_more());
  report.add("p", {"the one that counts", {}, {}, Severity::error});
  EXPECT_TRUE(report.failed());
  EXPECT_TRUE(report.has_more());
  EXPECT_EQ(report.diagnostics().size(), Report::kept_at_most);
  EXPECT_TRUE(render(report, false).ends_with("1000 warnings, and more\n"));
}

TEST(Printable, LinesKeepOurColoursAlone) {
  EXPECT_EQ(printable_lines("\x1b[31ma\tb\x1b[0m\n\x1b[1mc"), "\x1b[31ma\tb\x1b[0m\n\x1b[1mc");
  EXPECT_EQ(printable_lines("\x1b[2J\x1b[1;31m\x1b[mx\x1b[123m\x1b]2;t\x07\r\x1b["),
            "\\x1b[2J\\x1b[1;31m\x1b[mx\\x1b[123m\\x1b]2;t\\x07\\x0d\\x1b[");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(Report, NothingIsNothing) { EXPECT_EQ(render(Report{}, false), ""); }

TEST(Report, LocateGivesPathsTheirPlace) {
  Report report;
  report.add("a.b", {"m", {}, {}, Severity::error});
  report.add(Place{}, "", {"nowhere", {}, {}, Severity::error});
  report.locate([](std::string_view path) { return Place{0, static_cast<std::uint32_t>(path.size()), 1, 1}; });
  EXPECT_EQ(report.diagnostics()[0].place.line, 3U);
  EXPECT_EQ(report.diagnostics()[1].place.line, 0U);
}

}  // namespace
}  // namespace rdmastate
