// SPDX-License-Identifier: Apache-2.0
// What each owner makes of the same text: systemd's conf-parser.c, GKeyFile, nfs-utils' conffile.c, a shell. The CLI
// case `ini` asks the owners themselves.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/ini.hpp"

namespace rdmastate {
namespace {

// Every entry as "section.key=value".
std::string read(const ini::Dialect& dialect, std::string_view text) {
  const ini::File file(dialect, text);
  std::string all;
  for (const auto& entry : file.entries())
    all += fmt::format("{}{}.{}={}", all.empty() ? "" : "|", file.section(entry), entry.key, entry.value);
  return all;
}

struct Trap {
  const char* name;
  const char* text;
  const char* systemd;
  const char* keyfile;
  const char* nfs;
};

void PrintTo(const Trap& trap, std::ostream* out) { *out << trap.name; }

const Trap traps[] = {
    {"Plain", "[a]\nk=v\n", "a.k=v", "a.k=v", "a.k=v"},
    {"Blanks", " [a]\n\tk \t=\t v \n", "a.k=v", "a.k=v ", "a.k=v"},
    {"BlanksInTheHeader", "[ a ]\nk=v\n", " a .k=v", " a .k=v", "a.k=v"},
    {"BehindTheHeader", "[a] \t\nk=v\n", "a.k=v", "a.k=v", "a.k=v"},
    {"WordsBehindTheHeader", "[a] # c\nk=v\n", "", "", "a.k=v"},
    {"HeaderWithoutAnEnd", "[a\nk=v\n[b]\nk=w\n", "b.k=w", "b.k=w", "b.k=w"},
    {"Argument", "[a \"x\"]\nk=v\n", "a \"x\".k=v", "a \"x\".k=v", "a \"x\".k=v"},
    {"ArgumentWithoutAnEnd", "[ a \"x]\nk=v\n", " a \"x.k=v", " a \"x.k=v", "a.k=v"},
    {"BeforeASection", "k=v\n[a]\nk=w\n", "a.k=w", "a.k=w", "a.k=w"},
    {"Capitals", "[A]\nKey=V\n", "A.Key=V", "A.Key=V", "a.key=V"},
    {"Comments", "[a]\n# k=1\n  #k=2\n; k=3\n ;k=4\n", "", "a.; k=3|a.;k=4", ""},
    {"CommentBehind", "[a]\nk=v # c\nl=v;c\n", "a.k=v # c|a.l=v;c", "a.k=v # c|a.l=v;c", "a.k=v|a.l=v"},
    {"Quotes", "[a]\nk=\"v w\"\nl='#'\n", "a.k=\"v w\"|a.l='#'", "a.k=\"v w\"|a.l='#'", "a.k=v w|a.l=#"},
    {"QuoteWithoutAnEnd", "[a]\nk=\"v\nl=w\n", "a.k=\"v|a.l=w", "a.k=\"v|a.l=w", "a.l=w"},
    {"BehindAQuote", "[a]\nk=\"v\"w\n", "a.k=\"v\"w", "a.k=\"v\"w", "a.k=v"},
    {"Continued", "[a]\nk=v\\\nw\n", "a.k=v w", "a.k=v\\", "a.k=v  w"},
    {"ContinuedKey", "[a]\nk\\\n=v\n", "a.k=v", "", "a.k=v"},
    {"ContinuedBelowAComment", "[a]\nk=v\\\n# c\n ; c\nw\nl=1\n", "a.k=v w|a.l=1", "a.k=v\\|a.l=1", "a.k=v|a.l=1"},
    {"ContinuedComment", "[a]\n# c\\\nk=v\n", "a.k=v", "a.k=v", ""},
    {"ContinuedByAnEmptyLine", "[a]\nk=v\\\n\nl=w\n", "a.k=v|a.l=w", "a.k=v\\|a.l=w", "a.k=v|a.l=w"},
    {"TwoBackslashes", "[a]\nk=v\\\\\nl=w\n", "a.k=v\\\\|a.l=w", "a.k=v\\|a.l=w", "a.k=v\\  l=w"},
    {"ContinuedToTheEnd", "[a]\nk=v\\\n", "a.k=v", "a.k=v\\", ""},
    {"CarriageReturns", "[a]\r\nk=v\r\nl=\"w\"\r\n", "a.k=v|a.l=\"w\"", "a.k=v|a.l=\"w\"", "a.k=v|a.l=w"},
    {"ContinuedBeforeACarriageReturn", "[a]\r\nk=v\\\r\nw\r\n", "a.k=v w", "a.k=v\\", "a.k=v\\"},
    {"OldCarriageReturns", "[a]\rk=v\r", "a.k=v", "", ""},
    {"WithoutANewline", "[a]\nk=v", "a.k=v", "a.k=v", ""},
    {"ByteOrderMark", "\xef\xbb\xbf[a]\nk=v\n", "a.k=v", "", ""},
    {"Twice", "[a]\nk=1\n[b]\nk=2\n[a]\nk=3\n", "a.k=1|b.k=2|a.k=3", "a.k=1|b.k=2|a.k=3", "a.k=1|b.k=2|a.k=3"},
    {"Empty", "[a]\nk=\nl=\"\"\n", "a.k=|a.l=\"\"", "a.k=|a.l=\"\"", ""},
    {"WithoutAName", "[a]\n=v\njunk\n", "", "", ""},
    {"EqualsInTheValue", "[a]\nk=v=w\n", "a.k=v=w", "a.k=v=w", "a.k=v=w"},
    {"Escapes", "[a]\nk=\\sv\\tw\\\\\\q\n", "a.k=\\sv\\tw\\\\\\q", "a.k= v\tw\\\\q", "a.k=\\sv\\tw\\\\\\q"},
};

class IniTraps : public testing::TestWithParam<Trap> {};

TEST_P(IniTraps, AreReadAsTheOwnersDo) {
  EXPECT_EQ(read(ini::systemd, GetParam().text), GetParam().systemd);
  EXPECT_EQ(read(ini::keyfile, GetParam().text), GetParam().keyfile);
  EXPECT_EQ(read(ini::nfs_conf, GetParam().text), GetParam().nfs);
}

INSTANTIATE_TEST_SUITE_P(All, IniTraps, testing::ValuesIn(traps), testing::PrintToStringParamName());

struct Words {
  const char* name;
  const char* text;
  const char* wanted;
};

void PrintTo(const Words& words, std::ostream* out) { *out << words.name; }

const Words shell_texts[] = {
    {"Plain", "K=v\n", ".K=v"},
    {"BlanksAround", "K =v\nL= v\n", ".L="},
    {"Indented", "  K=v\n", ".K=v"},
    {"Comments", "#K=v\n # K=v\nK=v # c\nL=v#w\n", ".K=v|.L=v#w"},
    {"Quotes", "K=\"v w\"\nL='v w'\nM=a\"b c\"'d'\n", ".K=v w|.L=v w|.M=ab cd"},
    {"QuotesInQuotes", "K=\"it's\"\nL='\"'\n", ".K=it's|.L=\""},
    {"Escapes", "K=\"\\$a \\\"b\\\" \\c\"\nL=a\\ b\nM='\\'\n", ".K=$a \"b\" \\c|.L=a b|.M=\\"},
    {"OverLines", "K=\"v\nw\"\nL=1\n", ".K=v\nw|.L=1"},
    {"Continued", "K=v\\\nw\nL=\"a \\\nb\"\n", ".K=vw|.L=a b"},
    {"EndOfACommand", "K=v;\nL=v& \n", ".K=v|.L=v"},
    {"OtherCommands", "[ -f x ] && echo 'K=1\nK=2'\nexport X\nK=3\n", ".K=3"},
    {"QuoteInAComment", "# don't\nK=v # don't\nL=w\n", ".K=v|.L=w"},
    {"QuoteWithoutAnEnd", "K=\"v\nL=w\n", ".K=v|.L=w"},
    {"CarriageReturns", "K=v\r\nL=\"w\"\r\n", ".K=v|.L=w"},
    {"WithoutANewline", "K=v", ".K=v"},
    {"Twice", "K=1\nK=2\n", ".K=1|.K=2"},
    {"Sections", "[a]\nK=v\n", ".K=v"},
};

class IniShell : public testing::TestWithParam<Words> {};

TEST_P(IniShell, IsReadAsAShellDoes) { EXPECT_EQ(read(ini::shell, GetParam().text), GetParam().wanted); }

INSTANTIATE_TEST_SUITE_P(All, IniShell, testing::ValuesIn(shell_texts), testing::PrintToStringParamName());

TEST(Ini, OfSeveralTheLastCounts) {
  const ini::File file(ini::keyfile, "[a]\nk=1\nk=2\n[b]\nk=3\n[a]\nl=4\n");
  EXPECT_EQ(file.value("a", "k"), "2");
  EXPECT_EQ(file.values("a", "k"), std::vector<std::string>{"2"});
  EXPECT_EQ(file.value("a", "l"), "4") << "the two sections are one";
  EXPECT_EQ(file.find("a", "m"), nullptr);
  EXPECT_EQ(file.value("a", "m"), "");
}

TEST(Ini, AnEmptyOneTakesBackAList) {
  const ini::File file(ini::systemd, "[a]\nk=1\n[b]\nk=2\n[a]\nk=\nk=3\nk=4\n");
  EXPECT_EQ(file.values("a", "k"), (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(file.values("b", "k"), std::vector<std::string>{"2"});
  EXPECT_EQ(ini::File(ini::systemd, "[a]\nk=1\nk=\n").value("a", "k"), "");
}

TEST(Ini, KeepsWhereEachStands) {
  const std::string_view text = "# c\n[a]\nk=v\\\n# c\n w\r\n\n[a]\nl=1";
  const ini::File file(ini::systemd, text);
  ASSERT_EQ(file.entries().size(), 2U);
  const auto& [first, second] = std::tie(file.entries()[0], file.entries()[1]);
  EXPECT_EQ(first.line, 3U);
  EXPECT_EQ(text.substr(first.begin, first.end - first.begin), "k=v\\\n# c\n w\r\n");
  EXPECT_EQ(second.line, 8U);
  EXPECT_EQ(text.substr(second.begin, second.end - second.begin), "l=1");
  EXPECT_NE(first.instance, second.instance);
  EXPECT_EQ(file.sections()[first.instance].end, first.end);
  const ini::File words(ini::shell, "A='\n\n'\nB=1\n");
  EXPECT_EQ(words.find("", "B")->line, 4U);
}

// An empty value in one [Route] takes nothing back in another one; in [Network] it does.
TEST(Ini, RepeatedRoutesAreSectionsOfTheirOwn) {
  const ini::File file(ini::systemd,
                       "[Route]\nGateway=192.0.2.1\n[Network]\nDNS=a\n[Route]\nGateway=\nDestination=10.0.0.0/8\n"
                       "[Network]\nDNS=\nDNS=b\n[Address]\nAddress=192.0.2.2/24\n[Address]\nAddress=\n");
  EXPECT_EQ(file.values("Route", "Gateway"), std::vector<std::string>{"192.0.2.1"});
  EXPECT_EQ(file.values("Address", "Address"), std::vector<std::string>{"192.0.2.2/24"});
  EXPECT_EQ(file.values("Network", "DNS"), std::vector<std::string>{"b"});
}

TEST(Ini, SaysWhichEndNobodyReads) {
  EXPECT_EQ(ini::File(ini::nfs_conf, "[a]\nk=v").unfinished(), 4U);
  EXPECT_EQ(ini::File(ini::nfs_conf, "[a]\nk=v\\\n").unfinished(), 4U);
  EXPECT_EQ(ini::File(ini::nfs_conf, "[a]\nk=v\n").unfinished(), 8U);
  EXPECT_EQ(ini::File(ini::systemd, "[a]\nk=v").unfinished(), 7U);
}

// A minute and more where time grows with the square.
TEST(Ini, LargeFilesTakeNoLonger) {
  const std::string name(1U << 20U, 'n');
  std::string text = "[" + name + "]\n";
  for (int i = 0; i < 200000; ++i) text += "k=\n";
  for (int i = 0; i < 100000; ++i) text += "[a]\nk=\\\n";
  for (int i = 0; i < 200000; ++i) text += "K='\n\"";
  for (const auto& dialect : {ini::systemd, ini::keyfile, ini::nfs_conf, ini::shell})
    EXPECT_EQ(ini::File(dialect, text).value(name, "k"), "");
}

}  // namespace
}  // namespace rdmastate
