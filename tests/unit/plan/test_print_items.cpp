// SPDX-License-Identifier: Apache-2.0
// How items are told: marks, columns in few words, and those that are alike as one.
#include <gtest/gtest.h>

#include "plan/print_items.hpp"

namespace rdmastate {
namespace {

const Paint plain(false);

Column column(std::string spec, std::string live, NextBoot next = NextBoot::absent) {
  return {"name", std::move(spec), std::move(live), next, false};
}

ItemText renamed(const std::string& name, const std::string& old) {
  ItemText text;
  text.mark = '~';
  text.what = "rename rdma_device";
  text.title = name + " (node_guid " + old + ")";
  text.columns = {column(name, old)};
  return text;
}

ItemText awaited(const std::string& address, const std::string& link, const std::string& file) {
  ItemText text;
  text.mark = '*';
  text.what = "address";
  text.title = address + " on " + link;
  text.notes = {{"pending: ", "NetworkManager configures it from /etc/nm/" + file, false}};
  return text;
}

std::string whole(const std::vector<ItemText>& items) { return items_text(items, plain, PlanForm::whole); }
std::string brief(const std::vector<ItemText>& items) { return items_text(items, plain, PlanForm::brief); }

TEST(PrintItems, WhatIsAlikeIsOne) {
  EXPECT_EQ(whole({renamed("gpu0", "mlx5_0"), renamed("gpu1", "mlx5_1")}),
            "  ~ rename rdma_device (2)\n"
            "      gpu0 (node_guid mlx5_0): name mlx5_0 -> gpu0\n"
            "      gpu1 (node_guid mlx5_1): name mlx5_1 -> gpu1\n"
            "      next boot: name absent\n");
  EXPECT_EQ(brief({renamed("gpu0", "mlx5_0"), renamed("gpu1", "mlx5_1")}),
            "  ~ rename rdma_device (2): gpu0 (node_guid mlx5_0), gpu1 (node_guid mlx5_1)\n");
}

TEST(PrintItems, AStarStandsForWhatTheTitleSays) {
  EXPECT_EQ(whole({awaited("192.0.2.1/24", "ib0", "ib0.conf"), awaited("192.0.2.9/24", "ib1", "ib1.conf")}),
            "  * address (2): 192.0.2.1/24 on ib0, 192.0.2.9/24 on ib1\n"
            "      pending: NetworkManager configures it from /etc/nm/*.conf\n");
  EXPECT_EQ(brief({awaited("192.0.2.1/24", "ib0", "ib0.conf")}),
            "  * address 192.0.2.1/24 on ib0: pending: NetworkManager configures it from /etc/nm/ib0.conf\n");
}

TEST(PrintItems, AnotherReasonIsToldByItself) {
  const std::string text =
      brief({awaited("192.0.2.1/24", "ib0", "ib0.conf"), awaited("192.0.2.9/24", "ib1", "other.conf")});
  EXPECT_NE(text.find("/etc/nm/ib0.conf\n"), std::string::npos) << text;
  EXPECT_NE(text.find("/etc/nm/other.conf\n"), std::string::npos) << text;
}

TEST(PrintItems, WhatDiffersInMarkDisruptionOrNextBootIsNotAlike) {
  for (const auto& change : std::vector<void (*)(ItemText&)>{
           [](ItemText& text) { text.mark = '#'; }, [](ItemText& text) { text.disruption = Disruption::link; },
           [](ItemText& text) { text.columns[0].next_boot = NextBoot::as_spec; },
           [](ItemText& text) {
             text.notes.push_back({"refused: ", "no", true});
           },
           [](ItemText& text) { text.cause = "purged"; }}) {
    ItemText other = renamed("gpu1", "mlx5_1");
    change(other);
    const std::string text = whole({renamed("gpu0", "mlx5_0"), other});
    EXPECT_EQ(text.find("(2)"), std::string::npos) << text;
  }
}

TEST(PrintItems, ListsOfTheSameKindAreJoined) {
  ItemText first = renamed("gpu0", "mlx5_0");
  ItemText second = renamed("gpu1", "mlx5_1");
  first.notes.push_back({"also disturbed: ", "", false, {"service s", "address 192.0.2.1/24"}});
  second.notes.push_back({"also disturbed: ", "", false, {"service s", "interface b"}});
  const std::string text = whole({first, second, second});
  EXPECT_NE(text.find("(3)"), std::string::npos) << text;
  EXPECT_NE(text.find("also disturbed: service s, address 192.0.2.1/24, interface b\n"), std::string::npos) << text;
}

TEST(PrintItems, AFileAsAnotherSaysWhatDiffers) {
  ItemText first;
  first.mark = '+';
  first.what = "write file";
  first.title = "/etc/a";
  first.body = {"+one", "+two", "+mtu=1"};
  first.is_whole = true;
  ItemText second = first;
  second.title = "/etc/b";
  second.body[2] = "+mtu=2";
  EXPECT_EQ(whole({first, second}),
            "  + write file (2)\n      /etc/a\n      +one\n      +two\n      +mtu=1\n"
            "      The others have the same lines, except these:\n      b: mtu=2\n");
  second.title = "/usr/b";
  EXPECT_NE(whole({first, second}).find("      /usr/b: mtu=2\n"), std::string::npos) << "of another directory";
  second.title = "/etc/b";
  second.body = {"+x", "+y", "+mtu=1"};
  EXPECT_EQ(whole({first, second}).find("(2)"), std::string::npos) << "most lines differ";
}

TEST(PrintColumns, OneFieldIsASentence) {
  EXPECT_EQ(column_lines({column("store0", "mlx4_1")}, plain),
            std::vector<std::string>{"name mlx4_1 -> store0; next boot absent"});
  EXPECT_EQ(column_lines({column("a", "a", NextBoot::differs)}, plain),
            std::vector<std::string>{"name a now; next boot differs"});
}

TEST(PrintColumns, OneNextBootIsSaidOnce) {
  Column up = column("true", "false");
  up.field = "up";
  EXPECT_EQ(column_lines({column("ib0", "ib0"), up}, plain),
            std::vector<std::string>{"name ib0 now; up false -> true; next boot absent"});
}

TEST(PrintColumns, WhatIsNotThereIsSaidOnce) {
  Column made = column("datagram", "absent");
  made.field = "mode";
  made.is_default = true;
  EXPECT_EQ(column_lines({column("ib0", "absent"), made}, plain),
            std::vector<std::string>{"absent now and at the next boot; spec: name ib0, mode datagram (default)"});
}

TEST(PrintColumns, ElseThereIsATable) {
  Column mode = column("connected", "datagram", NextBoot::as_spec);
  mode.field = "mode";
  EXPECT_EQ(column_lines({column("ib0", "ib0"), mode}, plain),
            (std::vector<std::string>{"      spec       live      next boot", "name  ib0        ib0       absent",
                                      "mode  connected  datagram  as-spec"}));
}

}  // namespace
}  // namespace rdmastate
