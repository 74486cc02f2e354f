// SPDX-License-Identifier: Apache-2.0
// One line of /etc/group: put there, found, taken out; nothing else of the text moves.
#include <gtest/gtest.h>

#include "resources/group/account_text.hpp"
#include "resources/group/group.hpp"

namespace rdmastate {
namespace {

struct Case {
  const char* name;
  const char* before;
  std::optional<std::string> behind;
  const char* after;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

const Case cases[] = {
    {"IntoNothing", "", std::nullopt, "rdma:x:999:\n"},
    {"AtTheEnd", "root:x:0:\n", std::nullopt, "root:x:0:\nrdma:x:999:\n"},
    {"WithoutANewline", "root:x:0:", std::nullopt, "root:x:0:\nrdma:x:999:"},
    {"BeforeNis", "root:x:0:\n-bad:::\n+:::\n", std::nullopt, "root:x:0:\nrdma:x:999:\n-bad:::\n+:::\n"},
    {"BehindAName", "root:x:0:\nadm:x:4:\n", "root", "root:x:0:\nrdma:x:999:\nadm:x:4:\n"},
    {"AsTheFirst", "root:x:0:\n", "", "rdma:x:999:\nroot:x:0:\n"},
    {"BehindANameThatIsGone", "root:x:0:\n", "adm", "root:x:0:\nrdma:x:999:\n"},
    {"BehindTheLastWithoutANewline", "root:x:0:", "root", "root:x:0:\nrdma:x:999:"},
    {"OthersStay", "#rdma:x:1:\nrdmax:x:1:\n\nrdma\nrdma:x\n", std::nullopt,
     "#rdma:x:1:\nrdmax:x:1:\n\nrdma\nrdma:x\nrdma:x:999:\n"},
};

class AccountTexts : public testing::TestWithParam<Case> {};

TEST_P(AccountTexts, ThereAndBack) {
  const Case& one = GetParam();
  ASSERT_FALSE(account_line(one.before, "rdma"));
  const std::string set = with_account_line(one.before, "rdma", "rdma:x:999:", one.behind);
  EXPECT_EQ(set, one.after);
  ASSERT_TRUE(account_line(set, "rdma"));
  EXPECT_EQ(account_line(set, "rdma")->fields, (std::vector<std::string>{"rdma", "x", "999", ""}));
  EXPECT_EQ(without_account_line(set, "rdma"), one.before);  // every byte of it
  const auto behind = account_line(set, "rdma")->behind;
  EXPECT_EQ(with_account_line(one.before, "rdma", "rdma:x:999:", behind), set) << "behind " << behind;
}

INSTANTIATE_TEST_SUITE_P(All, AccountTexts, testing::ValuesIn(cases), testing::PrintToStringParamName());

TEST(AccountText, OneThatIsThereKeepsItsPlace) {
  const std::string text = "a:x:1:\nrdma:x:105:x\nrdma:x:7:late\nb:x:2:\n";
  EXPECT_EQ(account_line(text, "rdma")->text, "rdma:x:105:x");
  EXPECT_EQ(with_account_line(text, "rdma", "rdma:x:105:x,y", "b"), "a:x:1:\nrdma:x:105:x,y\nrdma:x:7:late\nb:x:2:\n");
}

TEST(AccountText, UsersAndNumbers) {
  const auto users = passwd_users("root:x:0:0:root:/root:/bin/sh\nbad:x:1\n+::::::\nu:x:1000:999:,,,:/home/u:/bin/sh");
  ASSERT_EQ(users.size(), 2U);
  EXPECT_EQ(users[1].name, "u");
  EXPECT_EQ(users[1].uid, 1000U);
  EXPECT_EQ(users[1].gid, 999U);
  EXPECT_EQ(group_ids("a:x:1:\nb:x:-2:\nc:x:4294967295:\nd:x:4294967296:\ne\n"),
            (std::vector<std::uint32_t>{1, 4294967295}));
  EXPECT_EQ(split_names("a,,b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(split_names("").empty());
}

TEST(AccountText, MembersInAComment) {
  EXPECT_EQ(marked_members("# x\n# Members by rdmastate: a,b\ng rdma -\n"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(marked_members("g rdma -\n").empty());
}

}  // namespace
}  // namespace rdmastate
