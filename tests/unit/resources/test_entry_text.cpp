// SPDX-License-Identifier: Apache-2.0
// One entry in a text of others: what is read, and that nothing else of the text moves.
#include <gtest/gtest.h>

#include "resources/entry/text.hpp"

namespace rdmastate {
namespace {

struct Case {
  const char* name;
  EntryForm form;
  const char* before;
  const char* entry;
  const char* value;
  const char* after;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

const Case cases[] = {
    {"IntoNothing", EntryForm::shell, "", "PORTS", "NONE", "PORTS=\"NONE\"\n"},
    {"BehindTheRest", EntryForm::shell, "# PORTS=ALL\nA=1\n", "PORTS", "NONE", "# PORTS=ALL\nA=1\nPORTS=\"NONE\"\n"},
    {"InItsPlace", EntryForm::shell, "PORTS=ALL # all\nA=1\n", "PORTS", "NONE", "PORTS=\"NONE\"\nA=1\n"},
    {"TheLastCounts", EntryForm::shell, "PORTS=a\nPORTS='b'\n", "PORTS", "c", "PORTS=a\nPORTS=\"c\"\n"},
    {"NoNameBeginsWithAnother", EntryForm::shell, "PORTS2=1\n", "PORTS", "c", "PORTS2=1\nPORTS=\"c\"\n"},
    // nfs-utils does not see a last line without a newline: ours is none, and theirs stays unseen.
    {"NewSectionWithoutANewline", EntryForm::ini, "# c\n[w]\n[x]\na=1", "nfsd.rdma", "y",
     "# c\n[w]\n# This section was added by rdmastate.\n[nfsd]\nrdma = y\n[x]\na=1"},
    {"NewSectionBeforeAHeaderWithoutANewline", EntryForm::ini, "# c\n[nfsd]", "nfsd.rdma", "y",
     "# c\n# This section was added by rdmastate.\n[nfsd]\nrdma = y\n[nfsd]"},
    {"OldSectionWithoutANewline", EntryForm::ini, "[nfsd]\na=1\nrdma=1", "nfsd.rdma", "y",
     "[nfsd]\na=1\nrdma = y\nrdma=1"},
    {"NotBehindABackslash", EntryForm::ini, "[nfsd]\na=1\n# c\\\n", "nfsd.rdma", "y", "[nfsd]\na=1\nrdma = y\n# c\\\n"},
    {"NotBehindABrokenHeader", EntryForm::ini, "[nfsd]\na=1\n[x\nb=1\n", "nfsd.rdma", "y",
     "[nfsd]\na=1\nrdma = y\n[x\nb=1\n"},
    {"IniContinued", EntryForm::ini, "[nfsd]\nrdma=\\\n1\nb=1\n", "nfsd.rdma", "y", "[nfsd]\nrdma = y\nb=1\n"},
    {"IniInCapitals", EntryForm::ini, "[NFSD] # c\nRDMA=1\n", "nfsd.rdma", "y", "[NFSD] # c\nrdma = y\n"},
    {"IniWithoutAValue", EntryForm::ini, "[nfsd]\nrdma=\n", "nfsd.rdma", "y", "[nfsd]\nrdma=\nrdma = y\n"},
    {"ShellOverLines", EntryForm::shell, "PORTS=\"a\nb\"\nA=1\n", "PORTS", "c", "PORTS=\"c\"\nA=1\n"},
    {"ShellNotInAQuote", EntryForm::shell, "A='\nPORTS=1\n'\n", "PORTS", "c", "A='\nPORTS=1\n'\nPORTS=\"c\"\n"},
    {"ShellNotBehindABackslash", EntryForm::shell, "A=1\\\n", "PORTS", "c", "PORTS=\"c\"\nA=1\\\n"},
    {"WithoutANewline", EntryForm::shell, "A=1", "PORTS", "c", "A=1\nPORTS=\"c\""},
    {"InItsPlaceWithoutANewline", EntryForm::shell, "PORTS=ALL", "PORTS", "c", "PORTS=\"c\""},
    {"Carriage", EntryForm::words, "0000:01:00.0 ib\r\n", "0000:02:00.0", "eth ib",
     "0000:01:00.0 ib\r\n0000:02:00.0 eth ib\n"},
    {"Words", EntryForm::words, "#0000:02:00.0 ib\n0000:02:00.0\tib  ib\nx\n", "0000:02:00.0", "eth ib",
     "#0000:02:00.0 ib\n0000:02:00.0 eth ib\nx\n"},
    {"NewSection", EntryForm::ini, "[mountd]\nport=1\n", "nfsd.rdma", "y",
     "[mountd]\nport=1\n# This section was added by rdmastate.\n[nfsd]\nrdma = y\n"},
    {"OldSection", EntryForm::ini, "[nfsd]\n# rdma=n\n\n[mountd]\n", "nfsd.rdma", "y",
     "[nfsd]\n# rdma=n\nrdma = y\n\n[mountd]\n"},
    {"OfItsSectionOnly", EntryForm::ini, "[mountd]\nrdma=1\n[nfsd]\n", "nfsd.rdma", "y",
     "[mountd]\nrdma=1\n[nfsd]\nrdma = y\n"},
    {"IniTheFirstCounts", EntryForm::ini, "[nfsd]\nrdma=n\n[x]\n[nfsd]\nrdma=1\n", "nfsd.rdma", "y",
     "[nfsd]\nrdma = y\n[x]\n[nfsd]\nrdma=1\n"},
    {"IniInItsPlace", EntryForm::ini, "[nfsd]\n rdma = 20049\n[x]\n", "nfsd.rdma", "y", "[nfsd]\nrdma = y\n[x]\n"},
    {"Argument", EntryForm::ini, "[nfsd \"a\"]\nrdma=n\n", "nfsd.rdma", "y",
     "[nfsd \"a\"]\nrdma=n\n# This section was added by rdmastate.\n[nfsd]\nrdma = y\n"},
};

class EntryTexts : public testing::TestWithParam<Case> {};

TEST_P(EntryTexts, AreSetAndRead) {
  const Case& one = GetParam();
  const auto was = entry_in(one.form, one.before, one.entry);
  const std::string set = with_entry(one.form, one.before, one.entry, entry_line(one.form, one.entry, one.value));
  EXPECT_EQ(set, one.after);
  ASSERT_TRUE(entry_in(one.form, set, one.entry));
  EXPECT_EQ(entry_in(one.form, set, one.entry)->value, one.value);
  const std::string back =
      was ? with_entry(one.form, set, one.entry, was->line) : without_entry(one.form, set, one.entry);
  EXPECT_EQ(back, one.before);  // every byte of it
}

INSTANTIATE_TEST_SUITE_P(All, EntryTexts, testing::ValuesIn(cases), testing::PrintToStringParamName());

TEST(EntryText, ReadsWhatItsReaderTakes) {
  const auto value = [](EntryForm form, const char* text, const char* name) {
    const auto found = entry_in(form, text, name);
    return found ? found->value : "none";
  };
  EXPECT_EQ(value(EntryForm::shell, "A=\"x y\" # z\n", "A"), "x y");
  EXPECT_EQ(value(EntryForm::shell, "A='x'\n", "A"), "x");
  EXPECT_EQ(value(EntryForm::shell, "A=x # y\n", "A"), "x");
  EXPECT_EQ(value(EntryForm::shell, "A=\n", "A"), "");
  EXPECT_EQ(value(EntryForm::shell, "A =x\n", "A"), "none");
  EXPECT_EQ(value(EntryForm::shell, "#A=x\n", "A"), "none");
  EXPECT_EQ(value(EntryForm::ini, "rdma=y\n", "nfsd.rdma"), "none");
  EXPECT_EQ(value(EntryForm::ini, "[nfsd]\nrdma = y \n", "nfsd.rdma"), "y");
  EXPECT_EQ(value(EntryForm::ini, "[nfsd]\nrdma-port=1\n", "nfsd.rdma"), "none");
  EXPECT_EQ(value(EntryForm::ini, "[nfsd]\nrdma=\"20049\" # c\n", "nfsd.rdma"), "20049");
  EXPECT_EQ(value(EntryForm::ini, "[nfsd]\nrdma = y ; c\n", "nfsd.rdma"), "y");
  EXPECT_EQ(value(EntryForm::ini, "[nfsd]\nrdma = y", "nfsd.rdma"), "none");
  EXPECT_EQ(value(EntryForm::shell, "A=x;B=y\n", "A"), "x");
  EXPECT_EQ(value(EntryForm::shell, "A=\"0x1 \\\n0x2\"\n", "A"), "0x1 0x2");
  EXPECT_EQ(value(EntryForm::words, "0000:02:00.0\n", "0000:02:00.0"), "");
}

TEST(EntryText, TakesOutAllOfThem) {
  EXPECT_EQ(without_entry(EntryForm::shell, "A=1\nB=1\nA=2\n", "A"), "B=1\n");
  EXPECT_EQ(without_entry(EntryForm::ini, "[x]\na=1\n[nfsd]\nrdma=y\n", "nfsd.rdma"), "[x]\na=1\n[nfsd]\n");
  EXPECT_EQ(without_entry(EntryForm::ini, "[nfsd]\n", "nfsd.rdma"), "[nfsd]\n");
}

struct Return {
  const char* text;
  Neighbours place;
  const char* after;
};

TEST(EntryText, ComesBackBetweenItsNeighbours) {
  const Return returns[] = {
      {"a\nb\n", {"a", "b"}, "a\nP=1\nb\n"},
      {"b\na\nb\n", {"a", "b"}, "b\na\nP=1\nb\n"},
      {"a\nnew\nb\n", {"a", "b"}, "a\nP=1\nnew\nb\n"},
      {"x\nb\n", {"gone", "b"}, "x\nP=1\nb\n"},
      {"a\n", {{}, "a"}, "P=1\na\n"},
      {"a", {"a", {}}, "a\nP=1"},
      {"a\nb\n", {"a", {}}, "a\nP=1\nb\n"},
      {"x\n", {"gone", "too"}, "x\nP=1\n"},
      {"", {{}, {}}, "P=1\n"},
      {"Q='\na\n'\n", {"a", "b"}, "Q='\na\n'\nP=1\n"},  // in a quote it would be none
  };
  for (const auto& one : returns) EXPECT_EQ(with_entry(EntryForm::shell, one.text, "P", "P=1", one.place), one.after);
  EXPECT_EQ(with_entry(EntryForm::ini, "[x]\na=1\n[nfsd]\n", "nfsd.rdma", "rdma=y", Neighbours{"a=1", {}}),
            "[x]\na=1\n[nfsd]\nrdma=y\n");
}

TEST(EntryText, SomeValuesItCannotHold) {
  EXPECT_TRUE(can_hold(EntryForm::shell, "0x1 0x2"));
  for (const char* bad : {"a\"b", "$x", "`x`", "a\\", "a\nb"}) EXPECT_FALSE(can_hold(EntryForm::shell, bad)) << bad;
  EXPECT_FALSE(can_hold(EntryForm::words, "ib # eth"));
  EXPECT_FALSE(can_hold(EntryForm::ini, "y\n[x]"));
}

}  // namespace
}  // namespace rdmastate
