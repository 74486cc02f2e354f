// SPDX-License-Identifier: Apache-2.0
// Which rules of nftables surely drop a UDP port's packets. What is not sure must not be told.
#include <gtest/gtest.h>

#include "doctor/nft_rules.hpp"

namespace rdmastate::doctor {
namespace {

std::optional<NftChain> dropping(const std::string& text) { return chain_that_drops(text, 4791); }

// A chain of the usual firewall for a server, with these rules among its own.
std::string server(const std::string& rules) {
  return "#!/usr/sbin/nft -f\n\nflush ruleset\n\ntable inet filter {\n\tset seen {\n\t\ttype ipv4_addr\n\t}\n\tchain input {\n"
         "\t\ttype filter hook input priority filter; policy drop;\n\t\tct state invalid drop comment \"early drop\"\n"
         "\t\tct state { established, related } accept\n\t\tiif \"lo\" accept\n\t\tmeta l4proto { icmp, ipv6-icmp } accept\n"
         "\t\tip protocol icmp icmp type {\n\t\t\techo-request,\n\t\t\techo-reply\n\t\t} accept\n\t\ttcp dport 22 accept\n" +
         rules + "\n\t}\n\tchain forward { type filter hook forward priority filter; policy drop; }\n}\n";
}

TEST(NftRules, TheChainThatDropsIsNamed) {
  EXPECT_EQ(dropping(server("")), (NftChain{"inet filter", "input"}));
  EXPECT_EQ(dropping("table mine {\n chain in {\n type filter hook input priority -5; policy drop\n }\n}"),
            (NftChain{"ip mine", "in"}));
}

TEST(NftRules, RulesForOthersOpenNothing) {
  for (const char* rule :
       {"udp dport 53 accept", "udp dport { mdns, 5000-5010, 4790 } accept", "udp dport 68 udp sport 67 accept",
        "udp dport 60000-61000 ip saddr 10.0.0.0/8 accept", "tcp dport { 80, 443 } ct state new accept",
        "tcp dport 4791 accept", "ct state vmap { established : accept, related : accept, invalid : drop }",
        "iifname lo accept", "icmpv6 type { nd-neighbor-solicit, echo-request } limit rate 5/second accept",
        "log prefix \"in: accept; udp {\" drop", "limit rate 5/second counter log",
        "ct state new # udp dport 4791 accept", "ip6 nexthdr icmpv6 accept", "udp dport 4790 \\\n accept",
        "ip saddr 192.0.2.7 drop"})
    EXPECT_TRUE(dropping(server(rule))) << rule;
}

TEST(NftRules, WhatMayOpenIsNotTold) {
  for (const char* rule : {"udp dport 4791 accept",
                           "tcp dport 22 accept; include \"/etc/nft/more.nft\"",
                           "udp dport 4000-5000 accept",
                           "udp dport { 53, 4791 } accept",
                           "udp dport != 53 accept",
                           "udp dport @roce accept",
                           "udp dport $roce accept",
                           "udp dport roce accept",
                           "meta l4proto udp accept",
                           "meta l4proto { tcp, udp } accept",
                           "meta l4proto != tcp accept",
                           "ip saddr 10.0.0.0/8 accept",
                           "iifname \"eth1\" accept",
                           "iif != lo accept",
                           "iifname { lo, eth1 } accept",
                           "accept",
                           "counter accept",
                           "jump services",
                           "goto services",
                           "ct state new accept",
                           "ct state { established, new } accept",
                           "ct state != invalid accept",
                           "ct state vmap { established : accept, new : accept }",
                           "ct state vmap @states",
                           "udp dport vmap { 53 : drop, 4791 : accept }",
                           "meta mark 1 accept",
                           "queue num 1",
                           "udp sport 53 accept",
                           "udp dport 4791 accept comment \"beside tcp dport 22 iif lo\"",
                           "udp dport 4791 log prefix \"tcp dport 22 \" accept",
                           "udp dport 4791 log prefix \"tcp\" flags all accept",
                           "ip saddr . udp dport { 10.0.0.1 . 53 } accept"})
    EXPECT_FALSE(dropping(server(rule))) << rule;
}

TEST(NftRules, WithoutAPolicyTheLastRuleMayDropAll) {
  const auto open = [](const std::string& rules) {
    return "table inet f {\n chain input {\n type filter hook input priority 0\n" + rules + "\n }\n}\n";
  };
  EXPECT_TRUE(dropping(open("tcp dport 22 accept\ncounter reject with icmpx admin-prohibited\nudp dport 4791 accept")));
  EXPECT_TRUE(dropping(open("drop")));
  EXPECT_FALSE(dropping(open("tcp dport 22 accept")));
  EXPECT_FALSE(dropping(open("ip saddr 192.0.2.7 drop")));
  EXPECT_FALSE(dropping(open("udp dport 4791 accept; drop")));
}

TEST(NftRules, OtherChainsDropOtherPackets) {
  for (const char* chain :
       {"type filter hook forward priority 0; policy drop;", "type filter hook output priority 0; policy drop;",
        "type nat hook input priority 0; policy drop;", "drop"})
    EXPECT_FALSE(dropping("table inet f {\n chain c {\n " + std::string(chain) + "\n }\n}\n")) << chain;
  EXPECT_FALSE(dropping("table ip6 f {\n chain c {\n type filter hook input priority 0; policy drop;\n }\n}\n"));
  EXPECT_FALSE(dropping(
      "table inet f {\n flags dormant\n chain c {\n type filter hook input priority 0; policy drop;\n }\n}\n"));
}

TEST(NftRules, AChainInTwoPartsIsOne) {
  const std::string first = "table inet f {\n chain c {\n type filter hook input priority 0; policy drop;\n }\n}\n";
  EXPECT_TRUE(dropping(first));
  EXPECT_FALSE(dropping(first + "table inet f {\n chain c {\n udp dport 4791 accept\n }\n}\n"));
}

TEST(NftRules, CommandsBehindTheTablesAreNotUnderstood) {
  for (const char* command :
       {"add rule inet filter input udp dport 4791 accept", "flush ruleset", "delete table inet filter",
        "insert rule inet filter input accept", "table inet filter {"})
    EXPECT_FALSE(dropping(server("") + command + "\n")) << command;
  EXPECT_FALSE(dropping("add rule inet filter input drop\n" + server("")));
  EXPECT_TRUE(dropping("table inet filter\ndelete table inet filter\ndefine open = { 22, 80 }\n" + server("")));
  EXPECT_FALSE(dropping(""));
  EXPECT_FALSE(dropping("}"));
}

}  // namespace
}  // namespace rdmastate::doctor
